# SPDX-License-Identifier: BSL-1.0
# Runs ranks.cpp by mpirun on 1 to 4 ranks, and lets ranks fail.
# Usage: cmake -DMPIRUN=mpirun -DPROGRAM=ranks -P check.cmake
cmake_minimum_required(VERSION 3.24)

include("${CMAKE_CURRENT_LIST_DIR}/mpirun.cmake")
set(wrong)

# Runs `count` ranks with the arguments ARGN: sets code, and text to all that they have said.
macro(ranks count)
  execute_process(
    COMMAND "${MPIRUN}" -n ${count} "${PROGRAM}" ${ARGN}
    OUTPUT_VARIABLE text
    ERROR_VARIABLE text
    RESULT_VARIABLE code
    TIMEOUT 120) # far more than it takes, however busy the machine is: a rank that waits for ever
endmacro()
# The line of `text` that begins with the word.
macro(line_of word result)
  string(REGEX MATCH "${word} [^\n]*" ${result} "${text}")
endmacro()
# What must hold, and what was tested.
macro(expect what)
  if(NOT (${ARGN}))
    string(APPEND wrong "\n${what}; the program says\n${text}")
  endif()
endmacro()

execute_process(COMMAND "${PROGRAM}" fit OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE code)
expect("A program without mpirun is one of one" code STREQUAL 0)
line_of(weight alone)
line_of(bits alone_bits)

foreach(count RANGE 1 4)
  ranks(${count} fit)
  expect("${count} ranks end well" code STREQUAL 0)
  line_of(weight weight)
  line_of(bits bits)
  expect("${count} ranks train as one process does: ${alone}" alone AND weight STREQUAL alone)
  string(REGEX MATCHALL "epoch 1/" shown "${text}")
  list(LENGTH shown shown)
  expect("Only rank 0 shows how the fit of ${count} ranks goes" shown EQUAL 1)
  if(count EQUAL 1)
    expect("One rank is one process, bit for bit" bits STREQUAL alone_bits)
  elseif(count EQUAL 3)
    set(bits_3 "${bits}")
    ranks(3 fit)
    line_of(bits bits)
    expect("Two runs of 3 ranks have the same bits, ${bits_3}" bits STREQUAL bits_3)
  endif()
endforeach()

# A checkpoint goes on with other ranks; with as many, bit for bit.
file(REMOVE half.safetensors)
ranks(3 half half.safetensors)
expect("Half of a fit ends well" code STREQUAL 0)
foreach(count 1 3 4)
  configure_file("${CMAKE_CURRENT_BINARY_DIR}/half.safetensors" kept.safetensors COPYONLY)
  ranks(${count} fit kept.safetensors)
  line_of(weight weight)
  line_of(bits bits)
  expect("A fit of 3 ranks goes on with ${count}: ${alone}" weight STREQUAL alone)
  if(count EQUAL 3)
    expect("A fit that goes on has the bits of one that was not interrupted" bits STREQUAL bits_3)
  endif()
endforeach()

# Nobody waits for ever.
file(REMOVE kept.safetensors)
ranks(3 killed kept.safetensors)
string(REGEX MATCH "rank 1 .*signal 9|Killed .signal 9" found "${text}") # Open MPI, MPICH
expect("A rank was killed" NOT code STREQUAL 0 AND found)
ranks(3 fit kept.safetensors)
line_of(bits bits)
expect("The last checkpoint goes on after a rank was killed" bits STREQUAL bits_3)
ranks(3 early)
string(REGEX MATCH "others wait for it|rank 1 at the end of its program" found "${text}")
expect("A rank has made a step less" NOT code STREQUAL 0 AND found)
ranks(3 other)
string(REGEX MATCH "rank 0 has the parameter .fc1.weight., double.7, 3., and rank 1 has .*.8, 3." found "${text}")
expect("A rank has another model" NOT code STREQUAL 0 AND found)
ranks(3 throws)
string(REGEX MATCH "rank 1 has no room left" found "${text}")
expect("A rank has thrown" NOT code STREQUAL 0 AND found)
ranks(3 changed)
expect("Ranks whose weights were different synchronize and end well" code STREQUAL 0)
ranks(2 gone)
string(REGEX MATCH "is at the end of its program, but tapeless: MPI_Allgather" found "${text}")
expect("MPI has an error at the end" NOT code STREQUAL 0 AND found AND NOT text MATCHES "terminate called")
ranks(2 single)
string(REGEX MATCH "this MPI wants programs of one thread" found "${text}")
expect("MPI has no threads" NOT code STREQUAL 0 AND found)

if(wrong)
  message(FATAL_ERROR "${wrong}")
endif()
message(STATUS "1 to 4 ranks train as one process does; nobody waits for ever")

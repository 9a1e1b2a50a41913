# SPDX-License-Identifier: BSL-1.0
# cmake -P cmake/reference.cmake: builds the reference, build/reference/html/index.html, from the headers' docstrings
# and the guides. A docstring that lacks what its page needs and a warning of Doxygen's are errors.
# -DOUTPUT=FOLDER puts it elsewhere; -DINSTALL=OFF installs nothing.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/setup.cmake")
setup_arguments()

if(NOT DEFINED OUTPUT)
  set(OUTPUT "${SETUP_SOURCE}/build/reference")
endif()
if(NOT DEFINED INSTALL OR INSTALL)
  setup_packages(doxygen python3)
endif()
find_program(SETUP_DOXYGEN doxygen)
find_program(SETUP_PYTHON python3)
get_property(hint GLOBAL PROPERTY SETUP_HINT)
if(NOT SETUP_DOXYGEN OR NOT SETUP_PYTHON)
  message(FATAL_ERROR "The reference needs doxygen and python3.${hint}")
endif()

set(tools "${SETUP_SOURCE}/docs/reference")
file(REMOVE_RECURSE "${OUTPUT}/rooms" "${OUTPUT}/html")
file(MAKE_DIRECTORY "${OUTPUT}/rooms")
setup_run("A docstring lacks what its page needs" "${SETUP_PYTHON}" -B "${tools}/pages.py" "${SETUP_SOURCE}" "${OUTPUT}")

file(READ "${tools}/Doxyfile" settings)
string(APPEND settings "
OUTPUT_DIRECTORY = \"${OUTPUT}\"
INPUT = \"${OUTPUT}/rooms\"
IMAGE_PATH = \"${SETUP_SOURCE}/docs/guide\"
STRIP_FROM_PATH = \"${OUTPUT}\"
HTML_HEADER = \"${tools}/header.html\"
HTML_FOOTER = \"${tools}/footer.html\"
HTML_EXTRA_STYLESHEET = \"${tools}/style.css\"
")
file(WRITE "${OUTPUT}/Doxyfile" "${settings}")
setup_run("Doxygen has found errors" "${SETUP_DOXYGEN}" "${OUTPUT}/Doxyfile")
file(READ "${tools}/search.css" search)
file(APPEND "${OUTPUT}/html/search/search.css" "${search}")
message(STATUS "The reference is ${OUTPUT}/html/index.html")

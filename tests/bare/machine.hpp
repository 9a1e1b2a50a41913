// SPDX-License-Identifier: BSL-1.0
// The least that a program needs on a Cortex-M without an operating system: where it starts, and the
// debugger's semihosting to print and to stop. The compiler's own calls are here, too.
#pragma once

#include <cstddef>
#include <cstdint>

inline long semihosting(long operation, const void* argument) {
  register long r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
inline void machine_print(const char* text) { semihosting(0x04, text); }
[[noreturn]] inline void machine_stop(long code) {
  const long reason[2] = {0x20026, code};  // the application has ended
  semihosting(0x20, reason);
  for (;;) {
  }
}

extern "C" {
int main();
extern std::uint32_t data_begin, data_end, data_load, bss_begin, bss_end, stack_top;
extern void (*const constructors_begin[])();
extern void (*const constructors_end[])();

void* memcpy(void* to, const void* from, std::size_t count) {
  auto* here = static_cast<volatile unsigned char*>(to);
  for (std::size_t i = 0; i < count; ++i) here[i] = static_cast<const unsigned char*>(from)[i];
  return to;
}
void* memset(void* to, int value, std::size_t count) {
  auto* here = static_cast<volatile unsigned char*>(to);
  for (std::size_t i = 0; i < count; ++i) here[i] = static_cast<unsigned char>(value);
  return to;
}

[[noreturn]] void reset() {
  *reinterpret_cast<volatile std::uint32_t*>(0xe000ed88) |= 0xfu << 20;  // the floating-point unit
  __asm__ volatile("dsb\nisb");
  const std::uint32_t* from = &data_load;
  for (volatile std::uint32_t* to = &data_begin; to < &data_end;) *to++ = *from++;
  for (volatile std::uint32_t* to = &bss_begin; to < &bss_end;) *to++ = 0;
  for (auto construct = constructors_begin; construct != constructors_end; ++construct) (*construct)();
  machine_stop(main());
}
[[noreturn]] void fault() { machine_stop(1); }
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])() = {
    reinterpret_cast<void (*)()>(&stack_top), reset, fault, fault, fault, fault, fault};

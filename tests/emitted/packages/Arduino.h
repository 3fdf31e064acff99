// What the sketches use of Arduino's core.
#pragma once
#include <stdint.h>
#include <stdio.h>
struct Printer {
  void begin(unsigned long) {}
  void print(const char* text) { printf("%s", text); }
  void println(int value) { printf("%d\n", value); }
  void println(unsigned long value) { printf("%lu\n", value); }
  void println(double value) { printf("%g\n", value); }
};
static Printer Serial;
static unsigned long micros() { return 0; }

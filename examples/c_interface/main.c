/* SPDX-License-Identifier: BSL-1.0 */
/* A program in C that trains: which way to turn, by the sides of four distances. */
#include "network.h"

#include <stdio.h>

static unsigned next = 1;
static float uniform(void) { /* in [0, 1) */
  next = next * 1664525u + 1013904223u;
  return (float)(next >> 8) / 16777216.0f;
}
static void sample(float x[network_inputs], float wanted[network_outputs]) {
  for (int i = 0; i < network_inputs; ++i) x[i] = uniform();
  wanted[0] = x[0] + x[1] - x[2] - x[3];
  wanted[1] = x[0] * x[3];
}

int main(void) {
  static unsigned char flash[network_bytes];
  float x[network_inputs], wanted[network_outputs], before[network_outputs], after[network_outputs];
  float loss = 1;
  network_init(1);
  for (int i = 0; i < 5000; ++i) {
    if (i == 4000 && !network_set_learning_rate(1e-3)) return 1;
    sample(x, wanted);
    loss += 0.01f * (network_step(x, wanted) - loss);
  }
  printf("the loss is %.4f\n", (double)loss);

  const long size = network_save(flash, sizeof flash);
  network_predict(x, before);
  network_init(2);
  if (size <= 0 || !network_load(flash, (unsigned long)size)) return 1;
  network_predict(x, after);
  for (int i = 0; i < network_outputs; ++i)
    if (before[i] != after[i]) return 1;
  flash[9] ^= 1;
  if (network_load(flash, (unsigned long)size)) return 1; /* a damaged file is refused */
  if (network_set_learning_rate(-1)) return 1;            /* and what no rate may be */
  printf("%ld bytes came back as they were\n", size);
  return loss < 0.01f ? 0 : 1;
}

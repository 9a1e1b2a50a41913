/* SPDX-License-Identifier: BSL-1.0 */
/* A network that learns, for programs in C: what network.cpp makes of tl::bare. No heap, no library. */
#ifndef NETWORK_H
#define NETWORK_H

#ifdef __cplusplus
extern "C" {
#endif

enum { network_inputs = 4, network_outputs = 2, network_bytes = 1024 };

/* Starts anew; the same seed gives the same weights. To be called once before all others. */
void network_init(unsigned long seed);
/* One step of training; the loss before it, or NaN where nothing was done. */
float network_step(const float x[network_inputs], const float wanted[network_outputs]);
/* From the next step on. Returns 1, or 0 where a learning rate may not be that number; then nothing has
 * changed. */
int network_set_learning_rate(double rate);
void network_predict(const float x[network_inputs], float y[network_outputs]);
/* Writes the weights as a safetensors file, of at most network_bytes. Returns its bytes; 0 where there is
 * less room. */
long network_save(void* to, unsigned long room);
/* Returns 1, or 0 where the file is none of this network's; then nothing has changed. */
int network_load(const void* from, unsigned long size);

#ifdef __cplusplus
}
#endif

#endif

#include <stddef.h>
#include <stdint.h>

/* Chooses what the inputs are for, by a target's name; 0 if there is no such target. */
int fuzz_choose(const char *target);

/* The one input of a fuzz target, as libFuzzer calls it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

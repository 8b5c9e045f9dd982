#include <stddef.h>
#include <stdint.h>

/* The one input of a fuzz target, as libFuzzer calls it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

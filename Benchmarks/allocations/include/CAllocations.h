#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* Allocations of this process so far: calls of malloc, calloc, realloc and posix_memalign. */
uint64_t allocations_so_far(void);

#endif

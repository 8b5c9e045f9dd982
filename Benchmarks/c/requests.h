/* Requests without pause, so many of them always under way: the part of a run that
 * pings and transactions have in common.
 */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "load.h"
#include "measure.h"

struct requests;

struct run {
    /* Set before the start. */
    const struct options *options;
    void (*hello)(struct conn *c);
    size_t (*make)(char *out, uint32_t id, int slot);   /* writes the next request of a slot */
    int wait_for;                               /* a pipe that brings a byte before the next request; -1: none */

    /* The result of a run. */
    double us;
    size_t answered;
    struct samples latency;

    struct requests *state;
};

/* Opens the controllers' connections. */
void run_open(struct run *r);

/* Requests for so many µs; every one sent is answered when it returns. */
void run_for(struct run *r, double us);

/* The same, and prints: how many, how many per second, p50, p99, p99.99 and the longest, the broker's
 * CPU per request, which is divided by `per` where one request is many operations. */
void run_and_print(struct run *r, int per);

#endif

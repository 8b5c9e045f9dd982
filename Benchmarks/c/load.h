/* What a mode of the load generator is given.  A mode is one kind of run: it
 * loads the broker in its way and prints one line of "key=value" pairs, times in
 * µs and memory in KiB.  Each mode is one file and one entry in load.c.
 */
#ifndef LOAD_H
#define LOAD_H

#include "wire.h"

#include <sys/types.h>

struct options {
    const struct wire *wire;
    const char *socket;
    pid_t broker;               /* whose CPU and memory are looked at; 0: nobody's */
    int connections;
    int in_flight;              /* over all connections together */
    int milliseconds;           /* how long to load */
    int calls, observers;       /* of transactions */
    bool waits;                 /* the next transaction, when all observers have heard of the one before */
    const char *topic;          /* what observers ask for */
    bool changes;               /* and of a call what has changed */
    struct sizes sizes;         /* how long the messages of a transaction are to be */
};

void mode_probe(const struct options *o);
void mode_ping(const struct options *o);
void mode_idle(const struct options *o);
void mode_sizes(const struct options *o);
void mode_transact(const struct options *o);
void mode_held(const struct options *o);
void mode_answer(const struct options *o);

#endif

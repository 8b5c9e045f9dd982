/* What the load generator has to know of a protocol.  Each protocol is one file
 * and one entry in wire.c.  All of it is written by hand, so that the client
 * costs the same whatever is at the other end, and a difference is the broker's.
 */
#ifndef WIRE_H
#define WIRE_H

#include "net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_REQUEST_MAX = 256, WIRE_MESSAGE_MAX = 4096 };

/* Ids of requests have ten digits, whatever they are: a message is then a
 * template with the id written over. */
#define WIRE_FIRST_ID 1073741824u       /* 2^30 */
#define WIRE_LAST_ID  2147483647u       /* 2^31 - 1 */

/* How long the messages of a transaction are, in bytes: the controller's request,
 * what the provider gets of it, the event that each observer gets meanwhile, the
 * provider's answer, the result that the controller gets, the observers' second
 * event.  CallBroker's are as they are; all others are made as long. */
struct sizes { size_t request, perform, pending, answer, result, event; };

/* Who takes part in transactions. */
struct scene {
    uint32_t run;                       /* tells one run's names from another's */
    int providers, calls, observers;    /* call number n is of provider n % providers */
    const char *topic;                  /* what observers ask for */
    bool changes;                       /* and of a call what has changed */
    struct sizes sizes;
};

/* How a protocol carries a transaction: the mute of a held call. */
struct calls_wire {
    /* Before anything else here, in the process that everybody comes from. */
    void (*set_up)(const struct scene *s);

    /* Each says hello in a role and waits until it has it. */
    void (*provide)(struct conn *c, int number);
    void (*observe)(struct conn *c);
    void (*control)(struct conn *c);

    /* Writes the request to mute a call, or not; returns its length. */
    size_t (*request)(char *out, uint32_t id, int call, bool muted);

    /* Writes what a provider says to a message of n bytes; 0 if that asks nothing. */
    size_t (*answer)(char *out, const char *message, size_t n);
};

struct wire {
    const char *name;

    /* Everything up to the point where requests may be sent; waits for it. */
    void (*hello)(struct conn *c);

    /* Writes one ping; returns its length, at most WIRE_REQUEST_MAX. */
    size_t (*ping)(char *out, uint32_t id);

    /* The length of the first complete message in the n bytes, 0 if there is none
     * yet.  *id is the request it answers, or 0.  An error reply ends the program. */
    size_t (*next)(const char *in, size_t n, uint32_t *id);

    const struct calls_wire *calls;
};

extern const struct wire wire_line;
extern const struct wire wire_floor;
extern const struct wire wire_dbus;

extern const struct calls_wire line_calls;
extern const struct calls_wire dbus_calls;

/* The protocol of that name, or NULL. */
const struct wire *wire_named(const char *name);

/* Reads until the answer to the request has come; what follows it stays buffered. */
void wire_await(const struct wire *w, struct conn *c, uint32_t id);

#endif

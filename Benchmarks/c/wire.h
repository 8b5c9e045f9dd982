/* What the load generator has to know of a protocol.  Each protocol is one file
 * and one entry in wire.c.  All of it is written by hand, so that the client
 * costs the same whatever is at the other end, and a difference is the broker's.
 */
#ifndef WIRE_H
#define WIRE_H

#include "net.h"

#include <stddef.h>
#include <stdint.h>

enum { WIRE_REQUEST_MAX = 256 };

/* Ids of requests have ten digits, whatever they are: a message is then a
 * template with the id written over. */
#define WIRE_FIRST_ID 1073741824u       /* 2^30 */
#define WIRE_LAST_ID  2147483647u       /* 2^31 - 1 */

struct wire {
    const char *name;

    /* Everything up to the point where requests may be sent; waits for it. */
    void (*hello)(struct conn *c);

    /* Writes one ping; returns its length, at most WIRE_REQUEST_MAX. */
    size_t (*ping)(char *out, uint32_t id);

    /* The length of the first complete message in the n bytes, 0 if there is none
     * yet.  *id is the request it answers, or 0.  An error reply ends the program. */
    size_t (*next)(const char *in, size_t n, uint32_t *id);
};

extern const struct wire wire_line;
extern const struct wire wire_dbus;

/* The protocol of that name, or NULL. */
const struct wire *wire_named(const char *name);

/* Reads until the answer to the request has come; what follows it stays buffered. */
void wire_await(const struct wire *w, struct conn *c, uint32_t id);

#endif

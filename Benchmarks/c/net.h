/* Connections of the load generator: dialling, buffered reading and writing. */
#ifndef NET_H
#define NET_H

#include <stddef.h>

enum { ANSWER_TIMEOUT_S = 10 };     /* nothing for so long: the run has failed */

struct conn {
    int fd;
    char *in;                       /* bytes read and not yet consumed */
    size_t in_length, in_capacity;
    char *out;                      /* requests queued for the next flush */
    size_t out_length, out_capacity;
};

/* Prints "load: WHAT" and exits with 1; fail_errno adds what errno says. */
_Noreturn void fail(const char *what);
_Noreturn void fail_errno(const char *what);

/* Connects to the Unix socket; waits while the listener's backlog is full. */
void conn_dial(struct conn *c, const char *path);

/* Adds it to an epoll descriptor, to be told when there is something to read. */
void conn_watch(struct conn *c, int epoll);

/* One read, waiting for data; fails when the other side is gone or silent. */
void conn_read(struct conn *c);

/* Forgets the first n bytes read. */
void conn_consume(struct conn *c, size_t n);

/* Room for n more bytes of output; the caller adds to out_length what it used. */
char *conn_reserve(struct conn *c, size_t n);

/* Queues n bytes. */
void conn_queue(struct conn *c, const void *bytes, size_t n);

/* Writes all that is queued. */
void conn_flush(struct conn *c);

/* Gives back the buffers of a connection that will stay idle. */
void conn_trim(struct conn *c);

/* As many descriptors as this process may have. */
void raise_descriptor_limit(void);

#endif

/* What the floor and its relay know of each other. */
#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stddef.h>

enum role { ROLE_NONE, ROLE_CONTROLLER, ROLE_PROVIDER, ROLE_OBSERVER };

struct buffer { char *bytes; size_t length, capacity; };

struct connection {
    int fd;
    bool dirty;                     /* has output for the end of this turn */
    bool blocked;                   /* the peer does not read; waiting for EPOLLOUT */
    enum role role;
    struct buffer partial;          /* the beginning of a line, its end yet to come */
    struct buffer output;
    struct connection *next_dirty;
    struct waiters *waiters;        /* of a provider: whose requests it has not answered */
};

_Noreturn void die(const char *what);

/* Queues bytes for the end of this turn. */
void queue(struct connection *c, const char *bytes, size_t n);

/* A connection has named its role, and goes again. */
void relay_join(struct connection *c, const char *line);
void relay_leave(struct connection *c);

/* Lines of controllers and providers. */
void relay_request(struct connection *controller, const char *line, size_t n);
void relay_answer(struct connection *provider, const char *line, size_t n);

#endif

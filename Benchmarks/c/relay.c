/* The floor as a relay: the least that carries a request to a provider, its answer
 * back, and an event to each observer on either way.
 *
 * Nothing is parsed.  Requests go to the providers in turn, answers come in the
 * order of the requests, so a queue for each provider tells whom an answer is for.
 * A line keeps its first bytes, where the id stands, and is filled up to the
 * length that CallBroker's message has at this place.
 */
#include "floor.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MAX = 4096, WAITERS_MAX = 1024, HEAD = 32, LINE_MAX_BYTES = 4096 };

struct waiters { struct connection *of[WAITERS_MAX]; uint32_t first, end; };

struct members { struct connection *all[MEMBERS_MAX]; size_t count; };

static struct members providers, observers;
static size_t turn_of;                      /* the provider that gets the next request */
static size_t perform_bytes, pending_bytes, result_bytes, event_bytes;
static char filler[LINE_MAX_BYTES];         /* ends in a line feed */

/* ---- who takes part */

static void add(struct members *m, struct connection *c) {
    if (m->count == MEMBERS_MAX) die("too many members");
    m->all[m->count++] = c;
}

static void drop(struct members *m, const struct connection *c) {
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (m->all[i] != c) m->all[kept++] = m->all[i];
    m->count = kept;
}

void relay_join(struct connection *c, const char *line) {
    char role[16];
    if (sscanf(line, "floor %15s %zu %zu %zu %zu", role, &perform_bytes, &pending_bytes, &result_bytes,
               &event_bytes) != 5) return;
    memset(filler, ' ', sizeof filler);
    filler[sizeof filler - 1] = '\n';
    c->role = role[0] == 'p' ? ROLE_PROVIDER : role[0] == 'o' ? ROLE_OBSERVER : ROLE_CONTROLLER;
    if (c->role == ROLE_OBSERVER) add(&observers, c);
    if (c->role != ROLE_PROVIDER) return;
    add(&providers, c);
    if (!(c->waiters = calloc(1, sizeof *c->waiters))) die("calloc");
}

void relay_leave(struct connection *c) {
    drop(&observers, c);
    drop(&providers, c);
    for (size_t i = 0; i < providers.count; i++) {
        struct waiters *w = providers.all[i]->waiters;
        for (uint32_t k = w->first; k != w->end; k++)
            if (w->of[k % WAITERS_MAX] == c) w->of[k % WAITERS_MAX] = NULL;
    }
    free(c->waiters);
}

/* ---- lines */

/* The first bytes of a line, and as many behind them as make up the length. */
static void pass_on(struct connection *to, const char *line, size_t n, size_t length) {
    size_t head = n - 1 < HEAD ? n - 1 : HEAD;
    queue(to, line, head);
    queue(to, filler + sizeof filler - (length - head), length - head);
}

static void tell_observers(size_t length) {
    if (!length) return;
    for (size_t i = 0; i < observers.count; i++)
        queue(observers.all[i], filler + sizeof filler - length, length);
}

void relay_request(struct connection *controller, const char *line, size_t n) {
    if (!providers.count) return;
    struct connection *provider = providers.all[turn_of++ % providers.count];
    struct waiters *w = provider->waiters;
    if (w->end - w->first == WAITERS_MAX) die("too many requests");
    w->of[w->end++ % WAITERS_MAX] = controller;
    tell_observers(pending_bytes);
    pass_on(provider, line, n, perform_bytes);
}

void relay_answer(struct connection *provider, const char *line, size_t n) {
    struct waiters *w = provider->waiters;
    if (w->first == w->end) return;
    struct connection *controller = w->of[w->first++ % WAITERS_MAX];
    tell_observers(event_bytes);
    if (controller) pass_on(controller, line, n, result_bytes);
}

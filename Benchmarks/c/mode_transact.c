/* Transactions without pause: held calls are muted and unmuted in turn.  Each slot
 * has its own share of the calls, so no call has two requests at once. */
#include "cast.h"
#include "requests.h"

#include <stdbool.h>
#include <stdlib.h>

enum { EVENTS_PER_CALL = 2 };

static const struct options *options;
static int *rounds;                     /* by slot: how many requests it has made */

static size_t make(char *out, uint32_t id, int slot) {
    int share = options->calls / options->in_flight, round = rounds[slot]++;
    int call = slot + round % share * options->in_flight;
    return options->wire->calls->request(out, id, call, !(round / share & 1));
}

void mode_transact(const struct options *o) {
    options = o;
    if (o->calls < o->in_flight) fail("at least one call for each request in flight");
    if (!(rounds = calloc((size_t)o->in_flight, sizeof *rounds))) fail_errno("calloc");
    struct scene scene = scene_of(o);
    struct cast cast = cast_start(o, &scene);
    struct run r = { .options = o, .hello = o->wire->calls->control, .make = make,
                     .wait_for = o->waits ? cast.events : -1 };
    run_open(&r);
    run_and_print(&r, o->waits ? o->observers * EVENTS_PER_CALL : 1);
    cast_stop(&cast);
}

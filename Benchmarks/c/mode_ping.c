/* Pings without pause. */
#include "requests.h"

static const struct wire *wire;

static size_t make(char *out, uint32_t id, int slot) {
    (void)slot;
    return wire->ping(out, id);
}

void mode_ping(const struct options *o) {
    wire = o->wire;
    struct run r = { .options = o, .hello = wire->hello, .make = make, .wait_for = -1 };
    run_open(&r);
    run_and_print(&r, 1);
}

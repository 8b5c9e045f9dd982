/* How much memory the broker keeps for a connection that has said hello and is
 * otherwise silent.  The broker should be fresh: memory once freed is reused and
 * would hide the growth.  What the kernel keeps for the sockets is not counted.
 */
#include "load.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SETTLE_US = 300000 };

static void open_all(const struct options *o, struct conn *conns) {
    for (int i = 0; i < o->connections; i++) {
        conn_dial(&conns[i], o->socket);
        o->wire->hello(&conns[i]);
        conn_trim(&conns[i]);
    }
}

void mode_idle(const struct options *o) {
    struct conn *conns = calloc((size_t)o->connections, sizeof *conns);
    if (!conns) fail_errno("calloc");
    if (!o->broker) fail("idle needs the broker's PID");
    double n = o->connections;
    usleep(SETTLE_US);
    double empty = rss_kib(o->broker), cpu = cpu_us(o->broker), start = now_us();
    open_all(o, conns);
    double end = now_us();
    usleep(SETTLE_US);
    double full = rss_kib(o->broker), cpu_end = cpu_us(o->broker);
    printf("connections=%d rss_empty=%.0f rss_full=%.0f rss_per_connection=%.3f connect=%.2f cpu=%.3f\n",
           o->connections, empty, full, (full - empty) / n, (end - start) / n, (cpu_end - cpu) / n);
}

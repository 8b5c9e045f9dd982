/* The load generator: one client for all systems.
 *
 *   load MODE -p WIRE -a SOCKET [-b PID] [-c CONNECTIONS] [-k IN_FLIGHT] [-t MS]
 *        [-n CALLS] [-w OBSERVERS] [-W] [-d] [-s SIZES]
 *
 * MODE probe     one hello and one ping: is the broker ready?
 *      ping      pings without pause for MS, IN_FLIGHT of them always under way
 *      idle      CONNECTIONS that say hello and then nothing
 *      sizes     one transaction: how long are its messages?
 *      transact  transactions without pause for MS on CALLS held calls of 16 providers
 *                while OBSERVERS listen; with -W each waits until all have heard;
 *                with -d they are told of a call what has changed
 *      held      the same with 10, 1,000 and 100,000 held calls
 *      answer    answers that hold another provider's call; one observer of everything
 * WIRE line (CallBroker), floor or dbus
 * PID  the broker's process
 * SIZES request,perform,pending,answer,result,event in bytes, as `sizes` prints them
 */
#include "load.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct mode { const char *name; void (*run)(const struct options *); } modes[] = {
    { "probe", mode_probe },
    { "ping", mode_ping },
    { "idle", mode_idle },
    { "sizes", mode_sizes },
    { "transact", mode_transact },
    { "held", mode_held },
    { "answer", mode_answer },
};

_Noreturn static void usage(void) {
    fail("usage: load MODE -p WIRE -a SOCKET [-b PID] [-c CONNECTIONS] [-k IN_FLIGHT] [-t MS] "
         "[-n CALLS] [-w OBSERVERS] [-W] [-d] [-s SIZES]");
}

static const struct mode *mode_named(const char *name) {
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, name)) return &modes[i];
    usage();
}

static struct sizes parse_sizes(const char *text) {
    struct sizes s;
    if (sscanf(text, "%zu,%zu,%zu,%zu,%zu,%zu", &s.request, &s.perform, &s.pending, &s.answer, &s.result,
               &s.event) != 6) usage();
    return s;
}

static struct options parse(int argc, char **argv) {
    struct options o = { .connections = 1, .in_flight = 1, .milliseconds = 250, .calls = 64, .topic = "call.changed",
                         .sizes = { 150, 380, 930, 40, 320, 910 } };
    for (int c; (c = getopt(argc, argv, "p:a:b:c:k:t:n:w:Wds:")) > 0;) switch (c) {
        case 'p': o.wire = wire_named(optarg); break;
        case 'a': o.socket = optarg; break;
        case 'b': o.broker = atoi(optarg); break;
        case 'c': o.connections = atoi(optarg); break;
        case 'k': o.in_flight = atoi(optarg); break;
        case 't': o.milliseconds = atoi(optarg); break;
        case 'n': o.calls = atoi(optarg); break;
        case 'w': o.observers = atoi(optarg); break;
        case 'W': o.waits = true; break;
        case 'd': o.changes = true; break;
        case 's': o.sizes = parse_sizes(optarg); break;
        default: usage();
    }
    if (!o.wire || !o.socket || o.connections < 1 || o.in_flight < 1 || o.milliseconds < 1) usage();
    return o;
}

int main(int argc, char **argv) {
    if (argc < 2) usage();
    const struct mode *mode = mode_named(argv[1]);
    struct options o = parse(argc - 1, argv + 1);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    mode->run(&o);
    return 0;
}

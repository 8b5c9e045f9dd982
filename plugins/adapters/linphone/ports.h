/* Ports of a telephone that is started: those that were chosen, else some that nobody has. */
#ifndef LINPHONE_PORTS_H
#define LINPHONE_PORTS_H

#include <stdbool.h>

struct ports {
    char host[64]; /* 0.0.0.0: of all networks */
    int sip, first, last; /* for sound */
};

/* Chooses by an address HOST[:PORT], and FIRST-LAST or NULL. False: the address or the ports are
 * none. A port that was chosen by the user may be in use. */
bool choose_ports(const char *address, const char *rtp, struct ports *ports);

/* Whether nobody has the port of that address, neither for UDP nor for TCP. */
bool is_port_free(const char *host, int port);

#endif

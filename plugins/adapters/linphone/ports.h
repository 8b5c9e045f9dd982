/* Ports of a telephone that is started: those that were chosen, else some that nobody has. */
#ifndef LINPHONE_PORTS_H
#define LINPHONE_PORTS_H

#include <stdbool.h>
#include <sys/types.h>

/* Telephones of linphone share a port for UDP with others, and then calls get lost. Two that look for
 * free ports in the same moment would find the same ones. So each claims its ports: it has them for
 * TCP as well, where it never listens, and there only one process can have a port. */
struct ports {
    char host[64]; /* 0.0.0.0: of all networks */
    int sip, first, last; /* the last two for sound */
    bool is_chosen; /* the one of SIP, by the user */
    int claims[2]; /* sockets, or -1: of SIP's port, and of those for sound */
};

/* Chooses by an address HOST[:PORT], and FIRST-LAST or NULL, and claims what it has chosen. False: the
 * address or the ports are none. */
bool choose_ports(const char *address, const char *rtp, struct ports *ports);

/* Whether the ports are this telephone's to open. One that the user has chosen may be in use. */
bool are_claimed(const struct ports *ports);

/* Lets the program that this process becomes have the claims for as long as it lives. */
void pass_claims(const struct ports *ports);

/* Gives the claims of this process up. */
void release_ports(struct ports *ports);

/* Who has SIP's port for UDP. */
enum owner {
    NOBODY,
    THIS_ONE,
    ANOTHER /* who may share it with this one */
};

enum owner port_owner(const struct ports *ports, pid_t process);

#endif

/* Starting linphone-daemon with a configuration of its own. */
#ifndef LINPHONE_LAUNCH_H
#define LINPHONE_LAUNCH_H

#include "adapter.h"
#include "ports.h"

/* Starts it at ports that are chosen or free, with its account, in a session of its own, so that it
 * outlives this program. Its process, or -1 after reporting why not. */
pid_t launch(const struct options *options);

/* Whether a process was launched with these options, by this program or one that has ended. */
bool was_launched(const struct options *options, pid_t process);

/* Who has the port of the one that was launched, which is this process: when it cannot have it, it
 * answers commands all the same. */
enum owner launched_owner(pid_t process);

/* Whether the user has chosen that port. */
bool has_chosen_port(void);

/* HOST:PORT of the one that was launched. */
const char *launched_at(void);

#endif

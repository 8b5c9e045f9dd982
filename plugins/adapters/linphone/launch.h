/* Starting linphone-daemon with a configuration of its own. */
#ifndef LINPHONE_LAUNCH_H
#define LINPHONE_LAUNCH_H

#include "adapter.h"

/* Starts it at ports that are chosen or free, with its account, in a session of its own, so that it outlives this program. Its process, or -1 after
 * saying why not. */
pid_t launch(const struct options *options);

/* Whether a process was launched with these options, by this program or one that has ended. */
bool was_launched(const struct options *options, pid_t process);

/* Whether it has its port: when it cannot have it, it answers commands all the same. */
bool has_port(pid_t process);

/* HOST:PORT of the one that was launched. */
const char *launched_at(void);

#endif

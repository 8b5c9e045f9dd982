/* Calls on other devices of the user, which are watched by their addresses. */
#ifndef LIBLINPHONE_WATCH_H
#define LIBLINPHONE_WATCH_H

#include "dialogs.h"

#include <linphone/core.h>
#include <stdint.h>

enum { WATCHES_MAX = 16, EXTERNALS_MAX = 64 };

struct watch {
    char address[257];
    LinphoneEvent *subscription; /* NULL while there is none */
    long version;                /* of the latest document; -1: there was none */
    bool has_gap;                /* a document was lost: the whole state is to be asked for */
    int64_t subscribe_at;
    LinphoneEvent *former; /* to be released, outside of its callback */
};

struct external {
    char id[37]; /* at the broker; empty if the place is free */
    const struct watch *watch;
    struct dialog dialog;
};

#endif

/* Dialogs of another device, as a NOTIFY of RFC 4235 lists them. */
#ifndef LIBLINPHONE_DIALOGS_H
#define LIBLINPHONE_DIALOGS_H

#include <stdbool.h>
#include <stddef.h>

enum { DIALOGS_MAX = 64 };

struct dialog {
    char id[129]; /* as the device numbers it */
    char call_id[257], local_tag[129], remote_tag[129]; /* as the device has them; may be empty */
    char device[129];                                   /* its name; may be empty */
    char address[257], name[129]; /* of the remote party */
    char target[257];             /* where the remote party can be reached in this dialog */
    bool is_outgoing, is_confirmed;
};

struct dialogs {
    long version;
    bool is_full; /* what is not listed is over; else it has not changed */
    size_t count;
    struct dialog list[DIALOGS_MAX];
};

/* Reads a document of the type application/dialog-info+xml. False if it is none. */
bool read_dialogs(const char *text, size_t length, struct dialogs *dialogs);

/* The value of the header Replaces (RFC 3891) with which the remote party leaves that device for
 * this one. False if the dialog does not say enough. */
bool replacement(const struct dialog *dialog, char *value, size_t size);

#endif

/* What the user has chosen: BROKER_OPTIONS, and the command line, which counts more. */
#ifndef LIBLINPHONE_OPTIONS_H
#define LIBLINPHONE_OPTIONS_H

#include "ports.h"
#include "sip_account.h"

#include <jansson.h>
#include <stdbool.h>

struct options {
    const char *identity, *display_name, *broker;
    const char *config; /* a linphonerc with accounts, or NULL */
    const char *address, *user, *rtp;
    const char *watch; /* addresses of other devices, separated by blanks or commas */
    const char *sound; /* "auto" or "none" */
    struct account account;
    struct ports ports; /* those of address and rtp */
    const char *gateway; /* of numbers, or NULL: it takes none */
    const char *verification; /* "registrar": its word about callers counts; or "none" */
    char folder[4096];
    int calls;
    bool verbose;
    json_t *chosen; /* what some of the strings are part of */
};

/* False after reporting what is wrong. */
bool read_options(struct options *options, int count, char **given);

#endif

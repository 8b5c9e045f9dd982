/* The password of an account: from a file, a keyring or a credential of systemd. */
#ifndef LINPHONE_SECRET_H
#define LINPHONE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#define FORM_OF_SECRET "file:PATH, keyring:ATTRIBUTE=VALUE[,ATTRIBUTE=VALUE...] or credential:NAME"

/* Reads the password from where the option --password says. False after reporting why there is none,
 * for which the program has a name. */
bool read_secret(const char *program, const char *source, char *secret, size_t size);

#endif

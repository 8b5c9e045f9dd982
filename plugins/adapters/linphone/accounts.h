/* The accounts of linphone, which are the lines of the provider. */
#ifndef LINPHONE_ACCOUNTS_H
#define LINPHONE_ACCOUNTS_H

#include <jansson.h>

/* Reads the answer to `register-info ALL`: the lines of the provider, an empty array if there are
 * none. */
json_t *read_accounts(const char *block);

#endif

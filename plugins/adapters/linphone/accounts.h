/* The accounts of linphone, which are the lines of the provider. */
#ifndef LINPHONE_ACCOUNTS_H
#define LINPHONE_ACCOUNTS_H

#include <jansson.h>
#include <stdbool.h>

/* Reads the answer to `register-info ALL`: the lines of the provider, an empty array if there are
 * none. An account without a state does not register, or has not begun to, if it is known that it will. */
json_t *read_accounts(const char *block, bool will_register);

#endif

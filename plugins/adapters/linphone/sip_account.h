/* The account that a linphone of either kind is started with, in the form of its configuration. */
#ifndef LINPHONE_SIP_ACCOUNT_H
#define LINPHONE_SIP_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#define SECRET_BYTES 256

/* As the options say, NULL where there is none. */
struct account {
    const char *address; /* sip:USER@DOMAIN */
    const char *password; /* where it is */
    const char *auth_user, *registrar, *transport, *outbound_proxy, *stun;
    char secret[SECRET_BYTES];
};

/* Reads the password, and looks whether the rest can be used. False after reporting why not, for
 * which the program has a name. True without an account. */
bool read_account_options(const char *program, struct account *account);

/* Appends the account to a configuration. False: it has no room. */
bool append_account(const struct account *account, char *text, size_t size);

/* USER of the address. */
void account_user(const struct account *account, char *user, size_t size);

/* Whether its requests go over that transport. */
bool goes_over(const struct account *account, const char *transport);

/* The address of a number at a gateway such as sip:example.org. False: the number is none. */
bool dial_through(const char *gateway, const char *number, char *address, size_t size);

/* Whether it names a gateway, which may be NULL. */
bool is_gateway(const char *gateway);

#endif

/* What the user has set for a program of linphone's: on its command line, or for the plugin. */
#ifndef LINPHONE_SETTINGS_H
#define LINPHONE_SETTINGS_H

#include <jansson.h>
#include <stddef.h>

/* An option with a text: its name on the command line, and where the program's options have it. */
struct text_option {
    const char *name;
    size_t offset;
};

#define TEXT_OPTION(name, member) {name, offsetof(struct options, member)}

/* The options of a member that is a struct account. */
#define ACCOUNT_OPTIONS(member) \
    TEXT_OPTION("account", member.address), TEXT_OPTION("password", member.password), \
        TEXT_OPTION("auth-user", member.auth_user), TEXT_OPTION("registrar", member.registrar), \
        TEXT_OPTION("transport", member.transport), \
        TEXT_OPTION("outbound-proxy", member.outbound_proxy), TEXT_OPTION("stun", member.stun)

/* Where the options have the text of that name; NULL if the list, which ends with the name NULL, has
 * no such option. */
const char **text_option(const struct text_option *known, void *options, const char *name);

/* Reads what the user has set for the plugin; the command line counts more. The strings are used as
 * they stand in the result, which is NULL if nothing is set. */
json_t *read_chosen(const struct text_option *known, void *options);

/* Where the state of a plugin goes by default: XDG_STATE_HOME, or what it is without. */
void state_folder(const char *plugin, char *folder, size_t size);

#endif

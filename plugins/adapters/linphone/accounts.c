#include "accounts.h"
#include "text.h"

#include <string.h>

enum { LINES_MAX = 32, LINE_BYTES = 64, LABEL_BYTES = 128 };

static const char *state_of(const char *name, bool will_register)
{
    static const struct { const char *name, *state; } states[] = {
        {"Progress", "registering"}, {"Refreshing", "registered"},
        {"Ok", "registered"}, {"Cleared", "off"}, {"Failed", "failed"}};
    static const char prefix[] = "LinphoneRegistration";
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strncmp(name, prefix, sizeof prefix - 1) == 0 &&
            strcmp(name + sizeof prefix - 1, states[i].name) == 0)
            return states[i].state;
    return will_register || strcmp(name, "LinphoneRegistrationNone") != 0 ? "registering"
                                                                          : "registered";
}

/* NULL: it says nothing that makes a line. */
static json_t *read_account(const char *record, bool will_register)
{
    char identity[512], state[64] = "", address[LINE_BYTES + 1], name[LABEL_BYTES + 1];
    if (!block_value(record, "Identity", identity, sizeof identity))
        return NULL;
    read_address(identity, address, sizeof address, name, sizeof name);
    if (!*address)
        return NULL;
    block_value(record, "State", state, sizeof state);
    return json_pack("{s:s, s:s, s:{s:s, s:s}, s:s}", "line", address, "label",
                     *name ? name : address, "handle", "type", "generic", "value", address,
                     "state", state_of(state, will_register));
}

static bool has_line(const json_t *lines, const json_t *other)
{
    size_t i;
    json_t *line;
    json_array_foreach(lines, i, line)
        if (json_equal(json_object_get(line, "line"), json_object_get(other, "line")))
            return true;
    return false;
}

json_t *read_accounts(const char *block, bool will_register)
{
    char record[1024];
    json_t *lines = json_array();
    const char *at = block_is_ok(block) ? strstr(block, "\n\nId: ") : NULL;
    while (at && json_array_size(lines) < LINES_MAX) {
        const char *next = strstr(at + 2, "\n\n");
        size_t length = next ? (size_t)(next - at) : strlen(at);
        if (length >= sizeof record)
            length = sizeof record - 1;
        memcpy(record, at, length);
        record[length] = '\0';
        json_t *line = read_account(record, will_register);
        if (line && !has_line(lines, line))
            json_array_append(lines, line);
        json_decref(line);
        at = strstr(at + 2, "\n\nId: ");
    }
    return lines;
}

/* The accounts of liblinphone, which are the lines of the provider. */
#include "phone.h"

#include "text.h"

#include <linphone/proxy_config.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = 32, LINE_BYTES = 64, LABEL_BYTES = 128, REASON_BYTES = 128 };

/* False: it says nothing that makes a line. */
static bool read_identity(const LinphoneProxyConfig *account, char line[LINE_BYTES + 1],
                          char label[LABEL_BYTES + 1])
{
    const LinphoneAddress *identity = linphone_proxy_config_get_identity_address(account);
    if (!identity)
        return false;
    char *text = linphone_address_as_string(identity);
    read_address(text, line, LINE_BYTES + 1, label, LABEL_BYTES + 1);
    bctbx_free(text);
    if (!*label)
        strcpy(label, line);
    return *line;
}

/* One that does not register can be called from nonetheless. */
static const char *state_of(const LinphoneProxyConfig *account)
{
    switch (linphone_proxy_config_get_state(account)) {
    case LinphoneRegistrationOk: return "registered";
    case LinphoneRegistrationFailed: return "failed";
    case LinphoneRegistrationCleared: return "off";
    case LinphoneRegistrationNone:
        return linphone_proxy_config_register_enabled(account) ? "registering" : "registered";
    default: return "registering";
    }
}

static void add_reason(json_t *line, const LinphoneProxyConfig *account)
{
    char reason[REASON_BYTES + 1];
    const LinphoneErrorInfo *info = linphone_proxy_config_get_error_info(account);
    int code = linphone_error_info_get_protocol_code(info);
    const char *text = linphone_error_info_get_phrase(info);
    if (code >= 300)
        snprintf(reason, sizeof reason, "%d %s", code, text ? text : "");
    else
        snprintf(reason, sizeof reason, "%s", text && *text ? text : "no response");
    json_t *value = json_string(reason);
    json_object_set_new(line, "reason", value ? value : json_string("failed"));
}

static json_t *read_line(const struct phone *phone, const LinphoneProxyConfig *account)
{
    char id[LINE_BYTES + 1], label[LABEL_BYTES + 1];
    if (!read_identity(account, id, label))
        return NULL;
    const char *state = state_of(account);
    json_t *line = json_pack("{s:s, s:s, s:{s:s, s:s}, s:s, s:b}", "line", id, "label", label,
                             "handle", "type", "generic", "value", id, "state", state, "default",
                             linphone_core_get_default_proxy_config(phone->core) == account);
    if (line && strcmp(state, "failed") == 0)
        add_reason(line, account);
    return line;
}

json_t *read_lines(const struct phone *phone)
{
    json_t *lines = json_array();
    const bctbx_list_t *each = linphone_core_get_proxy_config_list(phone->core);
    for (; each && json_array_size(lines) < LINES_MAX; each = bctbx_list_next(each)) {
        json_t *line = read_line(phone, bctbx_list_get_data(each));
        if (line)
            json_array_append_new(lines, line);
    }
    return lines;
}

void registration_changed(LinphoneCore *core, LinphoneProxyConfig *account,
                          LinphoneRegistrationState state, const char *message)
{
    struct phone *phone = linphone_core_get_user_data(core);
    (void)account, (void)state, (void)message;
    if (!phone->client)
        return;
    json_t *lines = read_lines(phone);
    if (!json_equal(lines, phone->lines))
        cb_update_registration(phone->client, json_pack("{s:O}", "lines", lines), NULL, NULL);
    json_decref(phone->lines);
    phone->lines = lines;
}

LinphoneProxyConfig *account_of(const struct phone *phone, const char *line)
{
    char id[LINE_BYTES + 1], label[LABEL_BYTES + 1];
    const bctbx_list_t *each = linphone_core_get_proxy_config_list(phone->core);
    for (; each; each = bctbx_list_next(each))
        if (read_identity(bctbx_list_get_data(each), id, label) && strcmp(id, line) == 0)
            return bctbx_list_get_data(each);
    return NULL;
}

/* The account that was called, or NULL. */
static const LinphoneProxyConfig *called_account(const struct phone *phone, LinphoneCall *call)
{
    const LinphoneAddress *called = linphone_call_get_to_address(call);
    const bctbx_list_t *each = linphone_core_get_proxy_config_list(phone->core);
    for (; called && each; each = bctbx_list_next(each)) {
        const LinphoneAddress *identity =
            linphone_proxy_config_get_identity_address(bctbx_list_get_data(each));
        if (identity && linphone_address_weak_equal(identity, called))
            return bctbx_list_get_data(each);
    }
    return NULL;
}

json_t *line_of(const struct phone *phone, LinphoneCall *call)
{
    char id[LINE_BYTES + 1], label[LABEL_BYTES + 1];
    const LinphoneProxyConfig *account =
        linphone_call_get_dir(call) == LinphoneCallIncoming
            ? called_account(phone, call)
            : linphone_call_params_get_proxy_config(linphone_call_get_params(call));
    if (json_array_size(phone->lines) == 0 || !account || !read_identity(account, id, label))
        return NULL;
    return json_string(id);
}

/* What an INVITE says besides the address of the caller: who forwarded it, whether the number is the
 * caller's, and how urgent it is. */
#define _GNU_SOURCE
#include "phone.h"

#include "text.h"

#include <string.h>

#define VERSTAT ";verstat="

static const char *header_of(LinphoneCall *call, const char *name)
{
    const LinphoneCallParams *params = linphone_call_get_remote_params(call);
    const char *value = params ? linphone_call_params_get_custom_header(params, name) : NULL;
    return value ? value : "";
}

/* Anybody who reaches the port may write a verdict, and liblinphone does not tell which host has sent
 * an INVITE: the user says whether only registrars do. */
static bool is_believed(const struct phone *phone, LinphoneCall *call)
{
    if (strcmp(phone->options->verification, "registrar") != 0)
        return false;
    json_t *line = line_of(phone, call);
    bool is_for_account = line != NULL;
    json_decref(line);
    return is_for_account;
}

/* The address in a header, with its bracket, or NULL. Brackets in quotation marks are the caller's. */
static const char *address_in(const char *header)
{
    bool is_quoted = false;
    for (; *header; header++)
        if (is_quoted && *header == '\\' && header[1])
            header++;
        else if (*header == '"')
            is_quoted = !is_quoted;
        else if (*header == '<' && !is_quoted)
            return header;
    return NULL;
}

/* The parameter of the number in an address, or NULL. Anywhere else it is the caller's. */
static const char *find_verdict(const char *header)
{
    const char *address = address_in(header);
    const char *end = address ? strpbrk(address, "@>") : NULL;
    const char *found = end ? strcasestr(address, VERSTAT) : NULL;
    if (!found || found > end)
        return NULL;
    return *end == '@' || strncasecmp(address, "<tel:", 5) == 0 ? found : NULL;
}

/* The verdict of the network (ATIS-1000074, 3GPP TS 24.229), or NULL. */
static const char *verdict_in(const char *header)
{
    static const struct {
        const char *said, *verdict;
    } verdicts[] = {{"TN-Validation-Passed", "passed"}, {"TN-Validation-Passed-A", "passed"},
                    {"TN-Validation-Failed", "failed"}, {"No-TN-Validation", "none"}};
    const char *found = find_verdict(header);
    for (size_t i = 0; found && i < sizeof verdicts / sizeof *verdicts; i++) {
        size_t length = strlen(verdicts[i].said);
        const char *said = found + strlen(VERSTAT);
        if (strncasecmp(said, verdicts[i].said, length) == 0 && strchr("@;>", said[length]))
            return verdicts[i].verdict;
    }
    return NULL;
}

static void read_forwarding(struct leg *leg)
{
    char name[2];
    const char *said = header_of(leg->call, "Diversion");
    const LinphoneAddress *address = linphone_call_get_diversion_address(leg->call);
    bool is_private = strcasestr(said, ";privacy=") && !strcasestr(said, ";privacy=off");
    if (!address || !linphone_address_get_domain(address) || is_private)
        return;
    char *text = linphone_address_as_string_uri_only(address);
    read_address(text, leg->forwarded_from, sizeof leg->forwarded_from, name, sizeof name);
    bctbx_free(text);
}

static const char *priority_in(const char *header)
{
    if (strcasecmp(header, "urgent") == 0 || strcasecmp(header, "emergency") == 0)
        return "priority_caller";
    return strcasecmp(header, "non-urgent") == 0 ? "background" : NULL;
}

void read_invite(const struct phone *phone, struct leg *leg)
{
    read_forwarding(leg);
    leg->priority = priority_in(header_of(leg->call, "Priority"));
    if (!is_believed(phone, leg->call))
        return;
    leg->verification = verdict_in(header_of(leg->call, "P-Asserted-Identity"));
    if (!leg->verification)
        leg->verification = verdict_in(header_of(leg->call, "From"));
}

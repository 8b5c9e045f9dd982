#include "sip_account.h"

#include "secret.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static bool complain(const char *program, const char *what)
{
    fprintf(stderr, "%s: %s\n", program, what);
    return false;
}

/* HOST or HOST:PORT, without what would begin another part of a URI. */
static bool is_server(const char *text)
{
    return !text || (is_word(text) && !strpbrk(text, "<>;@\""));
}

static bool is_address(const char *text)
{
    const char *at = strchr(text, '@');
    return strncmp(text, "sip:", 4) == 0 && at && at > text + 4 && at[1] && is_word(text) &&
           !strpbrk(text, "<>;\"") && !strchr(at + 1, '@');
}

bool goes_over(const struct account *account, const char *transport)
{
    return account->address && strcmp(account->transport ? account->transport : "udp", transport) == 0;
}

bool read_account_options(const char *program, struct account *account)
{
    if (!account->address)
        return true;
    if (!is_address(account->address))
        return complain(program, "--account: expected sip:USER@DOMAIN");
    if (!goes_over(account, "udp") && !goes_over(account, "tcp") && !goes_over(account, "tls"))
        return complain(program, "--transport: expected udp, tcp or tls");
    if (!is_server(account->registrar) || !is_server(account->outbound_proxy) ||
        !is_server(account->stun))
        return complain(program, "--registrar, --outbound-proxy, --stun: expected HOST or HOST:PORT");
    if (account->auth_user && !is_word(account->auth_user))
        return complain(program, "--auth-user: expected a name without blanks");
    return !account->password ||
           read_secret(program, account->password, account->secret, sizeof account->secret);
}

void account_user(const struct account *account, char *user, size_t size)
{
    const char *first = account->address + 4;
    snprintf(user, size, "%.*s", (int)strcspn(first, "@"), first);
}

/* Appends a line with a value, unless there is none. */
static void append(char *text, size_t size, const char *before, const char *value, const char *after)
{
    size_t length = strlen(text);
    if (value)
        snprintf(text + length, size - length, "%s%s%s\n", before, value, after);
}

/* With ICE, which asks the server over the socket of the sound. Alone, linphone 5.1 asks over another one
 * at the same port, which it cannot open. */
static void append_stun(const struct account *account, char *text, size_t size)
{
    append(text, size, "[nat_policy_0]\nref=stun\nprotocols=stun,ice\nstun_server=", account->stun, "");
    append(text, size, "[net]\nnat_policy_ref=", account->stun ? "stun" : NULL, "");
}

bool append_account(const struct account *account, char *text, size_t size)
{
    char user[128], end[32];
    if (!account->address)
        return true;
    const char *domain = strchr(account->address, '@') + 1;
    snprintf(end, sizeof end, ";transport=%s>", account->transport ? account->transport : "udp");
    account_user(account, user, sizeof user);
    append(text, size, "[proxy_0]\nreg_expires=600\nreg_sendregister=1\npublish=0\nreg_proxy=<sip:",
           account->registrar ? account->registrar : domain, end);
    end[strlen(end) - 1] = '\0';
    strcat(end, ";lr>");
    append(text, size, "reg_route=<sip:", account->outbound_proxy, end);
    append(text, size, "reg_identity=<", account->address, ">");
    append(text, size, "nat_policy_ref=", account->stun ? "stun" : NULL, "");
    append(text, size, "[auth_info_0]\nusername=", user, "");
    append(text, size, "userid=", account->auth_user, "");
    append(text, size, "passwd=", *account->secret ? account->secret : NULL, "");
    append_stun(account, text, size);
    append(text, size, "[sip]\n", "default_proxy=0", "");
    return strlen(text) + 1 < size;
}

bool is_gateway(const char *gateway)
{
    return !gateway || (strncmp(gateway, "sip:", 4) == 0 && gateway[4] && is_server(gateway + 4));
}

/* The number without what only people read, or "" if it is none. A # would begin another part. */
static void read_number(const char *number, char *digits, size_t size)
{
    size_t count = 0;
    for (; *number && count + 4 < size; number++) {
        bool is_digit = strchr("0123456789*", *number) || (*number == '+' && count == 0);
        if (is_digit)
            digits[count++] = *number;
        else if (*number == '#')
            count += (size_t)sprintf(digits + count, "%%23");
        else if (!strchr(" -.()/", *number))
            break;
    }
    digits[*number ? 0 : count] = '\0';
}

bool dial_through(const char *gateway, const char *number, char *address, size_t size)
{
    char digits[128];
    read_number(number, digits, sizeof digits);
    return gateway && *digits &&
           (size_t)snprintf(address, size, "sip:%s@%s", digits, gateway + 4) < size;
}

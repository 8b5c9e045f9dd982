#define _GNU_SOURCE
#include "options.h"

#include "legs.h"
#include "settings.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "liblinphone_provider [OPTION...]: a SIP telephone without a window, for CallBroker.\n"
    "  --identity NAME     of this provider (org.callbroker.liblinphone)\n"
    "  --display-name TEXT for people (liblinphone)\n"
    "  --socket PATH       of the broker\n"
    "  --calls N           that it takes at a time (4)\n"
    "  --verbose           report what happens, and write a log with complete SIP messages\n"
    "  --config FILE       a linphonerc with accounts, which is only read\n"
    "  --account sip:USER@DOMAIN  registers it\n"
    "  --password FROM     where its password is: file:PATH,\n"
    "                      keyring:ATTRIBUTE=VALUE[,ATTRIBUTE=VALUE...] or credential:NAME\n"
    "  --auth-user NAME    its name for the password (USER)\n"
    "  --registrar HOST[:PORT]  where it is registered (DOMAIN)\n"
    "  --transport udp|tcp|tls  (udp)\n"
    "  --outbound-proxy HOST[:PORT]  through which all its requests go\n"
    "  --stun HOST[:PORT]  a server that reports the public address\n"
    "  --gateway sip:HOST[:PORT]  to which numbers are dialed (it takes none)\n"
    "  --address HOST[:PORT]  where it takes calls (127.0.0.1: of this host alone; 0.0.0.0: of all\n"
    "                      networks; port 5060, or a free one)\n"
    "  --user NAME         its name in SIP (linphone)\n"
    "  --rtp FIRST-LAST    ports for sound and picture (free ones)\n"
    "  --watch ADDRESSES   of other devices whose calls are shown, separated by commas\n"
    "  --sound auto|none   the host's devices, or no sound (auto)\n"
    "  --verification registrar|none  whether its verdicts about callers count (none)\n"
    "  --folder PATH       for its files\n";

static const struct text_option texts[] = {
    TEXT_OPTION("identity", identity), TEXT_OPTION("display-name", display_name),
    TEXT_OPTION("socket", broker), TEXT_OPTION("config", config), TEXT_OPTION("address", address),
    TEXT_OPTION("user", user), TEXT_OPTION("rtp", rtp), TEXT_OPTION("sound", sound),
    TEXT_OPTION("watch", watch), TEXT_OPTION("verification", verification),
    TEXT_OPTION("gateway", gateway), ACCOUNT_OPTIONS(account), {NULL, 0}};

static bool complain(const char *what)
{
    fprintf(stderr, "liblinphone_provider: %s\n", what);
    return false;
}

static bool is_possible(struct options *options, int count, char **given)
{
    if (optind < count) {
        fprintf(stderr, "liblinphone_provider: an option is expected, found \"%s\"\n",
                given[optind]);
        return false;
    }
    if (options->calls < 1 || options->calls > LEGS / 2)
        return complain("--calls: expected 1 to 32");
    if (!choose_ports(options->address, options->rtp, &options->ports))
        return complain("--address: expected an IPv4 address such as 127.0.0.1 or 127.0.0.1:5060; "
                        "--rtp: at least ten ports such as 7078-7177");
    if (options->account.address && options->config)
        return complain("--account: --config has accounts already; leave one of the two out");
    if (!is_gateway(options->gateway))
        return complain("--gateway: expected sip:HOST or sip:HOST:PORT");
    if (strpbrk(options->user, " @<>\"") || !*options->user)
        return complain("--user: expected a name such as ada");
    if (strcmp(options->sound, "auto") != 0 && strcmp(options->sound, "none") != 0)
        return complain("--sound: expected auto or none");
    if (strcmp(options->verification, "registrar") != 0 &&
        strcmp(options->verification, "none") != 0)
        return complain("--verification: expected registrar or none");
    return true;
}

static void choose_folder(struct options *options)
{
    char base[2048];
    if (*options->folder)
        return;
    state_folder("liblinphone", base, sizeof base);
    snprintf(options->folder, sizeof options->folder, "%s/%s", base, options->identity);
}

static bool choose_account(struct options *options)
{
    static char user[128];
    if (!read_account_options("liblinphone_provider", &options->account))
        return false;
    if (options->account.address) {
        account_user(&options->account, user, sizeof user);
        options->user = user;
    }
    return true;
}

bool read_options(struct options *options, int count, char **given)
{
    static const struct option known[] = {
        {"identity", 1, NULL, 't'}, {"display-name", 1, NULL, 't'}, {"socket", 1, NULL, 't'},
        {"calls", 1, NULL, 'c'}, {"verbose", 0, NULL, 'v'}, {"config", 1, NULL, 't'},
        {"address", 1, NULL, 't'}, {"user", 1, NULL, 't'}, {"rtp", 1, NULL, 't'},
        {"sound", 1, NULL, 't'}, {"watch", 1, NULL, 't'}, {"verification", 1, NULL, 't'},
        {"gateway", 1, NULL, 't'}, {"account", 1, NULL, 't'}, {"password", 1, NULL, 't'},
        {"auth-user", 1, NULL, 't'}, {"registrar", 1, NULL, 't'}, {"transport", 1, NULL, 't'},
        {"outbound-proxy", 1, NULL, 't'}, {"stun", 1, NULL, 't'},
        {"folder", 1, NULL, 'f'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int index = 0;
    options->chosen = read_chosen(texts, options);
    for (int option; (option = getopt_long(count, given, "", known, &index)) != -1;)
        switch (option) {
        case 't': *text_option(texts, options, known[index].name) = optarg; break;
        case 'c': options->calls = atoi(optarg); break;
        case 'v': options->verbose = true; break;
        case 'f': snprintf(options->folder, sizeof options->folder, "%s", optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: return complain("--help lists the options");
        }
    choose_folder(options);
    return is_possible(options, count, given) && choose_account(options);
}

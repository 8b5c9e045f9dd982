#define _GNU_SOURCE
#include "options.h"

#include "legs.h"

#include <arpa/inet.h>
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
    "  --address HOST:PORT where it takes calls (127.0.0.1:5060)\n"
    "  --user NAME         its name in SIP (linphone)\n"
    "  --rtp FIRST-LAST    ports for sound and picture (7078-7177)\n"
    "  --watch ADDRESSES   of other devices whose calls are shown, separated by commas\n"
    "  --sound auto|none   the host's devices, or no sound (auto)\n"
    "  --verification registrar|none  whether its verdicts about callers count (none)\n"
    "  --folder PATH       for its files\n";

/* Reads what the user has set for the plugin. The strings are used as they stand there. */
static void read_chosen(struct options *options)
{
    const char *text = getenv("BROKER_OPTIONS");
    options->chosen = text ? json_loads(text, 0, NULL) : NULL;
    json_unpack(options->chosen, "{s?s, s?s, s?s, s?s, s?s, s?s, s?s}", "config", &options->config,
                "address", &options->address, "user", &options->user, "rtp", &options->rtp,
                "sound", &options->sound, "watch", &options->watch, "verification",
                &options->verification);
}

bool read_endpoint(const char *text, char host[64], int *port)
{
    struct in_addr address;
    return sscanf(text, "%63[^:]:%d", host, port) == 2 && *port > 0 && *port < 65536 &&
           inet_pton(AF_INET, host, &address) == 1;
}

static bool complain(const char *what)
{
    fprintf(stderr, "liblinphone_provider: %s\n", what);
    return false;
}

static bool is_possible(const struct options *options, int count, char **given)
{
    char host[64];
    int port, first, last;
    if (optind < count) {
        fprintf(stderr, "liblinphone_provider: an option is expected, found \"%s\"\n",
                given[optind]);
        return false;
    }
    if (options->calls < 1 || options->calls > LEGS / 2)
        return complain("--calls: expected 1 to 32");
    if (!read_endpoint(options->address, host, &port))
        return complain("--address: expected an IPv4 address and a port such as 127.0.0.1:5060");
    if (sscanf(options->rtp, "%d-%d", &first, &last) != 2 || first < 1024 || last > 65535 ||
        last - first < 9)
        return complain("--rtp: expected at least ten ports such as 7078-7177");
    if (strpbrk(options->user, " @<>\"") || !*options->user)
        return complain("--user: expected a name such as ada");
    if (strcmp(options->sound, "auto") != 0 && strcmp(options->sound, "none") != 0)
        return complain("--sound: expected auto or none");
    if (strcmp(options->verification, "registrar") != 0 &&
        strcmp(options->verification, "none") != 0)
        return complain("--verification: expected registrar or none");
    return true;
}

/* Chooses where state goes by default: XDG_STATE_HOME, or what it is without. */
static void choose_folder(struct options *options)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char base[2048];
    if (*options->folder)
        return;
    if (state && *state == '/')
        snprintf(base, sizeof base, "%s/callbroker-liblinphone", state);
    else
        snprintf(base, sizeof base, "%s/.local/state/callbroker-liblinphone", home ? home : "");
    snprintf(options->folder, sizeof options->folder, "%s/%s", base, options->identity);
}

bool read_options(struct options *options, int count, char **given)
{
    static const struct option known[] = {
        {"identity", 1, NULL, 'i'}, {"display-name", 1, NULL, 'd'}, {"socket", 1, NULL, 's'},
        {"calls", 1, NULL, 'c'}, {"verbose", 0, NULL, 'v'}, {"config", 1, NULL, 'C'},
        {"address", 1, NULL, 'a'}, {"user", 1, NULL, 'u'}, {"rtp", 1, NULL, 'r'},
        {"sound", 1, NULL, 'S'}, {"watch", 1, NULL, 'w'}, {"verification", 1, NULL, 'V'},
        {"folder", 1, NULL, 'f'}, {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
    read_chosen(options);
    for (int option; (option = getopt_long(count, given, "", known, NULL)) != -1;)
        switch (option) {
        case 'i': options->identity = optarg; break;
        case 'd': options->display_name = optarg; break;
        case 's': options->broker = optarg; break;
        case 'c': options->calls = atoi(optarg); break;
        case 'v': options->verbose = true; break;
        case 'C': options->config = optarg; break;
        case 'a': options->address = optarg; break;
        case 'u': options->user = optarg; break;
        case 'r': options->rtp = optarg; break;
        case 'S': options->sound = optarg; break;
        case 'w': options->watch = optarg; break;
        case 'V': options->verification = optarg; break;
        case 'f': snprintf(options->folder, sizeof options->folder, "%s", optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: return complain("--help lists the options");
        }
    choose_folder(options);
    return is_possible(options, count, given);
}

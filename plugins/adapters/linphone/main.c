/* Makes linphone-daemon a provider of CallBroker. --help tells the options. */
#define _GNU_SOURCE
#include "adapter.h"
#include "launch.h"
#include "settings.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ATTACH_FIRST_MS = 100,
    ATTACH_LONGEST_MS = 2000,
    ATTACH_AGAIN = 10, /* tries before a lost app counts as ended */
    LOST_MS = 2000, /* or it closes connections for so long, or is silent on a new one */
    PORT_MS = 10000, /* for an app that was started */
    ENDING_MS = 5000,
    STARTS = 5 /* at other ports, if another program is faster */
};

#define CHOOSE_PIPE \
    "choose another: --pipe or LINPHONE_PIPE, for a plugin callbroker plugin set linphone pipe NAME"

#define LOG_TELLS "with --verbose %s/log may tell why"

static volatile sig_atomic_t is_stopped;
static pid_t started; /* the app, if it was this program */

static void stop(int number)
{
    (void)number;
    is_stopped = 1;
}

static void pause_ms(int64_t milliseconds)
{
    for (int64_t until = cb_now_ms() + milliseconds; !is_stopped && cb_now_ms() < until;)
        poll(NULL, 0, (int)(until - cb_now_ms()));
}

static int attach(struct adapter *adapter)
{
    char path[512];
    if (!find_socket(adapter->options->pipe, path, sizeof path))
        return -ENOENT;
    return adapter_attach(adapter, path, cb_now_ms());
}

/* Tells once what stands in the way. One that was started needs a moment. */
static void explain(const struct options *options, int status, int *told)
{
    if (status == *told)
        return;
    *told = status;
    if (status == -EPERM)
        fprintf(stderr, "linphone_provider: the linphone-daemon with --pipe %s is another user's; "
                        CHOOSE_PIPE "\n", options->pipe);
    else if (status != -ENOENT && status != -ECONNREFUSED)
        fprintf(stderr, "linphone_provider: --pipe %s: %s; " CHOOSE_PIPE "\n", options->pipe,
                strerror(-status));
    else if (!options->start)
        fprintf(stderr, "linphone_provider: no linphone-daemon with --pipe %s runs; waiting for "
                        "it. Start it so, let this program do it (--start, for a plugin callbroker "
                        "plugin set linphone start true), or " CHOOSE_PIPE "\n", options->pipe);
}

/* Attaches, after starting the app if it is to be, which then has its port by *port_by. */
static bool reach_app(struct adapter *adapter, int64_t *port_by)
{
    int64_t delay = ATTACH_FIRST_MS;
    int status, told = 0;
    while (!is_stopped && (status = attach(adapter)) < 0) {
        if (adapter->options->start && *port_by == 0) {
            started = launch(adapter->options);
            if (started < 0)
                return false;
            *port_by = cb_now_ms() + PORT_MS;
        } else {
            explain(adapter->options, status, &told);
        }
        pause_ms(delay);
        delay = delay * 2 < ATTACH_LONGEST_MS && !adapter->options->start ? delay * 2 : delay;
        if (*port_by && cb_now_ms() > *port_by) {
            fprintf(stderr, "linphone_provider: linphone-daemon was started, and is not there; "
                            LOG_TELLS "\n", adapter->options->folder);
            return false;
        }
    }
    return !is_stopped;
}

/* Whether the app that was started has its port, for itself. */
static enum owner wait_for_port(int64_t port_by)
{
    enum owner owner;
    while ((owner = launched_owner(started)) == NOBODY && !is_stopped && cb_now_ms() <= port_by)
        pause_ms(ATTACH_FIRST_MS);
    return owner;
}

/* Ends one that nobody could call. */
static void end_started(struct adapter *adapter)
{
    int64_t end_by = cb_now_ms() + ENDING_MS;
    app_close(&adapter->app);
    kill(started, SIGTERM);
    while (!is_stopped && kill(started, 0) == 0)
        if (cb_now_ms() <= end_by)
            pause_ms(ATTACH_FIRST_MS);
        else
            kill(started, SIGKILL);
    started = 0;
}

/* Attaches to an app that can be called: another program may have opened the port in between. */
static bool wait_for_app(struct adapter *adapter)
{
    for (int i = 0; i < STARTS && !is_stopped; i++) {
        int64_t port_by = 0;
        if (!reach_app(adapter, &port_by))
            break;
        enum owner owner = port_by ? wait_for_port(port_by) : THIS_ONE;
        if (owner == THIS_ONE && port_by && adapter->options->verbose)
            fprintf(stderr, "linphone_provider: linphone takes calls at %s\n", launched_at());
        if (owner == THIS_ONE)
            return !is_stopped;
        end_started(adapter);
        if (owner == NOBODY || has_chosen_port() || i + 1 == STARTS) {
            fprintf(stderr, "linphone_provider: linphone-daemon does not open %s; is the port in use? "
                            LOG_TELLS "\n", launched_at(), adapter->options->folder);
            return false;
        }
        say(adapter, "another program was faster to open the port; choosing another one");
    }
    if (started > 0)
        kill(started, SIGTERM);
    return false;
}

/* Finds the app that this program started before it was killed, which is to end with it as well. */
static void find_started(const struct adapter *adapter)
{
    pid_t running = (pid_t)atoi(adapter->app.instance); /* which begins with its process */
    if (adapter->options->start && started == 0 && was_launched(adapter->options, running))
        started = running;
}

static void turn(struct adapter *adapter)
{
    struct pollfd wait[] = {
        {adapter->app.descriptor, POLLIN, 0},
        {adapter->client ? cb_descriptor(adapter->client) : -1,
         adapter->client ? cb_events(adapter->client) : 0, 0}};
    int64_t left = adapter_deadline(adapter) - cb_now_ms();
    poll(wait, 2, left < 0 ? 0 : left > 1000 ? 1000 : (int)left);
}

static bool attached_again(struct adapter *adapter)
{
    app_close(&adapter->app);
    for (int i = 0; i < ATTACH_AGAIN && !is_stopped; i++) {
        pause_ms(ATTACH_FIRST_MS); /* it turns away a second one until it sees that we had gone */
        if (attach(adapter) == 0)
            return true;
    }
    return false;
}

static bool has_calls(const struct adapter *adapter)
{
    for (const struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++)
        if (*leg->call)
            return true;
    return false;
}

/* From attaching to the app until it is gone. False: this program is to end. */
static bool one_life(struct adapter *adapter)
{
    int64_t lost_at = 0; /* since when it has said nothing */
    if (!wait_for_app(adapter))
        return false;
    find_started(adapter);
    while (!is_stopped && !adapter->is_over) {
        turn(adapter);
        if (adapter_process(adapter, cb_now_ms())) {
            lost_at = adapter->is_surveyed ? 0 : lost_at;
            continue;
        }
        lost_at = lost_at ? lost_at : cb_now_ms();
        if (cb_now_ms() - lost_at > LOST_MS || !attached_again(adapter))
            break;
    }
    if (is_stopped && started > 0 && adapter->app.descriptor >= 0 && !has_calls(adapter))
        kill(started, SIGTERM); /* in a call it stays */
    app_close(&adapter->app);
    if (is_stopped || adapter->is_over)
        return false;
    started = 0;
    say(adapter, "linphone is gone");
    return true;
}

/* ---- Options */

static const char usage[] =
    "linphone_provider [OPTION...]: makes linphone-daemon a provider of CallBroker.\n"
    "  --pipe NAME         its --pipe, or the path of its socket (callbroker-linphone; of one that is\n"
    "                      started, a name of its own)\n"
    "  --identity NAME     of this provider (org.callbroker.linphone)\n"
    "  --display-name TEXT for people (linphone)\n"
    "  --socket PATH       of the broker\n"
    "  --memory FILE       where to keep which call is which\n"
    "  --calls N           that it takes at a time (4)\n"
    "  --verbose           say what is going on\n"
    "  --gateway sip:HOST[:PORT]  to which numbers are dialed (it takes none)\n"
    "  --start             start it when it does not run, and then\n"
    "  --address HOST[:PORT] where it takes calls (127.0.0.1: of this host alone; 0.0.0.0: of all\n"
    "                        networks; port 5060, or a free one)\n"
    "  --user NAME           its name in SIP (linphone)\n"
    "  --rtp FIRST-LAST      ports for sound (free ones)\n"
    "  --folder PATH         for its files\n"
    "  --account sip:USER@DOMAIN  registers it; it is started\n"
    "  --password FROM       where its password is: file:PATH,\n"
    "                        keyring:ATTRIBUTE=VALUE[,ATTRIBUTE=VALUE...] or credential:NAME\n"
    "  --auth-user NAME      its name for the password (USER)\n"
    "  --registrar HOST[:PORT]  where it is registered (DOMAIN)\n"
    "  --transport udp|tcp|tls  (udp)\n"
    "  --outbound-proxy HOST[:PORT]  through which all its requests go\n"
    "  --stun HOST[:PORT]    a server that reports the public address\n";

static const struct text_option texts[] = {
    TEXT_OPTION("pipe", pipe), TEXT_OPTION("identity", identity),
    TEXT_OPTION("display-name", display_name), TEXT_OPTION("socket", broker),
    TEXT_OPTION("address", address), TEXT_OPTION("user", user), TEXT_OPTION("rtp", rtp),
    TEXT_OPTION("gateway", gateway), ACCOUNT_OPTIONS(account), {NULL, 0}};

static bool is_possible(struct options *options, int count, char **given)
{
    if (optind < count) {
        fprintf(stderr, "linphone_provider: an option is expected, found \"%s\"\n", given[optind]);
        return false;
    }
    if (options->calls < 1 || options->calls > LEGS / 2) {
        fprintf(stderr, "linphone_provider: --calls: expected 1 to %d\n", LEGS / 2);
        return false;
    }
    if (!is_gateway(options->gateway)) {
        fprintf(stderr, "linphone_provider: --gateway: expected sip:HOST or sip:HOST:PORT\n");
        return false;
    }
    return true;
}

static bool read_options(struct options *options, int count, char **given)
{
    static const struct option known[] = {
        {"pipe", 1, NULL, 't'}, {"identity", 1, NULL, 't'}, {"display-name", 1, NULL, 't'},
        {"socket", 1, NULL, 't'}, {"memory", 1, NULL, 'm'}, {"calls", 1, NULL, 'c'},
        {"verbose", 0, NULL, 'v'}, {"start", 0, NULL, 'S'}, {"address", 1, NULL, 't'},
        {"user", 1, NULL, 't'}, {"rtp", 1, NULL, 't'}, {"folder", 1, NULL, 'f'},
        {"gateway", 1, NULL, 't'}, {"account", 1, NULL, 't'}, {"password", 1, NULL, 't'},
        {"auth-user", 1, NULL, 't'}, {"registrar", 1, NULL, 't'}, {"transport", 1, NULL, 't'},
        {"outbound-proxy", 1, NULL, 't'}, {"stun", 1, NULL, 't'},
        {"help", 0, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int index = 0;
    for (int option; (option = getopt_long(count, given, "", known, &index)) != -1;)
        switch (option) {
        case 't': *text_option(texts, options, known[index].name) = optarg; break;
        case 'm': snprintf(options->memory, sizeof options->memory, "%s", optarg); break;
        case 'c': options->calls = atoi(optarg); break;
        case 'v': options->verbose = true; break;
        case 'S': options->start = true; break;
        case 'f': snprintf(options->folder, sizeof options->folder, "%s", optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: return false;
        }
    return is_possible(options, count, given);
}

/* An account is for a linphone that is started. */
static bool choose_account(struct options *options)
{
    static char user[128];
    if (!read_account_options("linphone_provider", &options->account))
        return false;
    if (!options->account.address)
        return true;
    options->start = true;
    account_user(&options->account, user, sizeof user);
    options->user = user;
    return true;
}

static void choose_folders(struct options *options)
{
    char base[2048];
    state_folder("linphone", base, sizeof base);
    if (!*options->memory)
        snprintf(options->memory, sizeof options->memory, "%s/%s.json", base, options->identity);
    if (!*options->folder)
        snprintf(options->folder, sizeof options->folder, "%s/%s", base, options->identity);
}

/* One that is started has a name that no other has: of another user, or another provider. */
static void choose_pipe(struct options *options, char *own, size_t size)
{
    snprintf(own, size, "callbroker-%s-%u", options->identity, (unsigned)geteuid());
    if (!options->pipe)
        options->pipe = options->start ? own : "callbroker-linphone";
}

int main(int count, char **given)
{
    const char *pipe = getenv("LINPHONE_PIPE");
    char own_pipe[300];
    static struct options options = {
        .identity = "org.callbroker.linphone", .display_name = "linphone", .calls = 4,
        .address = "127.0.0.1", .user = "linphone"};
    static struct adapter adapter;
    options.pipe = pipe && *pipe ? pipe : NULL;
    json_t *chosen = read_chosen(texts, &options);
    options.start = json_is_true(json_object_get(chosen, "start"));
    if (!read_options(&options, count, given)) {
        fputs("linphone_provider: --help tells the options\n", stderr);
        json_decref(chosen);
        return 2;
    }
    choose_folders(&options);
    if (!choose_account(&options)) {
        json_decref(chosen);
        return 1;
    }
    choose_pipe(&options, own_pipe, sizeof own_pipe);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = stop}, NULL);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = stop}, NULL);
    signal(SIGCHLD, SIG_IGN); /* an app that was started leaves nothing behind */
    bool goes_on = true;
    while (goes_on) {
        adapter_init(&adapter, &options);
        goes_on = one_life(&adapter);
        adapter_leave(&adapter, !goes_on); /* the app and its calls live on */
        adapter_free(&adapter);
    }
    json_decref(chosen);
    return is_stopped ? 0 : 1;
}

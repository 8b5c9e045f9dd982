/* A SIP telephone without a window, whose user is the broker's. --help lists the options. */
#define _GNU_SOURCE
#include "phone.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>

enum { TURN_MS = 20 /* between two turns of liblinphone, which has no descriptor to wait for */ };

static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
    (void)number;
    is_stopped = 1;
}

void report(const struct phone *phone, const char *text)
{
    if (phone->options->verbose)
        fprintf(stderr, "liblinphone_provider: %s\n", text);
}

static void turn(struct phone *phone)
{
    struct pollfd wait = {cb_descriptor(phone->client), cb_events(phone->client), 0};
    int left = cb_timeout_ms(phone->client, cb_now_ms());
    poll(&wait, 1, left >= 0 && left < TURN_MS ? left : TURN_MS);
    phone_process(phone, cb_now_ms());
}

void phone_process(struct phone *phone, int64_t now)
{
    linphone_core_iterate(phone->core);
    if (!cb_process(phone->client, now))
        phone->is_over = true;
    perform_due(phone, now);
    watch_due(phone, now);
    report_participants(phone, now);
    report_typed(phone, now);
    report_quality(phone, now);
}

int main(int count, char **given)
{
    static struct options options = {
        .identity = "org.callbroker.liblinphone", .display_name = "liblinphone", .calls = 4,
        .address = "127.0.0.1", .user = "linphone", .sound = "auto", .watch = "", .verification = "none"};
    static struct phone phone;
    if (!read_options(&options, count, given))
        return 2;
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = stop}, NULL);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = stop}, NULL);
    bool is_open = phone_open(&phone, &options) && broker_join(&phone);
    while (is_open && !is_stopped && !phone.is_over)
        turn(&phone);
    broker_leave(&phone);
    phone_close(&phone);
    json_decref(options.chosen);
    return is_open && is_stopped ? 0 : 1;
}

#include "adapter.h"
#include "sip_code.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void keep(struct adapter *adapter)
{
    if (!adapter->is_leaving)
        remember(adapter->options->memory, adapter->app.instance, adapter->highest,
                 adapter->legs);
}

/* Whose reply it is: the place of a leg may have been taken by another call meanwhile. */
struct asked {
    struct adapter *adapter;
    char call[37];
};

static struct asked *asking(struct adapter *adapter, const struct leg *leg)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (asked) {
        asked->adapter = adapter;
        strcpy(asked->call, leg->call);
    }
    return asked;
}

/* Nobody can end a call that talks and is over for the broker. */
static void talks_for(cb_client *client, const json_t *result, const cb_error *error,
                      void *context)
{
    struct asked *asked = context;
    struct leg *leg = leg_with_call(asked->adapter->legs, asked->call);
    (void)client, (void)result;
    if (error && error->code == CB_NOT_FOUND && leg) {
        say(asked->adapter, "hanging up a call that is over for the broker");
        hang_up(asked->adapter, leg);
    }
    free(asked);
}

static void tell_talking(struct adapter *adapter, struct leg *leg)
{
    struct asked *asked = asking(adapter, leg);
    if (!asked)
        return;
    int64_t status = leg->told_established
        ? cb_report_held(adapter->client, leg->call, false, 0, talks_for, asked)
        : cb_report_connected(adapter->client, leg->call, 0, talks_for, asked);
    if (status < 0)
        free(asked);
}

void tell(struct adapter *adapter, struct leg *leg)
{
    cb_client *client = adapter->client;
    if (!client || !cb_is_open(client) || !leg->is_reported)
        return;
    if (!leg->told_abilities)
        cb_report_update(client, leg->call, leg_abilities(), NULL, NULL);
    bool is_news = leg->has_rung != leg->told_rung ||
                   leg->has_early_media != leg->told_early_media;
    if (is_news && !leg->is_established)
        cb_report_alerting(client, leg->call, leg->has_early_media ? 1 : -1, 0, NULL, NULL);
    if ((leg->is_established && !leg->told_established) || (leg->told_held && !leg->is_held))
        tell_talking(adapter, leg);
    if (leg->is_held && !leg->told_held)
        cb_report_held(client, leg->call, true, 0, NULL, NULL);
    if (leg->is_held_by_remote != leg->told_held_by_remote)
        cb_report_update(client, leg->call,
                         json_pack("{s:b}", "remote_held", leg->is_held_by_remote), NULL, NULL);
    leg_told(leg);
}

static void tell_end(struct adapter *adapter, const char *call, cb_end_reason reason,
                     const cb_end_detail *detail)
{
    if (!adapter->client)
        return;
    if (cb_is_open(adapter->client)) {
        cb_report_ended_because(adapter->client, call, reason, detail, 0, NULL, NULL);
    } else if (adapter->over_count < LEGS) {
        struct over *over = &adapter->over[adapter->over_count++];
        *over = (struct over){.reason = reason, .has_detail = detail != NULL};
        strcpy(over->call, call);
        if (!detail)
            return;
        over->word = detail->reason;
        snprintf(over->text, sizeof over->text, "%s", detail->text ? detail->text : "");
        snprintf(over->code, sizeof over->code, "%s", detail->code ? detail->code : "");
    }
}

static void tell_over(struct adapter *adapter, const struct over *over)
{
    cb_end_detail detail = {over->word, *over->text ? over->text : NULL,
                            *over->code ? over->code : NULL};
    tell_end(adapter, over->call, over->reason, over->has_detail ? &detail : NULL);
}

/* The failure of a start is the only report of how its call ended. */
static void not_placed(struct adapter *adapter, struct leg *leg, const cb_end_detail *detail)
{
    if (detail)
        failed_because(adapter, leg, detail);
    else
        failed(adapter, leg, "call_ended",
               "linphone could not place the call, and does not say why");
}

static const cb_end_detail transferred = {"transferred", NULL, NULL};

void leg_closed(struct adapter *adapter, struct leg *leg, cb_end_reason reason,
                const cb_end_detail *detail)
{
    struct leg over = *leg;
    bool is_transferred = detail == &transferred; /* the action tells that */
    *leg->call = '\0';
    over.is_gone = false; /* it is told now */
    if (over.is_reported && over.doing != START && !over.is_ending && !is_transferred)
        tell_end(adapter, over.call, reason, detail);
    if (*over.action && over.doing == START && !over.is_ending)
        not_placed(adapter, &over, detail);
    else if (is_transferred)
        done(adapter, &over);
    else if (*over.action)
        failed(adapter, &over, "call_ended", "the call is over");
    if (*over.muting && adapter->client)
        cb_fail(adapter->client, over.muting, CB_BROKER_ERROR, "call_ended", "the call is over");
    if (*over.ending && adapter->client)
        cb_fulfil(adapter->client, over.ending, 0);
    if (over.id > 0)
        keep(adapter);
}

/* ---- Calls that appear */

static void replied(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    struct asked *asked = context;
    struct leg *leg = leg_with_call(asked->adapter->legs, asked->call);
    (void)client, (void)result;
    if (error && error->code != CB_DISCONNECTED && error->code != CB_ALREADY_EXISTS && leg) {
        say(asked->adapter, "the broker does not want the call");
        hang_up(asked->adapter, leg);
    } /* already there: it was listed in between */
    free(asked);
}

static void announce(struct adapter *adapter, struct leg *leg)
{
    int64_t status;
    if (!adapter->client || !cb_is_open(adapter->client))
        return; /* the next registration lists it */
    struct asked *asked = asking(adapter, leg);
    if (!asked)
        return;
    if (leg->is_incoming) {
        leg->told_abilities = true;
        status = cb_report_incoming(adapter->client, leg->call, cb_generic(leg->address),
                                    leg_update(leg), replied, asked);
    } else { /* the app began it */
        json_t *start = json_pack("{s:s, s:s, s:{s:s, s:s}}", "call", leg->call, "provider",
                                  adapter->options->identity, "remote", "type", "generic",
                                  "value", leg->address);
        status = cb_request(adapter->client, "call.start", start, replied, asked);
    }
    if (status < 0)
        free(asked);
    else
        leg->is_reported = true;
}

void tell_rest(struct adapter *adapter)
{
    for (size_t i = 0; i < adapter->over_count; i++)
        tell_over(adapter, &adapter->over[i]);
    adapter->over_count = 0;
    for (struct leg *leg = adapter->legs; leg < adapter->legs + LEGS; leg++) {
        if (*leg->call && *leg->address && !leg->is_reported && !leg->is_ending)
            announce(adapter, leg);
        if (*leg->call)
            tell(adapter, leg);
    }
}

/* In the events of an outgoing call From is our own address. */
static void with_peer(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct leg *leg = leg_with_call(adapter->legs, key);
    char from[512] = "";
    if (!leg || !block_value(block, "From", from, sizeof from))
        return;
    read_address(from, leg->address, sizeof leg->address, leg->name, sizeof leg->name);
    keep(adapter);
    announce(adapter, leg);
}

static void appeared(struct adapter *adapter, int id, enum state state, const char *block)
{
    char call[37], from[512] = "", text[32];
    cb_new_id(call);
    struct leg *leg = new_leg(adapter->legs, id, call);
    if (id > adapter->highest)
        adapter->highest = id;
    if (!leg) {
        snprintf(text, sizeof text, "terminate %d", id); /* more than anybody can take */
        app_ask(&adapter->app, text, "", with_peer);
        return;
    }
    leg->is_found = true;
    leg->is_incoming = state == INCOMING;
    leg->rings_since = cb_now_ms();
    if (leg->is_incoming) {
        block_value(block, "From", from, sizeof from);
        read_address(from, leg->address, sizeof leg->address, leg->name, sizeof leg->name);
        keep(adapter);
        announce(adapter, leg);
        return;
    }
    snprintf(text, sizeof text, "call-status %d", id);
    app_ask(&adapter->app, text, call, with_peer);
}

/* ---- What happens to them */

static void rings(struct adapter *adapter, struct leg *leg, bool has_early_media)
{
    leg->has_rung = true;
    leg->has_early_media = leg->has_early_media || has_early_media;
    tell(adapter, leg);
    if (leg->doing == START)
        done(adapter, leg);
}

static void connected(struct adapter *adapter, struct leg *leg)
{
    if (leg->is_established)
        return;
    leg->is_established = true;
    leg->told_established = leg->told_established || leg->doing == ANSWER;
    if (leg->doing == ANSWER || leg->doing == START)
        done(adapter, leg);
    tell(adapter, leg);
}

static void set_held(struct adapter *adapter, struct leg *leg, bool held)
{
    leg->is_held = held;
    if (leg->doing == (held ? HOLD : RESUME)) {
        leg->told_held = held;
        done(adapter, leg);
    }
    tell(adapter, leg);
}

/* It is as the broker knows it, or what was to be undone stays. */
static void went_on(struct adapter *adapter, struct leg *leg)
{
    leg->undoing = NOTHING;
    set_held(adapter, leg, false);
}

/* There is sound, in one direction at least. */
static void streams(struct adapter *adapter, struct leg *leg, bool is_held_by_remote)
{
    connected(adapter, leg);
    leg->is_streaming = true;
    leg->is_held_by_remote = is_held_by_remote;
    tell(adapter, leg);
    if (leg->doing == HOLD && !leg->is_sent)
        send_hold(adapter, leg);
    else if (leg->doing == HOLD && leg->is_under_way)
        failed(adapter, leg, "remote_refused", "the far end did not agree to be held");
    else if (leg->undoing == HOLD && !leg->is_undo_sent)
        send_undo(adapter, leg);
    else if (leg->doing != HOLD && (leg->undoing == NOTHING || leg->is_under_way))
        went_on(adapter, leg);
}

static void paused(struct adapter *adapter, struct leg *leg)
{
    if (leg->doing == RESUME && leg->is_under_way)
        failed(adapter, leg, "remote_refused", "the far end did not agree to go on");
    else if (leg->doing == RESUME && !leg->is_sent)
        send_hold(adapter, leg);
    else if (leg->doing != RESUME && leg->undoing == RESUME && !leg->is_undo_sent)
        send_undo(adapter, leg);
    else if (leg->doing != RESUME) {
        leg->undoing = NOTHING;
        set_held(adapter, leg, true);
    }
}

/* An end during a transfer is its success, as failures have no event. Two calls that are joined both
 * end: the far end of one hangs up for the new call, and linphone in the other. */
static void ended_in_transfer(struct adapter *adapter, struct leg *leg)
{
    struct leg *other = leg_with_call(adapter->legs, leg->with);
    leg->is_gone = true;
    if (other && !other->is_gone)
        return;
    if (other)
        leg_closed(adapter, other, CB_REMOTE_ENDED, &transferred);
    leg_closed(adapter, leg, CB_REMOTE_ENDED, &transferred);
}

/* linphone tells no cause, but that it stops to ring after a time. It counts whole seconds. */
static bool was_given_up(const struct adapter *adapter, const struct leg *leg)
{
    return leg->is_incoming && !leg->is_established && leg->rings_since > 0 &&
           cb_now_ms() - leg->rings_since >= adapter->ring_ms - 1000;
}

/* A call of ours that nobody has answered is over: if linphone has logged with which code, that says why. */
static bool ended_by_code(struct adapter *adapter, struct leg *leg)
{
    struct response response;
    char code[16];
    cb_end_detail detail = {NULL, response.phrase, code};
    if (leg->is_incoming || leg->is_established || *leg->with ||
        !log_take(&adapter->app_log, leg->address, &response))
        return false;
    snprintf(code, sizeof code, "SIP %d", response.code);
    if (!*response.phrase)
        detail.text = NULL;
    cb_end_reason reason = end_by_code(response.code, leg->has_rung, &detail.reason);
    leg_closed(adapter, leg, reason, &detail);
    return true;
}

/* A call of ours that was not answered, and ends without an error, was declined (603). */
static void ended(struct adapter *adapter, struct leg *leg, bool has_failed)
{
    static const cb_end_detail declined = {"rejected", "the far end declined", NULL};
    if (ended_by_code(adapter, leg))
        return;
    struct leg *other = leg_with_call(adapter->legs, leg->with);
    if (!has_failed && !leg->is_ending && (other || leg->doing == TRANSFER)) {
        ended_in_transfer(adapter, leg);
        return;
    }
    if (other)
        failed(adapter, leg->doing == JOIN ? leg : other, "call_ended", "one of the calls is over");
    bool is_declined = !has_failed && !leg->is_incoming && !leg->is_established;
    cb_end_reason reason = was_given_up(adapter, leg) ? CB_UNANSWERED : CB_REMOTE_ENDED;
    leg_closed(adapter, leg, has_failed ? CB_FAILED : reason, is_declined ? &declined : NULL);
}

static void happened(struct adapter *adapter, struct leg *leg, enum state state)
{
    switch (state) {
    case UNKNOWN:
    case INCOMING:
    case DIALING:
        break;
    case FAR_END_RINGS:
    case FAR_END_SOUNDS:
        rings(adapter, leg, state == FAR_END_SOUNDS);
        break;
    case CONNECTED:
        connected(adapter, leg);
        break;
    case STREAMING:
    case PAUSED_BY_REMOTE:
        streams(adapter, leg, state == PAUSED_BY_REMOTE);
        break;
    case PAUSING:
    case RESUMING:
        leg->is_streaming = false;
        leg->is_under_way = true;
        break;
    case PAUSED:
        paused(adapter, leg);
        break;
    case ENDED:
    case FAILED:
        ended(adapter, leg, state == FAILED);
        break;
    }
}

void adapter_event(void *context, const char *block)
{
    struct adapter *adapter = context;
    char name[64] = "";
    int id = block_number(block, "Id");
    block_value(block, "Event", name, sizeof name);
    enum state state = state_named(name);
    struct leg *leg = id > 0 ? leg_with_id(adapter->legs, id) : NULL;
    if (leg)
        happened(adapter, leg, state);
    else if (id > 0 && (state == INCOMING || state == DIALING))
        appeared(adapter, id, state, block);
    follow_microphone(adapter);
}

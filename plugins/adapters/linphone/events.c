#include "adapter.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void keep(struct adapter *adapter)
{
    if (!adapter->is_leaving)
        remember(adapter->options->memory, adapter->app.instance, adapter->highest,
                 adapter->lines);
}

void tell(struct adapter *adapter, struct line *line)
{
    cb_client *client = adapter->client;
    if (!client || !cb_is_open(client) || !line->is_reported)
        return;
    bool is_news = line->has_rung != line->told_rung ||
                   line->has_early_media != line->told_early_media;
    if (is_news && !line->is_established)
        cb_report_alerting(client, line->call, line->has_early_media ? 1 : -1, 0, NULL, NULL);
    if (line->is_established && !line->told_established)
        cb_report_connected(client, line->call, 0, NULL, NULL);
    if (line->is_held != line->told_held)
        cb_report_held(client, line->call, line->is_held, 0, NULL, NULL);
    if (line->is_held_by_remote != line->told_held_by_remote)
        cb_report_update(client, line->call,
                         json_pack("{s:b}", "remote_held", line->is_held_by_remote), NULL, NULL);
    line_told(line);
}

static void tell_end(struct adapter *adapter, const char *call, cb_end_reason reason,
                     const cb_end_detail *detail)
{
    if (!adapter->client)
        return;
    if (cb_is_open(adapter->client)) {
        cb_report_ended_because(adapter->client, call, reason, detail, 0, NULL, NULL);
    } else if (adapter->over_count < LINES) {
        struct over *over = &adapter->over[adapter->over_count++];
        strcpy(over->call, call);
        over->reason = reason;
        over->detail = detail;
    }
}

/* The failure of a start is the only report of how its call ended. */
static void not_placed(struct adapter *adapter, struct line *line, const cb_end_detail *detail)
{
    failed(adapter, line, detail ? detail->reason : "call_ended",
           detail ? detail->text : "linphone could not place the call, and does not say why");
}

void line_closed(struct adapter *adapter, struct line *line, cb_end_reason reason,
                 const cb_end_detail *detail)
{
    struct line over = *line;
    *line->call = '\0';
    if (over.is_reported && over.doing != START && !over.is_ending)
        tell_end(adapter, over.call, reason, detail);
    if (*over.action && over.doing == START && !over.is_ending)
        not_placed(adapter, &over, detail);
    else if (*over.action)
        failed(adapter, &over, "call_ended", "the call is over");
    if (*over.ending && adapter->client)
        cb_fulfil(adapter->client, over.ending, 0);
    if (over.id > 0)
        keep(adapter);
}

/* ---- Calls that appear */

/* Whose reply it is: the place of a line may have been taken by another call meanwhile. */
struct asked {
    struct adapter *adapter;
    char call[37];
};

static void replied(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    struct asked *asked = context;
    struct line *line = line_with_call(asked->adapter->lines, asked->call);
    (void)client, (void)result;
    if (error && error->code != CB_DISCONNECTED && error->code != CB_ALREADY_EXISTS && line) {
        say(asked->adapter, "the broker does not want the call");
        hang_up(asked->adapter, line);
    } /* already there: it was listed in between */
    free(asked);
}

static struct asked *asking(struct adapter *adapter, const struct line *line)
{
    struct asked *asked = calloc(1, sizeof *asked);
    if (asked) {
        asked->adapter = adapter;
        strcpy(asked->call, line->call);
    }
    return asked;
}

static void announce(struct adapter *adapter, struct line *line)
{
    int64_t status;
    if (!adapter->client || !cb_is_open(adapter->client))
        return; /* the next registration lists it */
    struct asked *asked = asking(adapter, line);
    if (!asked)
        return;
    if (line->is_incoming) {
        status = cb_report_incoming(adapter->client, line->call, cb_generic(line->address),
                                    line_update(line), replied, asked);
    } else { /* the app began it */
        json_t *start = json_pack("{s:s, s:s, s:{s:s, s:s}}", "call", line->call, "provider",
                                  adapter->options->identity, "remote", "type", "generic",
                                  "value", line->address);
        status = cb_request(adapter->client, "call.start", start, replied, asked);
    }
    if (status < 0)
        free(asked);
    else
        line->is_reported = true;
}

void tell_rest(struct adapter *adapter)
{
    for (size_t i = 0; i < adapter->over_count; i++)
        tell_end(adapter, adapter->over[i].call, adapter->over[i].reason,
                 adapter->over[i].detail);
    adapter->over_count = 0;
    for (struct line *line = adapter->lines; line < adapter->lines + LINES; line++) {
        if (*line->call && *line->address && !line->is_reported && !line->is_ending)
            announce(adapter, line);
        if (*line->call)
            tell(adapter, line);
    }
}

/* In the events of an outgoing call From is our own address. */
static void with_peer(void *context, const char *key, const char *block)
{
    struct adapter *adapter = context;
    struct line *line = line_with_call(adapter->lines, key);
    char from[512] = "";
    if (!line || !block_value(block, "From", from, sizeof from))
        return;
    read_address(from, line->address, sizeof line->address, line->name, sizeof line->name);
    keep(adapter);
    announce(adapter, line);
}

static void appeared(struct adapter *adapter, int id, enum state state, const char *block)
{
    char call[37], from[512] = "", text[32];
    cb_new_id(call);
    struct line *line = new_line(adapter->lines, id, call);
    if (id > adapter->highest)
        adapter->highest = id;
    if (!line) {
        snprintf(text, sizeof text, "terminate %d", id); /* more than anybody can take */
        app_ask(&adapter->app, text, "", with_peer);
        return;
    }
    line->is_found = true;
    line->is_incoming = state == INCOMING;
    if (line->is_incoming) {
        block_value(block, "From", from, sizeof from);
        read_address(from, line->address, sizeof line->address, line->name, sizeof line->name);
        keep(adapter);
        announce(adapter, line);
        return;
    }
    snprintf(text, sizeof text, "call-status %d", id);
    app_ask(&adapter->app, text, call, with_peer);
}

/* ---- What happens to them */

static void rings(struct adapter *adapter, struct line *line, bool has_early_media)
{
    line->has_rung = true;
    line->has_early_media = line->has_early_media || has_early_media;
    tell(adapter, line);
    if (line->doing == START)
        done(adapter, line);
}

static void connected(struct adapter *adapter, struct line *line)
{
    if (line->is_established)
        return;
    line->is_established = true;
    line->told_established = line->told_established || line->doing == ANSWER;
    if (line->doing == ANSWER || line->doing == START)
        done(adapter, line);
    tell(adapter, line);
}

static void set_held(struct adapter *adapter, struct line *line, bool held)
{
    line->is_held = held;
    if (line->doing == (held ? HOLD : RESUME)) {
        line->told_held = held;
        done(adapter, line);
    }
    tell(adapter, line);
}

/* There is sound, in one direction at least. */
static void streams(struct adapter *adapter, struct line *line, bool is_held_by_remote)
{
    connected(adapter, line);
    line->is_streaming = true;
    line->is_held_by_remote = is_held_by_remote;
    tell(adapter, line);
    if (line->doing == HOLD && !line->is_sent)
        send_hold(adapter, line);
    else if (line->doing == HOLD && line->is_under_way)
        failed(adapter, line, "remote_refused", "the far end did not agree to be held");
    else if (line->doing != HOLD)
        set_held(adapter, line, false);
}

static void paused(struct adapter *adapter, struct line *line)
{
    if (line->doing == RESUME && line->is_under_way)
        failed(adapter, line, "remote_refused", "the far end did not agree to go on");
    else if (line->doing != RESUME)
        set_held(adapter, line, true);
}

/* A call of ours that was not answered, and ends without an error, was declined (603). */
static void ended(struct adapter *adapter, struct line *line, bool has_failed)
{
    static const cb_end_detail declined = {"rejected", "the far end declined", NULL};
    bool is_declined = !has_failed && !line->is_incoming && !line->is_established;
    line_closed(adapter, line, has_failed ? CB_FAILED : CB_REMOTE_ENDED,
                is_declined ? &declined : NULL);
}

static void happened(struct adapter *adapter, struct line *line, enum state state)
{
    switch (state) {
    case UNKNOWN:
    case INCOMING:
    case DIALING:
        break;
    case FAR_END_RINGS:
    case FAR_END_SOUNDS:
        rings(adapter, line, state == FAR_END_SOUNDS);
        break;
    case CONNECTED:
        connected(adapter, line);
        break;
    case STREAMING:
    case PAUSED_BY_REMOTE:
        streams(adapter, line, state == PAUSED_BY_REMOTE);
        break;
    case PAUSING:
    case RESUMING:
        line->is_streaming = false;
        line->is_under_way = true;
        break;
    case PAUSED:
        paused(adapter, line);
        break;
    case ENDED:
    case FAILED:
        ended(adapter, line, state == FAILED);
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
    struct line *line = id > 0 ? line_with_id(adapter->lines, id) : NULL;
    if (line)
        happened(adapter, line, state);
    else if (id > 0 && (state == INCOMING || state == DIALING))
        appeared(adapter, id, state, block);
    follow_microphone(adapter);
}

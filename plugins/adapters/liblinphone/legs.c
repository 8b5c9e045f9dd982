#include "legs.h"

#include <linphone/event.h>
#include <stdio.h>
#include <string.h>

struct leg *leg_with_call(struct leg *legs, const LinphoneCall *call)
{
    for (struct leg *leg = legs; leg < legs + LEGS; leg++)
        if (*leg->id && leg->call == call)
            return leg;
    return NULL;
}

struct leg *leg_with_id(struct leg *legs, const char *id)
{
    for (struct leg *leg = legs; *id && leg < legs + LEGS; leg++)
        if (strcmp(leg->id, id) == 0)
            return leg;
    return NULL;
}

struct leg *leg_with_action(struct leg *legs, const char *action)
{
    for (struct leg *leg = legs; *action && leg < legs + LEGS; leg++)
        if (*leg->id && (strcmp(leg->action, action) == 0 || strcmp(leg->ending, action) == 0))
            return leg;
    return NULL;
}

struct leg *new_leg(struct leg *legs, const char *id)
{
    for (struct leg *leg = legs; leg < legs + LEGS; leg++)
        if (!*leg->id) {
            *leg = (struct leg){.call = NULL};
            snprintf(leg->id, sizeof leg->id, "%s", id);
            return leg;
        }
    return NULL;
}

void leg_attach(struct leg *leg, LinphoneCall *call)
{
    leg->call = linphone_call_ref(call);
    leg->is_incoming = linphone_call_get_dir(call) == LinphoneCallIncoming;
}

void leg_free(struct leg *leg)
{
    if (leg->call)
        linphone_call_unref(leg->call);
    leg->call = NULL;
    *leg->id = '\0';
    json_decref(leg->participants);
    LinphoneEvent *conference = leg->conference;
    leg->conference = NULL;
    if (!conference)
        return;
    linphone_event_terminate(conference);
    linphone_event_unref(conference);
}

json_t *leg_update(const struct leg *leg)
{
    json_t *update = json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:s, s:b, s:b}",
                               "supports_grouping", 0, "supports_ungrouping", 0,
                               "supports_transfer", 1,
                               "supports_attended_transfer", 1, "supports_deflect",
                               leg->is_incoming, "supports_set_video", 1, "video",
                               video_word(leg->video), "supports_set_text", 1, "has_text",
                               leg->has_text);
    const char *number =
        leg->call ? linphone_call_log_get_call_id(linphone_call_get_call_log(leg->call)) : NULL;
    if (update && number && *number && strlen(number) <= 256)
        json_object_set_new(update, "external_id", json_string(number));
    if (update && *leg->forwarded_from)
        json_object_set_new(update, "forwarded_from", json_pack("{s:s, s:s}", "type", "generic",
                                                                "value", leg->forwarded_from));
    if (update && leg->verification)
        json_object_set_new(update, "verification", json_string(leg->verification));
    if (update && leg->priority)
        json_object_set_new(update, "priority", json_string(leg->priority));
    if (update && *leg->name)
        json_object_set_new(update, "display_name", json_string(leg->name));
    return update;
}

json_t *leg_live(const struct leg *leg)
{
    const char *state = leg->is_incoming ? "ringing" : leg->has_rung ? "alerting" : "dialing";
    if (leg->is_established)
        state = leg->is_held ? "held" : "active";
    json_t *live = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "call", leg->id, "direction",
                             leg->is_incoming ? "incoming" : "outgoing", "state", state, "remote",
                             "type", "generic", "value", leg->address);
    if (live && leg->is_held_by_remote)
        json_object_set_new(live, "remote_held", json_true());
    if (live && leg->has_early_media)
        json_object_set_new(live, "has_early_media", json_true());
    return live;
}

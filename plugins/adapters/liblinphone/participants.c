/* Who takes part in the conferences of the far ends (RFC 4575). A subscription to the focus makes
 * liblinphone keep a list, which is compared with what was reported. */
#include "phone.h"

#include <linphone/api/c-address.h>
#include <linphone/api/c-conference.h>
#include <linphone/api/c-participant-device.h>
#include <linphone/api/c-participant.h>
#include <linphone/event.h>
#include <string.h>

enum {
    EXPIRES_S = 600,
    COMPARED_MS = 500,
    REPORTED_AT_ONCE = 128,
    ID_LENGTH = 128,
    PARTICIPANTS_MAX = 1000
};

/* ---- What liblinphone knows of them */

/* One who only receives sound is not heard. liblinphone does not tell who is being called. */
static void read_devices(LinphoneParticipant *participant, json_t *about)
{
    bctbx_list_t *devices = linphone_participant_get_devices(participant);
    for (bctbx_list_t *each = devices; each; each = bctbx_list_next(each)) {
        LinphoneParticipantDevice *device = bctbx_list_get_data(each);
        const char *name = linphone_participant_device_get_name(device);
        LinphoneMediaDirection direction = linphone_participant_device_get_audio_direction(device);
        bool is_muted = direction == LinphoneMediaDirectionRecvOnly;
        json_object_set_new(about, "muted", json_boolean(is_muted));
        if (name && *name && strlen(name) <= ID_LENGTH)
            json_object_set_new(about, "name", json_string(name));
        linphone_participant_device_unref(device);
    }
    bctbx_list_free(devices);
}

static void add(json_t *all, LinphoneParticipant *participant, bool is_self)
{
    const LinphoneAddress *address = linphone_participant_get_address(participant);
    char *id = address ? linphone_address_as_string_uri_only(address) : NULL;
    if (id && strlen(id) <= ID_LENGTH && json_object_size(all) < PARTICIPANTS_MAX) {
        json_t *about = json_pack("{s:s, s:{s:s, s:s}, s:b}", "participant", id, "handle", "type",
                                  "generic", "value", id, "self", is_self);
        const char *name = linphone_address_get_display_name(address);
        if (about && name && *name && strlen(name) <= ID_LENGTH)
            json_object_set_new(about, "name", json_string(name));
        if (about)
            read_devices(participant, about);
        json_object_set_new(all, id, about);
    }
    bctbx_free(id);
}

/* An object with the participants by their ids; NULL without a conference. */
static json_t *read_participants(const struct leg *leg)
{
    const LinphoneConference *conference = linphone_call_get_conference(leg->call);
    if (!conference)
        return NULL;
    json_t *all = json_object();
    bctbx_list_t *list = linphone_conference_get_participant_list(conference);
    for (bctbx_list_t *each = list; each; each = bctbx_list_next(each)) {
        add(all, bctbx_list_get_data(each), false);
        linphone_participant_unref(bctbx_list_get_data(each));
    }
    bctbx_list_free(list);
    LinphoneParticipant *me = linphone_conference_get_me(conference);
    if (me && json_object_size(all) > 0)
        add(all, me, true);
    return all;
}

/* ---- Reports */

/* At most 128 at a time; the first one replaces what was known, if all are in them. */
static void send_reports(struct phone *phone, const struct leg *leg, json_t *changed,
                         json_t *removed, bool is_all)
{
    size_t more = json_array_size(changed), less = json_array_size(removed);
    for (size_t first = 0; first < (more > less ? more : less); first += REPORTED_AT_ONCE) {
        json_t *some = json_array(), *gone = json_array();
        for (size_t i = first; i < first + REPORTED_AT_ONCE; i++) {
            if (i < more)
                json_array_append(some, json_array_get(changed, i));
            if (i < less)
                json_array_append(gone, json_array_get(removed, i));
        }
        cb_report_participants(phone->client, leg->id, some, gone, is_all && first == 0, NULL,
                               NULL);
    }
}

static void report_difference(struct phone *phone, struct leg *leg, json_t *now)
{
    const char *id;
    json_t *about, *changed = json_array(), *removed = json_array();
    json_object_foreach(now, id, about)
        if (!json_equal(about, json_object_get(leg->participants, id)))
            json_array_append(changed, about);
    json_object_foreach(leg->participants, id, about)
        if (!json_object_get(now, id))
            json_array_append_new(removed, json_string(id));
    send_reports(phone, leg, changed, removed, false);
    json_decref(changed);
    json_decref(removed);
    json_decref(leg->participants);
    leg->participants = json_incref(now);
}

void report_participants(struct phone *phone, int64_t now)
{
    if (now < phone->participants_at || !cb_is_open(phone->client))
        return;
    phone->participants_at = now + COMPARED_MS;
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++) {
        json_t *all = *leg->id && leg->call && leg->conference ? read_participants(leg) : NULL;
        if (all)
            report_difference(phone, leg, all);
        json_decref(all);
    }
}

/* The broker does not keep them over its restart. */
void forget_participants(struct phone *phone)
{
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++) {
        json_decref(leg->participants);
        leg->participants = NULL;
    }
}

/* ---- Subscriptions */

/* A far end that is a conference says so in its Contact. */
static LinphoneAddress *focus_of(const struct leg *leg)
{
    const char *contact = linphone_call_get_remote_contact(leg->call);
    LinphoneAddress *address =
        contact && strstr(contact, "isfocus") ? linphone_address_new(contact) : NULL;
    if (!address)
        return NULL;
    char *uri = linphone_address_as_string_uri_only(address);
    linphone_address_unref(address);
    address = linphone_address_new(uri);
    bctbx_free(uri);
    return address;
}

void subscribe_to_focus(struct phone *phone, struct leg *leg)
{
    LinphoneAddress *focus = leg->conference ? NULL : focus_of(leg);
    if (!focus)
        return;
    leg->conference =
        linphone_core_create_subscribe(phone->core, focus, "conference", EXPIRES_S);
    linphone_address_unref(focus);
    linphone_event_add_custom_header(leg->conference, "Accept",
                                     "application/conference-info+xml");
    if (linphone_event_send_subscribe(leg->conference, NULL) != 0)
        report(phone, "a conference cannot be asked for its participants");
}

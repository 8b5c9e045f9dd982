/* Subscriptions to the dialogs of other devices (RFC 4235), and the calls that they list. */
#include "phone.h"

#include <linphone/api/c-content.h>
#include <linphone/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPIRES_S = 600, RETRY_MS = 30000, NAME_BYTES = 128 };

/* ---- The calls */

struct external *external_with_id(struct phone *phone, const char *id)
{
    for (struct external *each = phone->externals; each < phone->externals + EXTERNALS_MAX; each++)
        if (*each->id && strcmp(each->id, id) == 0)
            return each;
    return NULL;
}

static struct external *external_of(struct phone *phone, const struct watch *watch, const char *id)
{
    struct external *free_place = NULL;
    for (struct external *each = phone->externals; each < phone->externals + EXTERNALS_MAX; each++)
        if (!*each->id)
            free_place = free_place ? free_place : each;
        else if (each->watch == watch && strcmp(each->dialog.id, id) == 0)
            return each;
    return free_place;
}

static const char *device_of(const struct external *external)
{
    const char *device = external->dialog.device;
    device = *device ? device : external->watch->address;
    return strlen(device) > NAME_BYTES ? "" : device;
}

json_t *describe_external(const struct external *external)
{
    char header[600];
    const struct dialog *dialog = &external->dialog;
    json_t *update = json_pack("{s:b, s:s}", "supports_pull",
                               replacement(dialog, header, sizeof header), "elsewhere",
                               device_of(external));
    if (update && *dialog->address)
        json_object_set_new(update, "remote", json_pack("{s:s, s:s}", "type", "generic", "value",
                                                        dialog->address));
    if (update && *dialog->name)
        json_object_set_new(update, "display_name", json_string(dialog->name));
    if (update && *dialog->call_id && strlen(dialog->call_id) <= 256)
        json_object_set_new(update, "external_id", json_string(dialog->call_id));
    return update;
}

static void report_external(struct phone *phone, const struct external *external)
{
    if (phone->client)
        cb_report_external(phone->client, external->id, external->dialog.is_outgoing, 0,
                           describe_external(external), NULL, NULL);
}

/* One that is being pulled ends here once that is done. */
static void end_external(struct phone *phone, struct external *external)
{
    if (phone->client && !leg_with_id(phone->legs, external->id))
        cb_report_ended(phone->client, external->id, CB_REMOTE_ENDED, 0, NULL, NULL);
    *external->id = '\0';
}

/* ---- What the documents say */

static const char *call_id_of(const struct leg *leg)
{
    return *leg->id && leg->call
               ? linphone_call_log_get_call_id(linphone_call_get_call_log(leg->call))
               : NULL;
}

/* A call that rings here and there has one Call-ID: where it is connected says who has it. */
static bool is_own(struct phone *phone, const struct dialog *dialog)
{
    for (struct leg *leg = phone->legs; leg < phone->legs + LEGS; leg++) {
        const char *id = call_id_of(leg);
        bool only_rings = leg->is_incoming && !leg->is_established;
        if (id && !only_rings && strcmp(id, dialog->call_id) == 0)
            return true;
    }
    return false;
}

const char *device_with(const struct phone *phone, const struct leg *leg)
{
    const char *id = call_id_of(leg);
    const struct external *each = phone->externals, *end = each + EXTERNALS_MAX;
    for (; id && each < end; each++)
        if (*each->id && *device_of(each) && strcmp(each->dialog.call_id, id) == 0)
            return device_of(each);
    return NULL;
}

/* A device that only rings or dials has no call that could go on elsewhere. */
static void follow_dialog(struct phone *phone, const struct watch *watch,
                          const struct dialog *dialog)
{
    struct external *external = external_of(phone, watch, dialog->id);
    bool is_live = dialog->is_confirmed && !is_own(phone, dialog);
    bool is_known = external && *external->id;
    if (is_known && !is_live) {
        end_external(phone, external);
    } else if (is_live && external) {
        if (!is_known)
            cb_new_id(external->id);
        external->watch = watch;
        external->dialog = *dialog;
        report_external(phone, external);
    }
}

static bool lists(const struct dialogs *dialogs, const char *id)
{
    for (size_t i = 0; i < dialogs->count; i++)
        if (strcmp(dialogs->list[i].id, id) == 0)
            return true;
    return false;
}

static void follow_document(struct phone *phone, struct watch *watch,
                            const struct dialogs *dialogs)
{
    if (dialogs->version <= watch->version)
        return; /* it came late */
    watch->has_gap = !dialogs->is_full && dialogs->version > watch->version + 1;
    watch->version = dialogs->version;
    for (size_t i = 0; i < dialogs->count; i++)
        follow_dialog(phone, watch, &dialogs->list[i]);
    for (struct external *each = phone->externals;
         dialogs->is_full && each < phone->externals + EXTERNALS_MAX; each++)
        if (*each->id && each->watch == watch && !lists(dialogs, each->dialog.id))
            end_external(phone, each);
}

static struct watch *watch_of(struct phone *phone, const LinphoneEvent *event)
{
    for (size_t i = 0; i < phone->watch_count; i++)
        if (phone->watches[i].subscription == event)
            return &phone->watches[i];
    return NULL;
}

void notified(LinphoneCore *core, LinphoneEvent *event, const char *name,
              const LinphoneContent *content)
{
    struct phone *phone = linphone_core_get_user_data(core);
    struct watch *watch = watch_of(phone, event);
    (void)name;
    if (!watch || !content)
        return;
    struct dialogs *dialogs = malloc(sizeof *dialogs);
    const char *text = (const char *)linphone_content_get_buffer(content);
    if (dialogs && text && read_dialogs(text, linphone_content_get_size(content), dialogs))
        follow_document(phone, watch, dialogs);
    else
        report(phone, "a device sent no dialogs in its NOTIFY");
    free(dialogs);
}

/* ---- Subscriptions */

static void subscribe(struct phone *phone, struct watch *watch, int64_t now)
{
    LinphoneAddress *address = linphone_core_interpret_url(phone->core, watch->address);
    watch->subscribe_at = now + RETRY_MS;
    watch->version = -1;
    if (!address)
        return;
    LinphoneEvent *event =
        linphone_core_create_subscribe(phone->core, address, "dialog", EXPIRES_S);
    linphone_address_unref(address);
    watch->subscription = event;
    linphone_event_add_custom_header(event, "Accept", "application/dialog-info+xml");
    if (linphone_event_send_subscribe(event, NULL) != 0)
        report(phone, "a device cannot be watched");
}

void subscription_changed(LinphoneCore *core, LinphoneEvent *event,
                          LinphoneSubscriptionState state)
{
    struct phone *phone = linphone_core_get_user_data(core);
    struct watch *watch = watch_of(phone, event);
    if (!watch || (state != LinphoneSubscriptionError && state != LinphoneSubscriptionTerminated))
        return;
    report(phone, "a device is not watched any more; trying again");
    for (struct external *each = phone->externals; each < phone->externals + EXTERNALS_MAX; each++)
        if (*each->id && each->watch == watch)
            end_external(phone, each);
    watch->subscription = NULL;
    watch->subscribe_at = cb_now_ms() + RETRY_MS;
    watch->former = event;
}

void watch_due(struct phone *phone, int64_t now)
{
    for (size_t i = 0; i < phone->watch_count; i++) {
        struct watch *watch = &phone->watches[i];
        if (watch->former)
            linphone_event_unref(watch->former);
        watch->former = NULL;
        if (watch->has_gap && watch->subscription)
            linphone_event_refresh_subscribe(watch->subscription);
        watch->has_gap = false;
        if (!watch->subscription && now >= watch->subscribe_at)
            subscribe(phone, watch, now);
    }
}

void watch_open(struct phone *phone)
{
    char words[4096], *rest = words;
    snprintf(words, sizeof words, "%s", phone->options->watch);
    for (char *word; phone->watch_count < WATCHES_MAX && (word = strtok_r(rest, " ,", &rest));)
        snprintf(phone->watches[phone->watch_count++].address,
                 sizeof phone->watches->address, "%s", word);
}

void watch_close(struct phone *phone)
{
    for (size_t i = 0; i < phone->watch_count; i++) {
        LinphoneEvent *event = phone->watches[i].subscription;
        phone->watches[i].subscription = NULL;
        if (event) {
            linphone_event_terminate(event);
            linphone_event_unref(event);
        }
    }
}

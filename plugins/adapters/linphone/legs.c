#include "legs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HIGHEST = 1000000000 }; /* id that is believed */

struct leg *leg_with_id(struct leg *legs, int id)
{
    for (struct leg *leg = legs; leg < legs + LEGS; leg++)
        if (*leg->call && leg->id == id)
            return leg;
    return NULL;
}

struct leg *leg_with_call(struct leg *legs, const char *call)
{
    for (struct leg *leg = legs; *call && leg < legs + LEGS; leg++)
        if (strcmp(leg->call, call) == 0)
            return leg;
    return NULL;
}

struct leg *leg_with_action(struct leg *legs, const char *action)
{
    for (struct leg *leg = legs; *action && leg < legs + LEGS; leg++)
        if (*leg->call && (strcmp(leg->action, action) == 0 || strcmp(leg->ending, action) == 0 ||
                           strcmp(leg->muting, action) == 0))
            return leg;
    return NULL;
}

int64_t leg_answer_by(const struct leg *leg)
{
    int64_t first = *leg->action ? leg->answer_by : INT64_MAX;
    if (*leg->ending && leg->end_by < first)
        first = leg->end_by;
    if (*leg->muting && leg->mute_by < first)
        first = leg->mute_by;
    return first;
}

struct leg *new_leg(struct leg *legs, int id, const char *call)
{
    for (struct leg *leg = legs; leg < legs + LEGS; leg++)
        if (!*leg->call) {
            *leg = (struct leg){.id = id};
            snprintf(leg->call, sizeof leg->call, "%s", call);
            return leg;
        }
    return NULL;
}

json_t *leg_abilities(void)
{
    return json_pack("{s:b, s:b, s:b, s:b}", "supports_grouping", 0, "supports_ungrouping", 0,
                     "supports_transfer", 1, "supports_attended_transfer", 1);
}

json_t *leg_update(const struct leg *leg)
{
    json_t *update = leg_abilities();
    if (update && *leg->name)
        json_object_set_new(update, "display_name", json_string(leg->name));
    if (update && leg->is_held_by_remote)
        json_object_set_new(update, "remote_held", json_true());
    if (update && leg->has_early_media)
        json_object_set_new(update, "has_early_media", json_true());
    return update;
}

void leg_told(struct leg *leg)
{
    leg->told_abilities = true;
    leg->told_established = leg->is_established;
    leg->told_held = leg->is_held;
    leg->told_held_by_remote = leg->is_held_by_remote;
    leg->told_rung = leg->has_rung;
    leg->told_early_media = leg->has_early_media;
}

json_t *leg_live(const struct leg *leg)
{
    const char *state = leg->is_incoming ? "ringing" : leg->has_rung ? "alerting" : "dialing";
    if (leg->is_established)
        state = leg->is_held ? "held" : "active";
    json_t *live = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "call", leg->call, "direction",
                             leg->is_incoming ? "incoming" : "outgoing", "state", state,
                             "remote", "type", "generic", "value", leg->address);
    json_t *update = leg_update(leg);
    if (live && update)
        json_object_update(live, update);
    json_decref(update);
    return live;
}

void make_parents(const char *path)
{
    char folder[4096];
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
        return;
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
}

/* For the user alone: there are names and numbers in it. */
static bool write_private(const json_t *all, const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool is_written = json_dumpfd(all, file, JSON_COMPACT) == 0;
    return close(file) == 0 && is_written;
}

void remember(const char *path, const char *instance, int highest, const struct leg *legs)
{
    char id[16], fresh[4096];
    json_t *calls = json_object();
    for (const struct leg *leg = legs; leg < legs + LEGS; leg++)
        if (*leg->call && leg->id > 0) {
            snprintf(id, sizeof id, "%d", leg->id);
            json_object_set_new(calls, id,
                                json_pack("{s:s, s:s, s:s, s:b}", "call", leg->call, "address",
                                          leg->address, "name", leg->name, "is_incoming",
                                          leg->is_incoming));
        }
    json_t *all = json_pack("{s:s, s:i, s:o}", "instance", instance, "highest", highest, "calls",
                            calls);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    make_parents(path);
    if (!all || !write_private(all, fresh) || rename(fresh, path) < 0)
        fprintf(stderr, "linphone_provider: %s cannot be written (%s); after a restart its calls "
                        "will be new ones\n", path, strerror(errno));
    json_decref(all);
}

struct leg *recall(struct leg *legs, const json_t *known, int id)
{
    char key[16];
    const char *call, *address, *name;
    int is_incoming;
    snprintf(key, sizeof key, "%d", id);
    json_t *found = json_object_get(known, key);
    if (json_unpack(found, "{s:s, s:s, s:s, s:b}", "call", &call, "address", &address, "name",
                    &name, "is_incoming", &is_incoming) < 0 || strlen(call) != 36)
        return NULL;
    struct leg *leg = new_leg(legs, id, call);
    if (!leg)
        return NULL;
    snprintf(leg->address, sizeof leg->address, "%s", address);
    snprintf(leg->name, sizeof leg->name, "%s", name);
    leg->is_incoming = is_incoming;
    return leg;
}

json_t *remembered(const char *path, const char *instance, int *highest)
{
    json_t *all = json_load_file(path, 0, NULL);
    const char *found = json_string_value(json_object_get(all, "instance"));
    json_t *calls = json_object_get(all, "calls");
    json_int_t number = json_integer_value(json_object_get(all, "highest"));
    bool is_same = found && strcmp(found, instance) == 0 && json_is_object(calls);
    *highest = is_same && number > 0 && number <= HIGHEST ? (int)number : 0;
    calls = is_same ? json_incref(calls) : json_object();
    json_decref(all);
    return calls;
}

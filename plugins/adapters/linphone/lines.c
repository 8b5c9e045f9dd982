#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HIGHEST = 1000000000 }; /* id that is believed */

struct line *line_with_id(struct line *lines, int id)
{
    for (struct line *line = lines; line < lines + LINES; line++)
        if (*line->call && line->id == id)
            return line;
    return NULL;
}

struct line *line_with_call(struct line *lines, const char *call)
{
    for (struct line *line = lines; *call && line < lines + LINES; line++)
        if (strcmp(line->call, call) == 0)
            return line;
    return NULL;
}

struct line *line_with_action(struct line *lines, const char *action)
{
    for (struct line *line = lines; *action && line < lines + LINES; line++)
        if (*line->call &&
            (strcmp(line->action, action) == 0 || strcmp(line->ending, action) == 0))
            return line;
    return NULL;
}

struct line *new_line(struct line *lines, int id, const char *call)
{
    for (struct line *line = lines; line < lines + LINES; line++)
        if (!*line->call) {
            *line = (struct line){.id = id};
            snprintf(line->call, sizeof line->call, "%s", call);
            return line;
        }
    return NULL;
}

json_t *line_update(const struct line *line)
{
    json_t *update = json_pack("{s:b, s:b}", "supports_grouping", 0, "supports_ungrouping", 0);
    if (update && *line->name)
        json_object_set_new(update, "display_name", json_string(line->name));
    if (update && line->is_held_by_remote)
        json_object_set_new(update, "remote_held", json_true());
    if (update && line->has_early_media)
        json_object_set_new(update, "has_early_media", json_true());
    return update;
}

void line_told(struct line *line)
{
    line->told_established = line->is_established;
    line->told_held = line->is_held;
    line->told_held_by_remote = line->is_held_by_remote;
    line->told_rung = line->has_rung;
    line->told_early_media = line->has_early_media;
}

json_t *line_live(const struct line *line)
{
    const char *state = line->is_incoming ? "ringing" : line->has_rung ? "alerting" : "dialing";
    if (line->is_established)
        state = line->is_held ? "held" : "active";
    json_t *live = json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "call", line->call, "direction",
                             line->is_incoming ? "incoming" : "outgoing", "state", state,
                             "remote", "type", "generic", "value", line->address);
    json_t *update = line_update(line);
    if (live && update)
        json_object_update(live, update);
    json_decref(update);
    return live;
}

/* The folder of the file, for the user alone. */
static void make_folder(const char *path)
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

void remember(const char *path, const char *instance, int highest, const struct line *lines)
{
    char id[16], fresh[4096];
    json_t *calls = json_object();
    for (const struct line *line = lines; line < lines + LINES; line++)
        if (*line->call && line->id > 0) {
            snprintf(id, sizeof id, "%d", line->id);
            json_object_set_new(calls, id,
                                json_pack("{s:s, s:s, s:s, s:b}", "call", line->call, "address",
                                          line->address, "name", line->name, "is_incoming",
                                          line->is_incoming));
        }
    json_t *all = json_pack("{s:s, s:i, s:o}", "instance", instance, "highest", highest, "calls",
                            calls);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    make_folder(path);
    if (!all || !write_private(all, fresh) || rename(fresh, path) < 0)
        fprintf(stderr, "linphone_provider: %s cannot be written (%s); after a restart its calls "
                        "will be new ones\n", path, strerror(errno));
    json_decref(all);
}

struct line *recall(struct line *lines, const json_t *known, int id)
{
    char key[16];
    const char *call, *address, *name;
    int is_incoming;
    snprintf(key, sizeof key, "%d", id);
    json_t *found = json_object_get(known, key);
    if (json_unpack(found, "{s:s, s:s, s:s, s:b}", "call", &call, "address", &address, "name",
                    &name, "is_incoming", &is_incoming) < 0 || strlen(call) != 36)
        return NULL;
    struct line *line = new_line(lines, id, call);
    if (!line)
        return NULL;
    snprintf(line->address, sizeof line->address, "%s", address);
    snprintf(line->name, sizeof line->name, "%s", name);
    line->is_incoming = is_incoming;
    return line;
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

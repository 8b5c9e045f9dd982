#define _GNU_SOURCE
#include "app.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { POLL_MS = 20, QUIET_MS = 1, ANSWER_MS = 5000 };

bool find_socket(const char *name, char *path, size_t size)
{
    char line[512], *found;
    bool is_found = false;
    if (strchr(name, '/')) {
        snprintf(path, size, "%s", name);
        return access(path, F_OK) == 0;
    }
    FILE *sockets = fopen("/proc/net/unix", "re");
    while (sockets && !is_found && fgets(line, sizeof line, sockets)) {
        line[strcspn(line, "\n")] = '\0';
        found = strchr(line, '/');
        is_found = found && strcmp(strrchr(found, '/') + 1, name) == 0 && strlen(found) < size;
        if (is_found)
            memcpy(path, found, strlen(found) + 1);
    }
    if (sockets)
        fclose(sockets);
    return is_found;
}

/* Process and its start: the process number alone may come again. */
static int name_instance(struct app *app)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    char path[64], text[1024] = "";
    unsigned long long started = 0;
    if (getsockopt(app->descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
        return -errno;
    if (peer.uid != geteuid())
        return -EPERM;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)peer.pid);
    FILE *file = fopen(path, "re");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    const char *after_name = strrchr(text, ')'); /* the 22nd field, the name being the second */
    if (after_name)
        sscanf(after_name + 1,
               " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &started);
    snprintf(app->instance, sizeof app->instance, "%d:%llu", (int)peer.pid, started);
    return 0;
}

/* Writes the path that a process has for a file. */
static void locate(int process, const char *file, char *path, size_t size)
{
    static const char own[] = "/proc/self/";
    if (strncmp(file, own, sizeof own - 1) == 0)
        snprintf(path, size, "/proc/%d/%s", process, file + sizeof own - 1);
    else if (*file == '/')
        snprintf(path, size, "%s", file);
    else
        snprintf(path, size, "/proc/%d/cwd/%s", process, file);
}

bool find_argument(int process, const char *option, char *path, size_t size)
{
    char name[64], given[16384];
    snprintf(name, sizeof name, "/proc/%d/cmdline", process);
    FILE *file = fopen(name, "re");
    size_t count = file ? fread(given, 1, sizeof given - 1, file) : 0;
    if (file)
        fclose(file);
    given[count] = '\0';
    for (char *word = given; word < given + count; word += strlen(word) + 1) {
        char *next = word + strlen(word) + 1;
        if (strcmp(word, option) == 0 && next < given + count) {
            locate(process, next, path, size);
            return true;
        }
    }
    return false;
}

int64_t app_ring_ms(const struct app *app)
{
    char path[4200], line[256];
    int seconds = 30; /* if nothing is set */
    bool is_named = find_argument(atoi(app->instance), "--config", path, sizeof path);
    FILE *file = is_named ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "inc_timeout=%d", &seconds);
    if (file)
        fclose(file);
    return (int64_t)seconds * 1000;
}

int app_open(struct app *app, const char *path, int64_t now)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    app_close(app);
    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    app->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (app->descriptor < 0)
        return -errno;
    int status = connect(app->descriptor, (struct sockaddr *)&address, sizeof address) < 0
                     ? -errno
                     : name_instance(app);
    app->poll_at = now;
    if (status < 0)
        app_close(app);
    return status;
}

void app_close(struct app *app)
{
    if (app->descriptor >= 0)
        close(app->descriptor);
    app->descriptor = -1;
    app->count = app->length = 0;
    app->asked.text[0] = '\0';
}

bool app_ask(struct app *app, const char *text, const char *key, app_replied *replied)
{
    size_t room = sizeof app->queue / sizeof *app->queue;
    if (app->descriptor < 0 || app->count == room || strlen(text) + 1 >= COMMAND_BYTES)
        return false;
    struct command *command = &app->queue[(app->first + app->count++) % room];
    snprintf(command->text, sizeof command->text, "%s", text);
    snprintf(command->key, sizeof command->key, "%s", key);
    command->replied = replied;
    return true;
}

int64_t app_deadline(const struct app *app)
{
    if (app->descriptor < 0)
        return INT64_MAX;
    if (app->asked.text[0])
        return app->length ? app->quiet_at : app->answer_by;
    return app->count ? 0 : app->poll_at;
}

/* False: the connection is over. */
static bool receive(struct app *app, int64_t now)
{
    while (true) {
        size_t room = sizeof app->block - 1 - app->length;
        ssize_t got = recv(app->descriptor, app->block + app->length, room, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EAGAIN;
        if (got == 0 || !app->asked.text[0] || room == 0)
            return false; /* nobody has asked: what is said cannot be told apart any more */
        app->length += (size_t)got;
        app->quiet_at = now + QUIET_MS;
    }
}

static void popped(struct app *app, const char *block, int64_t now)
{
    char kind[64];
    app->poll_at = block_number(block, "Size") > 0 ? now : now + POLL_MS;
    if (block_value(block, "Event-type", kind, sizeof kind) &&
        strcmp(kind, "call-state-changed") == 0)
        app->event(app->context, block);
}

static void answered(struct app *app, int64_t now)
{
    struct command command = app->asked;
    char block[sizeof app->block];
    memcpy(block, app->block, app->length);
    block[app->length] = '\0';
    app->asked.text[0] = '\0';
    app->length = 0;
    if (!command.replied)
        popped(app, block, now);
    else
        command.replied(app->context, command.key, block);
}

static bool send_next(struct app *app, int64_t now)
{
    size_t room = sizeof app->queue / sizeof *app->queue;
    char line[COMMAND_BYTES + 1];
    if (app->count > 0) {
        app->asked = app->queue[app->first];
        app->first = (app->first + 1) % room;
        app->count--;
    } else if (now >= app->poll_at) {
        app->asked = (struct command){.text = "pop-event"};
    } else {
        return true;
    }
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", app->asked.text);
    app->answer_by = now + ANSWER_MS;
    return send(app->descriptor, line, length, MSG_NOSIGNAL) == (ssize_t)length;
}

bool app_process(struct app *app, int64_t now)
{
    if (app->descriptor < 0 || !receive(app, now))
        return false;
    if (app->asked.text[0] && app->length && now >= app->quiet_at)
        answered(app, now);
    if (app->descriptor < 0 || (app->asked.text[0] && !app->length && now >= app->answer_by))
        return false;
    return app->asked.text[0] || send_next(app, now);
}

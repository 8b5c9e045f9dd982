#define _GNU_SOURCE
#include "app_log.h"

#include "app.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    STAMP = 24, /* of "2026-01-02 03:04:05:678 " */
    MESSAGE_MAX = 1 << 20,
    FORMER_MAX = 4 << 20, /* bytes that are read of what was there before */
    FREE_AT = 1 << 18,
    PAGE = 4096
};

bool create_log(char *path, size_t size)
{
    int memory = memfd_create("linphone-log", 0);
    snprintf(path, size, "/proc/self/fd/%d", memory);
    return memory >= 0;
}

void log_open(struct app_log *app_log, int process)
{
    char path[4200], own[32];
    struct stat about;
    log_close(app_log);
    if (!find_argument(process, "--log", path, sizeof path))
        return;
    snprintf(own, sizeof own, "/proc/%d/fd/", process);
    app_log->is_in_memory = strncmp(path, own, strlen(own)) == 0;
    app_log->descriptor =
        open(path, (app_log->is_in_memory ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (app_log->descriptor < 0)
        return;
    if (fstat(app_log->descriptor, &about) < 0 || !S_ISREG(about.st_mode)) {
        log_close(app_log); /* a pipe has other readers */
        return;
    }
    app_log->at = about.st_size > FORMER_MAX ? about.st_size - FORMER_MAX : 0;
    off_t data = lseek(app_log->descriptor, app_log->at, SEEK_DATA);
    app_log->at = app_log->freed = data < 0 ? about.st_size : data;
    app_log->refusals = json_object();
}

void log_close(struct app_log *app_log)
{
    if (app_log->descriptor >= 0)
        close(app_log->descriptor);
    json_decref(app_log->refusals);
    memset(app_log, 0, sizeof *app_log);
    app_log->descriptor = -1;
}

/* ---- Messages */

/* The value of a header, which also has a name of one letter. False: there is none. */
static bool header(const char *message, const char *name, char letter, char *value, size_t size)
{
    for (const char *line = strchr(message, '\n'); line; line = strchr(line, '\n')) {
        line++;
        size_t length = strcspn(line, ":\r\n \t");
        bool is_it = (length == strlen(name) && strncasecmp(line, name, length) == 0) ||
                     (length == 1 && tolower((unsigned char)*line) == letter);
        line += length + strspn(line + length, " \t");
        if (*line == '\r' || *line == '\n')
            return false; /* the body follows */
        if (!is_it || *line != ':')
            continue;
        line += 1 + strspn(line + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(line, "\r\n"), line);
        return true;
    }
    return false;
}

static struct placed *call_with_id(struct app_log *app_log, const char *id)
{
    size_t count = sizeof app_log->calls / sizeof *app_log->calls;
    for (struct placed *call = app_log->calls; call < app_log->calls + count; call++)
        if (*call->address && strcmp(call->id, id) == 0)
            return call;
    return NULL;
}

/* The first INVITE after the line about a call is that call's; a later one has the password. */
static void invited(struct app_log *app_log, const char *id)
{
    struct placed *call = call_with_id(app_log, id), *newest = &app_log->calls[app_log->newest];
    if (!call && *newest->address && !*newest->id) {
        snprintf(newest->id, sizeof newest->id, "%s", id);
        call = newest;
    }
    if (call)
        call->response.code = 0;
}

/* sip:ada@example.org of an address with a port, or in a header. */
static void bare_address(const char *text, char *address, size_t size)
{
    char name[2];
    read_address(text, address, size, name, sizeof name);
    char *host = strchr(address, '@'), *port = host ? strchr(host, ':') : NULL;
    if (port)
        *port = '\0';
}

static void registered(struct app_log *app_log, const char *message, const struct response *response)
{
    char to[512], address[257], text[PHRASE_BYTES + 8];
    if (!header(message, "To", 't', to, sizeof to))
        return;
    bare_address(to, address, sizeof address);
    snprintf(text, sizeof text, "%d %s", response->code, response->phrase);
    if (response->code >= 300)
        json_object_set_new(app_log->refusals, address, json_string(text));
    else
        json_object_del(app_log->refusals, address);
}

/* "SIP/2.0 486 Busy Here". False: it is a request, or no final response. */
static bool read_response(const char *message, struct response *response)
{
    int begin = 0;
    *response = (struct response){.code = 0};
    if (sscanf(message, "SIP/2.0 %3d %n", &response->code, &begin) != 1 || begin == 0 ||
        response->code < 200 || response->code > 699)
        return false;
    snprintf(response->phrase, sizeof response->phrase, "%.*s",
             (int)strcspn(message + begin, "\r\n"), message + begin);
    make_utf8(response->phrase);
    return true;
}

static void message_read(struct app_log *app_log)
{
    const char *message = app_log->text;
    char id[128], sequence[64], method[16] = "";
    struct response response;
    struct placed *call;
    if (!header(message, "Call-ID", 'i', id, sizeof id) ||
        !header(message, "CSeq", '\0', sequence, sizeof sequence) ||
        sscanf(sequence, "%*u %15s", method) != 1)
        return;
    if (app_log->is_sent && strncmp(message, "INVITE ", 7) == 0) {
        invited(app_log, id);
    } else if (!app_log->is_sent && read_response(message, &response)) {
        if (strcmp(method, "REGISTER") == 0)
            registered(app_log, message, &response);
        else if (strcmp(method, "INVITE") == 0 && (call = call_with_id(app_log, id)))
            call->response = response;
    }
}

/* ---- Lines */

static void placed(struct app_log *app_log, const char *address)
{
    char name[2];
    app_log->newest = (app_log->newest + 1) % (sizeof app_log->calls / sizeof *app_log->calls);
    struct placed *call = &app_log->calls[app_log->newest];
    *call = (struct placed){.id = ""};
    read_address(address, call->address, sizeof call->address, name, sizeof name);
}

/* The number behind a word; 0 without one. */
static size_t number_after(const char *text, const char *word)
{
    unsigned number = 0;
    const char *found = strstr(text, word);
    return found && sscanf(found + strlen(word), "%u]", &number) == 1 ? number : 0;
}

/* A message follows its line, as long as that says: nothing in it is taken for a line. */
static void line_read(struct app_log *app_log)
{
    static const char channel[] = "belle-sip-message-channel [", call[] = "liblinphone-message-";
    const char *line = app_log->text + STAMP;
    if (app_log->length <= STAMP)
        return;
    if (strncmp(line, channel, sizeof channel - 1) == 0) {
        size_t came = number_after(line, "]: received ["), went = number_after(line, "], size: [");
        app_log->is_sent = came == 0;
        app_log->left = came ? came : went;
        if (app_log->left > MESSAGE_MAX)
            app_log->left = 0;
    } else if (strncmp(line, call, sizeof call - 1) == 0) {
        char *address = strstr(line, "] calling ["), *end = strstr(line, "] on op [");
        if (address && end && address < end) {
            *end = '\0';
            placed(app_log, address + strlen("] calling ["));
        }
    }
}

static void feed(struct app_log *app_log, const char *bytes, size_t count)
{
    for (const char *byte = bytes; byte < bytes + count; byte++) {
        bool is_message = app_log->left > 0, is_end = is_message ? --app_log->left == 0 : *byte == '\n';
        if ((is_message || !is_end) && app_log->length + 1 < sizeof app_log->text)
            app_log->text[app_log->length++] = *byte ? *byte : ' ';
        if (!is_end)
            continue;
        app_log->text[app_log->length] = '\0';
        if (is_message)
            message_read(app_log);
        else
            line_read(app_log);
        app_log->length = 0;
    }
}

/* Gives back the memory of what was read. */
static void free_read(struct app_log *app_log)
{
    off_t until = app_log->at / PAGE * PAGE;
    if (!app_log->is_in_memory || until - app_log->freed < FREE_AT)
        return;
    fallocate(app_log->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, until);
    app_log->freed = until;
}

void log_read(struct app_log *app_log)
{
    char bytes[16384];
    if (app_log->descriptor < 0)
        return;
    while (true) {
        ssize_t got = pread(app_log->descriptor, bytes, sizeof bytes, app_log->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        app_log->at += got;
        feed(app_log, bytes, (size_t)got);
    }
    free_read(app_log);
}

bool log_take(struct app_log *app_log, const char *address, struct response *response)
{
    size_t count = sizeof app_log->calls / sizeof *app_log->calls;
    log_read(app_log);
    for (size_t age = 0; age < count; age++) {
        struct placed *call = &app_log->calls[(app_log->newest + count - age) % count];
        if (strcmp(call->address, address) != 0)
            continue;
        *response = call->response;
        *call = (struct placed){.id = ""};
        return response->code >= 300;
    }
    return false;
}

void log_add_reasons(const struct app_log *app_log, json_t *lines)
{
    size_t i;
    json_t *line;
    char address[257];
    json_array_foreach(lines, i, line) {
        if (strcmp(json_string_value(json_object_get(line, "state")), "failed") != 0)
            continue;
        bare_address(json_string_value(json_object_get(line, "line")), address, sizeof address);
        json_t *reason = json_object_get(app_log->refusals, address);
        if (reason)
            json_object_set(line, "reason", reason);
    }
}

#define _GNU_SOURCE
#include "scripted_broker.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

cb_client *client;
int64_t now;
const char *socket_path;

static int listener = -1, peer = -1;
static char received[1 << 20], story[1 << 16];
static size_t received_length;
static json_t *frame;

/* ---- Checks */

void check(bool is_true, const char *what, const char *file, int line)
{
    if (is_true)
        return;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
    exit(1);
}

json_t *from_text(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *value = json_loads(copy, JSON_DECODE_ANY, NULL);
    free(copy);
    CHECK(value);
    return value;
}

void check_json(const json_t *value, const char *text, const char *file, int line)
{
    json_t *expected = from_text(text);
    if (!json_equal(value, expected)) {
        char *found = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
        fprintf(stderr, "%s:%d: expected %s\nfound %s\n", file, line, text,
                found ? found : "nothing");
        exit(1);
    }
    json_decref(expected);
}

void check_story(const char *text, const char *file, int line)
{
    if (strcmp(story, text) != 0) {
        fprintf(stderr, "%s:%d: expected the story\n%s\nfound\n%s\n", file, line, text, story);
        exit(1);
    }
    story[0] = '\0';
}

void note(const char *format, ...)
{
    size_t length = strlen(story);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(story + length, sizeof story - length, format, arguments);
    va_end(arguments);
    strncat(story, "; ", sizeof story - strlen(story) - 1);
}

/* ---- Handlers that write down what they are told */

static void opened(cb_client *told, void *context)
{
    CHECK(told == client && context == &now && cb_is_open(client));
    note("opened");
}

static void lost(cb_client *told, const cb_error *why, bool over, void *context)
{
    CHECK(told == client && context == &now && !cb_is_open(client));
    note("%s: %d %s", over ? "over" : "lost", why->code, why->reason);
}

static void dropped(cb_client *told, const char *call, void *context)
{
    CHECK(told == client && context == &now);
    note("dropped %s", call);
}

static void perform(cb_client *told, const cb_action *action, void *context)
{
    CHECK(told == client && context == &now);
    note("perform %s %s", action->kind, action->id);
}

static void withdrawn(cb_client *told, const char *action, void *context)
{
    CHECK(told == client && context == &now);
    note("withdrawn %s", action);
}

static void heard(cb_client *told, const char *method, const json_t *params, void *context)
{
    CHECK(told == client && context == &now && json_is_object(params));
    note("told %s", method);
}

void replied(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    CHECK(told == client && (result == NULL) != (error == NULL));
    char *text = result ? json_dumps(result, JSON_COMPACT) : NULL;
    if (result)
        note("%s: %s", (const char *)context, text);
    else
        note("%s: %d %s", (const char *)context, error->code, error->reason);
    free(text);
}

cb_options controller_options(void)
{
    return (cb_options){
        .name = "test", .socket = socket_path, .context = &now,
        .handlers = {.opened = opened, .lost = lost, .told = heard}};
}

cb_options provider_options(void)
{
    static json_t *registration;
    json_decref(registration);
    registration = from_text("{'display_name': 'A', 'handle_types': ['phone']}");
    cb_options options = controller_options();
    options.identity = "org.example.a";
    options.registration = registration;
    options.handlers.dropped = dropped;
    options.handlers.perform = perform;
    options.handlers.withdrawn = withdrawn;
    return options;
}

/* ---- The broker */

static void listen_again(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
    unlink(socket_path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(listener, 16) == 0);
}

void stop_listening(void)
{
    if (listener >= 0)
        close(listener);
    listener = -1;
    unlink(socket_path);
}

void start(cb_options options)
{
    if (listener < 0)
        listen_again();
    story[0] = '\0';
    now = 1000;
    client = cb_new(&options);
    CHECK(client);
}

void stop(void)
{
    cb_free(client);
    client = NULL;
    hang_up();
    stop_listening();
    json_decref(frame);
    frame = NULL;
}

bool turn(void)
{
    return cb_process(client, now);
}

void accept_client(void)
{
    if (listener < 0)
        listen_again();
    hang_up();
    if (cb_descriptor(client) < 0 && cb_deadline_ms(client) > now)
        now = cb_deadline_ms(client);
    turn();
    peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    CHECK(peer >= 0);
    received_length = 0;
}

void hang_up(void)
{
    if (peer >= 0)
        close(peer);
    peer = -1;
}

void lose(void)
{
    hang_up();
    turn();
    turn();
}

static ssize_t receive(void)
{
    ssize_t count = recv(peer, received + received_length, sizeof received - received_length, 0);
    if (count > 0)
        received_length += (size_t)count;
    return count;
}

bool is_hung_up(void)
{
    char byte;
    return recv(peer, &byte, 1, MSG_PEEK) == 0;
}

static json_t *next_line(void)
{
    char *feed = memchr(received, '\n', received_length);
    if (!feed)
        return NULL;
    json_t *line = json_loadb(received, (size_t)(feed - received), 0, NULL);
    received_length -= (size_t)(feed + 1 - received);
    memmove(received, feed + 1, received_length);
    CHECK(line);
    return line;
}

const json_t *read_frame(const char *method)
{
    json_decref(frame);
    frame = next_line();
    for (int i = 0; i < 64 && !frame; i++) {
        turn();
        receive();
        frame = next_line();
    }
    CHECK(frame);
    CHECK_JSON(json_object_get(frame, "jsonrpc"), "'2.0'");
    const char *found = json_string_value(json_object_get(frame, "method"));
    if (method && (!found || strcmp(found, method) != 0))
        fprintf(stderr, "expected %s, found %s\n", method, json_dumps(frame, 0));
    CHECK(!method || (found && strcmp(found, method) == 0));
    return frame;
}

const char *read_rest(void)
{
    static char rest[sizeof received];
    if (client)
        turn();
    while (receive() > 0)
        continue;
    memcpy(rest, received, received_length);
    rest[received_length] = '\0';
    received_length = 0;
    return rest;
}

void send_bytes(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = send(peer, bytes, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN)
            turn();
        else if (count < 0)
            return;
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
}

void send_text(const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text - 1, format, arguments);
    va_end(arguments);
    CHECK(length >= 0 && length < (int)sizeof text - 1);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    strcat(text, "\n");
    send_bytes(text, (size_t)length + 1);
}

void reply(const json_t *request, const char *result)
{
    send_text("{'id': %lld, 'result': %s}",
              (long long)json_integer_value(json_object_get(request, "id")), result);
}

void greet(void)
{
    reply(read_frame("broker.hello"),
          "{'protocol': 1, 'session': {'session': 'S', 'secret': 's3cret', 'resumed': false},"
          " 'denied_roles': [], 'limits': {'frame_bytes': 65536}}");
    turn();
    if (cb_is_open(client))
        return;
    reply(read_frame("provider.register"), "{'provider': 'org.example.a', 'dropped': []}");
    turn();
}

void begin_provider(void)
{
    start(provider_options());
    accept_client();
    greet();
    CHECK_STORY("opened; ");
}

void begin_controller(void)
{
    start(controller_options());
    accept_client();
    greet();
    CHECK_STORY("opened; ");
}

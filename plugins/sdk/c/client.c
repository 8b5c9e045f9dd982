/* A client's life: connecting, opening a session, losing and renewing it. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* ---- Making one */

static void *from_heap(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void to_heap(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static int default_path(char *path)
{
    const char *given = getenv("BROKER_SOCKET");
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    const char *temporary = getenv("TMPDIR");
    if (given && *given)
        return snprintf(path, PATH_BYTES, "%s", given);
    if (runtime && *runtime)
        return snprintf(path, PATH_BYTES, "%s/callbroker/broker.sock", runtime);
    if (getuid() == 0)
        return snprintf(path, PATH_BYTES, "/run/callbroker/broker.sock");
    return snprintf(path, PATH_BYTES, "%s/callbroker-%u/broker.sock",
                    temporary && *temporary ? temporary : "/tmp", (unsigned)getuid());
}

/* As an array what ends with NULL. */
static json_t *words(const char *const *word)
{
    json_t *array = json_array();
    for (; array && *word; word++)
        if (json_array_append_new(array, json_string(*word)) < 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *roles(const cb_options *options)
{
    const char *const provider[] = {"provider", "controller", NULL};
    const char *const controller[] = {"controller", "observer", NULL};
    if (options->roles)
        return words(options->roles);
    return words(options->registration ? provider : controller);
}

/* The params of hello. */
static json_t *introduction(const cb_options *options, int *status)
{
    json_t *wanted = roles(options);
    json_t *features = options->features ? words(options->features) : NULL;
    if (!wanted || (options->features && !features)) {
        json_decref(wanted);
        json_decref(features);
        *status = -ENOMEM;
        return NULL;
    }
    json_t *hello = cbi_object(
        status, "{s:{s:i, s:i}, s:{s:s, s:s, s:s*}, s:O, s:s*, s:s*, s:O*}", "protocol", "min", 1, "max",
        1, "client", "name", options->name, "version", options->version ? options->version : "0",
        "url", options->url, "roles", wanted, "identity", options->identity, "credential",
        options->credential, "features", features);
    json_decref(wanted);
    json_decref(features);
    return hello;
}

static int set_values(cb_client *client, const cb_options *options)
{
    int status = 0;
    client->introduction = introduction(options, &status);
    if (!client->introduction)
        return status;
    client->empty = json_object();
    client->registration = json_deep_copy(options->registration);
    if (!client->empty || (options->registration && !client->registration))
        return -ENOMEM;
    if (!client->handlers.execute || !client->registration)
        return 0;
    return json_object_set_new(client->registration, "takes_transactions", json_true()) < 0
               ? -ENOMEM : 0;
}

static int set_address(cb_client *client, const cb_options *options)
{
    client->descriptor = -1;
    if (options->descriptor) {
        int flags = fcntl(options->descriptor, F_GETFL);
        if (flags < 0 || fcntl(options->descriptor, F_SETFL, flags | O_NONBLOCK) < 0)
            return -errno;
        client->descriptor = options->descriptor;
        return 0;
    }
    client->has_path = true;
    int length = options->socket ? snprintf(client->path, PATH_BYTES, "%s", options->socket)
                                 : default_path(client->path);
    return length > 0 && length < PATH_BYTES ? 0 : -EINVAL;
}

static int set_up(cb_client *client, const cb_options *options)
{
    int64_t first = options->backoff_first_ms, longest = options->backoff_longest_ms;
    client->handlers = options->handlers;
    client->context = options->context;
    client->request_timeout_ms = options->request_timeout_ms;
    client->backoff_first_ms = first ? first : 100;
    client->backoff_longest_ms = longest ? longest : 5000;
    if (!options->name || (options->registration && !json_is_object(options->registration)))
        return -EINVAL;
    int status = set_address(client, options);
    return status < 0 ? status : set_values(client, options);
}

static void release(cb_client *client)
{
    cbi_forget_actions(client);
    json_decref(client->introduction);
    json_decref(client->registration);
    json_decref(client->hello);
    json_decref(client->registered);
    json_decref(client->calls);
    json_decref(client->empty);
    client->allocator.release(client->allocator.context, client);
}

/* One block: the client, its input, its output. */
cb_client *cb_new(const cb_options *options)
{
    cb_allocator allocator = options->allocator;
    if (!allocator.allocate || !allocator.release)
        allocator = (cb_allocator){from_heap, to_heap, NULL};
    size_t input = options->frame_bytes ? options->frame_bytes : FRAME_BYTES;
    if (input > SIZE_MAX / 2) {
        errno = EINVAL;
        return NULL;
    }
    cb_client *client = allocator.allocate(allocator.context,
                                           sizeof *client + input + OUTPUT_BYTES);
    if (!client) {
        errno = ENOMEM;
        return NULL;
    }
    *client = (cb_client){.allocator = allocator};
    client->input = (struct buffer){.bytes = (char *)(client + 1), .size = input};
    client->output = (struct buffer){.bytes = client->input.bytes + input,
                                     .size = OUTPUT_BYTES};
    int status = set_up(client, options);
    if (status < 0) {
        release(client);
        errno = -status;
        return NULL;
    }
    return client;
}

void cb_free(cb_client *client)
{
    if (!client)
        return;
    cb_close(client, false);
    release(client);
}

/* ---- Opening a session */

static json_t *hello_params(const cb_client *client)
{
    json_t *params = json_copy(client->introduction);
    if (!params || !client->registration || !*client->session)
        return params;
    json_t *resume = json_pack("{s:s, s:s}", "session", client->session, "secret", client->secret);
    if (json_object_set_new(params, "resume", resume) == 0)
        return params;
    json_decref(params);
    return NULL;
}

static void keep_session(cb_client *client, const json_t *session)
{
    const char *name = cbi_text(session, "session"), *secret = cbi_text(session, "secret");
    client->session[0] = '\0';
    if (strlen(name) < sizeof client->session && strlen(secret) < sizeof client->secret) {
        strcpy(client->session, name);
        strcpy(client->secret, secret);
    }
}

/* The role that matters most, the first one, may have been denied. */
static const json_t *denied(const cb_client *client)
{
    const json_t *roles = json_object_get(client->introduction, "roles");
    const char *wanted = json_string_value(json_array_get(roles, 0));
    const json_t *list = json_object_get(client->hello, "denied_roles");
    for (size_t i = 0; wanted && i < json_array_size(list); i++)
        if (strcmp(cbi_text(json_array_get(list, i), "role"), wanted) == 0)
            return json_array_get(list, i);
    return NULL;
}

void cbi_open(cb_client *client)
{
    client->state = OPEN;
    client->held_back = 0;
    client->tries = 0;
    if (client->handlers.opened)
        client->handlers.opened(client, client->context);
}

static void greeted(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    (void)context;
    if (client->state != OPENING)
        return;
    if (error) {
        cbi_lose(client, error, false);
        return;
    }
    const json_t *limits = json_object_get(result, "limits");
    json_int_t most = json_integer_value(json_object_get(limits, "frame_bytes"));
    client->frame_bytes = most > 0 ? (size_t)most : FRAME_BYTES;
    json_decref(client->hello);
    client->hello = json_incref((json_t *)result);
    keep_session(client, json_object_get(result, "session"));
    const json_t *denial = denied(client);
    if (denial) {
        cb_error why = {CB_PERMISSION_DENIED, cbi_text(denial, "reason"), "the role was denied",
                        NULL};
        cbi_lose(client, &why, true);
    } else if (client->registration) {
        cbi_register(client);
    } else {
        cbi_open(client);
    }
}

static void begin(cb_client *client)
{
    client->state = OPENING;
    client->connections++;
    client->frame_bytes = FRAME_BYTES;
    json_t *params = hello_params(client);
    int64_t status = params ? cbi_ask(client, "broker.hello", params, greeted, NULL, OPENING_MS)
                            : -ENOMEM;
    if (status < 0)
        client->trouble = (int)-status;
}

/* Connecting to a Unix socket is done at once or fails. */
static void connect_now(cb_client *client)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, client->path, PATH_BYTES);
    client->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (client->descriptor < 0 ||
        connect(client->descriptor, (struct sockaddr *)&address, sizeof address) < 0)
        client->trouble = errno;
    else
        begin(client);
}

/* ---- Losing it */

/* What another try would not change. */
static bool is_hopeless(const cb_client *client, const cb_error *why)
{
    bool refused = client->state == OPENING && why->code < 0;
    bool passes = why->code == CB_ALREADY_EXISTS || why->code == CB_OVERLOADED ||
                  why->code == CB_STOPPING ||
                  json_is_true(json_object_get(why->data, "retryable"));
    return client->is_dismissed || !client->has_path || (refused && !passes);
}

/* Doubling, and a fifth more or less so that not all come back at once. */
static int64_t delay(cb_client *client)
{
    int64_t wait = client->backoff_first_ms;
    for (int i = 0; i < client->tries && wait < client->backoff_longest_ms; i++)
        wait *= 2;
    if (wait > client->backoff_longest_ms)
        wait = client->backoff_longest_ms;
    uint32_t dice = 0;
    if (getrandom(&dice, sizeof dice, GRND_NONBLOCK) != sizeof dice)
        dice = 200;
    wait = wait * (800 + dice % 401) / 1000;
    client->tries += client->tries < 64;
    int64_t least = client->retry_after_ms;
    client->retry_after_ms = 0;
    return wait > least ? wait : least;
}

static void disconnect(cb_client *client, bool over)
{
    static const cb_error lost = {CB_DISCONNECTED, "disconnected", "the connection was lost", NULL};
    if (client->descriptor >= 0)
        close(client->descriptor);
    client->descriptor = -1;
    client->trouble = 0;
    client->state = over ? OVER : WAITING;
    client->input.start = client->input.end = client->output.start = client->output.end = 0;
    client->held_back = 0;
    json_decref(client->calls);
    client->calls = NULL;
    cbi_forget_requests(client);
    cbi_fail_requests(client, &lost);
}

void cbi_lose(cb_client *client, const cb_error *why, bool over)
{
    over = over || is_hopeless(client, why);
    if (!over)
        client->retry_at_ms = client->now_ms + delay(client);
    if (client->descriptor >= 0)
        cbi_flush(client);
    disconnect(client, over);
    bool is_closed = client->state == OVER && !over; /* by a handler meanwhile */
    if (client->handlers.lost && !is_closed)
        client->handlers.lost(client, why, over, client->context);
}

void cbi_dismissed(cb_client *client, const json_t *params)
{
    json_int_t after = json_integer_value(json_object_get(params, "reconnect_after_ms"));
    const char *reason = cbi_text(params, "reason");
    client->retry_after_ms = after > 0 && after <= 600000 ? after : 0;
    if (json_is_false(json_object_get(params, "resumable")))
        client->session[0] = '\0';
    /* Another of us, or nobody, goes on. */
    if (strcmp(reason, "superseded") == 0 || strcmp(reason, "stop") == 0)
        client->is_dismissed = true;
}

void cb_close(cb_client *client, bool resumable)
{
    if (client->state == OVER)
        return;
    int status;
    json_t *params = cbi_object(&status, "{s:s, s:b}", "reason", "closed", "resumable", resumable);
    if (client->state == OPEN)
        cb_notify(client, "broker.goodbye", params);
    else
        json_decref(params);
    if (client->descriptor >= 0)
        cbi_flush(client);
    disconnect(client, true);
}

/* ---- A place in a loop */

bool cb_is_open(const cb_client *client)
{
    return client->state == OPEN && !client->trouble;
}

const json_t *cb_hello(const cb_client *client)
{
    return client->hello;
}

const json_t *cb_registered(const cb_client *client)
{
    return client->registered;
}

int cb_descriptor(const cb_client *client)
{
    return client->descriptor;
}

short cb_events(const cb_client *client)
{
    return cbi_ready(client) > 0 ? POLLIN | POLLOUT : POLLIN;
}

int64_t cb_deadline_ms(const cb_client *client)
{
    if (client->state == OVER)
        return INT64_MAX;
    if (client->trouble || (client->state == WAITING && client->descriptor >= 0))
        return client->now_ms;
    int64_t next = client->state == WAITING ? client->retry_at_ms : INT64_MAX;
    for (size_t i = 0; i < REQUESTS; i++)
        if (client->requests[i].number && client->requests[i].deadline_ms < next)
            next = client->requests[i].deadline_ms;
    return next;
}

int cb_timeout_ms(const cb_client *client, int64_t now_ms)
{
    int64_t deadline = cb_deadline_ms(client);
    if (deadline == INT64_MAX)
        return -1;
    if (deadline <= now_ms)
        return 0;
    return deadline - now_ms > INT_MAX ? INT_MAX : (int)(deadline - now_ms);
}

int64_t cb_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle_trouble(cb_client *client)
{
    int cause = client->trouble;
    cb_error why = {CB_DISCONNECTED, "disconnected", strerror(cause), NULL};
    if (cause == ENOMEM)
        why.reason = "out_of_memory";
    if (cause == EPROTO || cause == EMSGSIZE)
        why.reason = cause == EPROTO ? "parse_error" : "frame_bytes";
    cbi_lose(client, &why, false);
}

bool cb_process(cb_client *client, int64_t now_ms)
{
    client->now_ms = now_ms;
    if (client->state == WAITING && client->descriptor >= 0)
        begin(client);
    else if (client->state == WAITING && now_ms >= client->retry_at_ms)
        connect_now(client);
    if (client->descriptor >= 0 && !client->trouble)
        cbi_receive(client);
    cbi_time_out(client);
    if (client->descriptor >= 0 && !client->trouble)
        cbi_flush(client);
    if (client->trouble)
        handle_trouble(client);
    return client->state != OVER;
}

bool cb_turn(cb_client *client)
{
    if (client->state == OVER)
        return false;
    struct pollfd wait = {cb_descriptor(client), cb_events(client), 0};
    poll(&wait, 1, cb_timeout_ms(client, cb_now_ms()));
    return cb_process(client, cb_now_ms());
}

int cb_stdio(void)
{
    int descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3);
    return descriptor < 0 || dup2(2, 1) < 0 ? -1 : descriptor;
}

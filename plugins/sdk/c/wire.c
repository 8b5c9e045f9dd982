/* Frames: lines of JSON, requests and their replies, in both directions. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>

#define TOKEN_BITS 32

/* ---- Values */

/* A new object, or NULL with the status -EINVAL or -ENOMEM. */
json_t *cbi_object(int *status, const char *format, ...)
{
    json_error_t error;
    va_list arguments;
    va_start(arguments, format);
    json_t *object = json_vpack_ex(&error, 0, format, arguments);
    va_end(arguments);
    enum json_error_code code = object ? json_error_unknown : json_error_code(&error);
    bool is_wrong = code == json_error_invalid_utf8 || code == json_error_null_value;
    *status = object ? 0 : is_wrong ? -EINVAL : -ENOMEM;
    return object;
}

/* The params with the members of the update, which it takes. */
json_t *cbi_with(json_t *params, json_t *update, int *status)
{
    bool is_sound = !update || json_is_object(update);
    if (params && (!is_sound || (update && json_object_update(params, update) < 0))) {
        json_decref(params);
        params = NULL;
        *status = is_sound ? -ENOMEM : -EINVAL;
    }
    json_decref(update);
    return params;
}

/* The text of a member, or "". */
const char *cbi_text(const json_t *object, const char *member)
{
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

/* An error object, or NULL with the status -EINVAL or -ENOMEM. */
json_t *cbi_failure(int *status, int code, const char *reason, const char *message)
{
    return cbi_object(status, "{s:i, s:s, s:{s:s}}", "code", code, "message",
                      message ? message : reason, "data", "reason", reason);
}

/* An error object of any shape. */
cb_error cbi_error(const json_t *error)
{
    const json_t *data = json_object_get(error, "data");
    json_int_t code = json_integer_value(json_object_get(error, "code"));
    bool is_sound = code < 0 && code >= INT32_MIN;
    return (cb_error){
        .code = is_sound ? (int)code : CB_BROKER_ERROR,
        .reason = cbi_text(data, "reason"),
        .message = cbi_text(error, "message"),
        .data = json_is_object(data) ? data : NULL,
    };
}

/* ---- Sending */

/* Moves what is left to the front, so that all that is free is behind it. */
static void compact(struct buffer *buffer)
{
    if (buffer->start == 0)
        return;
    memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->end - buffer->start);
    buffer->end -= buffer->start;
    buffer->start = 0;
}

static void reverse(char *bytes, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

/* The second part comes before the first. */
static void swap_parts(char *bytes, size_t first, size_t second)
{
    reverse(bytes, first);
    reverse(bytes + first, second);
    reverse(bytes, first + second);
}

/* Queues a frame, which it takes, whole or not at all: at the end, or before those that wait. */
static int queue(cb_client *client, json_t *frame, bool waits)
{
    struct buffer *output = &client->output;
    if (!frame)
        return -ENOMEM;
    compact(output);
    size_t room = output->size - output->end;
    size_t length = json_dumpb(frame, output->bytes + output->end, room, JSON_COMPACT);
    json_decref(frame);
    if (length == 0)
        return -ENOMEM;
    if (length >= client->frame_bytes)
        return -EMSGSIZE;
    if (length >= room)
        return -EAGAIN;
    output->end += length;
    output->bytes[output->end++] = '\n';
    if (waits)
        client->held_back += length + 1;
    else if (client->held_back)
        swap_parts(output->bytes + output->end - length - 1 - client->held_back,
                   client->held_back, length + 1);
    return 0;
}

int cbi_send(cb_client *client, json_t *frame)
{
    return queue(client, frame, false);
}

/* The bytes of the output that can be sent now. */
size_t cbi_ready(const cb_client *client)
{
    return client->output.end - client->output.start - client->held_back;
}

/* What happens once the calls that live are listed is not among them, and must not be lost: it
 * waits for the session, behind all pages. */
static bool is_listed(const cb_client *client)
{
    return client->state == OPENING && client->calls;
}

static bool is_opening(const char *method)
{
    return strcmp(method, "broker.hello") == 0 || strcmp(method, "provider.register") == 0;
}

static int send_method(cb_client *client, int64_t number, const char *method, json_t *params)
{
    int status;
    if (!method || (params && !json_is_object(params))) {
        json_decref(params);
        return -EINVAL;
    }
    json_t *frame = number ? cbi_object(&status, "{s:s, s:I, s:s, s:O*}", "jsonrpc", "2.0", "id",
                                        (json_int_t)number, "method", method, "params", params)
                           : cbi_object(&status, "{s:s, s:s, s:O*}", "jsonrpc", "2.0", "method",
                                        method, "params", params);
    json_decref(params);
    return frame ? queue(client, frame, is_listed(client) && !is_opening(method)) : status;
}

int64_t cbi_ask(cb_client *client, const char *method, json_t *params, cb_replied *replied,
                void *context, int64_t timeout_ms)
{
    struct request *open = NULL;
    for (size_t i = 0; i < REQUESTS && !open; i++)
        open = client->requests[i].number ? NULL : &client->requests[i];
    if (!open) {
        json_decref(params);
        return -EAGAIN;
    }
    int64_t number = ++client->numbers;
    int status = send_method(client, number, method, params);
    if (status < 0)
        return status;
    int64_t deadline = timeout_ms ? client->now_ms + timeout_ms : INT64_MAX;
    *open = (struct request){number, deadline, replied, context};
    return number;
}

static bool can_ask(const cb_client *client)
{
    return cb_is_open(client) || (is_listed(client) && !client->trouble);
}

int64_t cb_request(cb_client *client, const char *method, json_t *params, cb_replied *replied,
                   void *context)
{
    if (!can_ask(client)) {
        json_decref(params);
        return -ENOTCONN;
    }
    return cbi_ask(client, method, params, replied, context, client->request_timeout_ms);
}

int cb_notify(cb_client *client, const char *method, json_t *params)
{
    if (!can_ask(client)) {
        json_decref(params);
        return -ENOTCONN;
    }
    return send_method(client, 0, method, params);
}

static int take_back(cb_client *client, int64_t number)
{
    int status;
    json_t *params = cbi_object(&status, "{s:I}", "request", (json_int_t)number);
    return params ? send_method(client, 0, "broker.cancel", params) : status;
}

int cb_cancel(cb_client *client, int64_t request)
{
    for (size_t i = 0; request > 0 && i < REQUESTS; i++)
        if (client->requests[i].number == request)
            return take_back(client, request);
    return -ENOENT;
}

/* ---- Answering */

/* The broker is not left waiting: if it cannot be answered now the connection ends, and it asks
 * again. */
static int answered(cb_client *client, int status)
{
    if (status == -ENOMEM || status == -EAGAIN)
        client->trouble = -status;
    return status;
}

static int send_answer(cb_client *client, json_t *id, const char *member, json_t *value)
{
    json_t *frame = id && value ? json_pack("{s:s, s:O, s:O}", "jsonrpc", "2.0", "id", id, member,
                                            value)
                                : NULL;
    json_decref(value);
    return answered(client, cbi_send(client, frame));
}

static json_t *too_long(void)
{
    int status;
    return cbi_failure(&status, CB_INTERNAL, "frame_bytes", "the answer is too long to be sent");
}

/* Answers with `result` or `error`, which it takes. */
int cbi_answer(cb_client *client, cb_token request, const char *member, json_t *value)
{
    if (request >> TOKEN_BITS != client->connections || client->descriptor < 0) {
        json_decref(value);
        return -ESTALE;
    }
    json_t *id = json_integer(request & UINT32_MAX);
    int status = send_answer(client, id, member, value);
    if (status == -EMSGSIZE)
        send_answer(client, id, "error", too_long());
    json_decref(id);
    return status;
}

int cb_respond(cb_client *client, cb_token request, json_t *result)
{
    if (result && !json_is_object(result)) {
        json_decref(result);
        return -EINVAL;
    }
    return cbi_answer(client, request, "result", result ? result : json_object());
}

int cb_refuse(cb_client *client, cb_token request, int code, const char *reason,
              const char *message)
{
    int status;
    json_t *error = cbi_failure(&status, code, reason, message);
    return error ? cbi_answer(client, request, "error", error) : answered(client, status);
}

/* ---- Receiving */

static void replied(cb_client *client, const json_t *frame)
{
    const json_t *number = json_object_get(frame, "id");
    const json_t *result = json_object_get(frame, "result");
    const json_t *error = json_object_get(frame, "error");
    struct request *open = NULL;
    for (size_t i = 0; i < REQUESTS && json_integer_value(number) > 0; i++)
        if (client->requests[i].number == json_integer_value(number))
            open = &client->requests[i];
    if (!open)
        return; /* late, twice, or unasked */
    struct request request = *open;
    *open = (struct request){0};
    if (!request.replied)
        return;
    if (error) {
        cb_error failure = cbi_error(error);
        request.replied(client, NULL, &failure, request.context);
    } else {
        request.replied(client, json_is_object(result) ? result : client->empty, NULL,
                        request.context);
    }
}

static void answer_ping(cb_client *client, cb_token request, const json_t *params)
{
    json_t *payload = json_object_get(params, "payload");
    cbi_answer(client, request, "result",
               payload ? json_pack("{s:O}", "payload", payload) : json_object());
}

static void requested(cb_client *client, cb_token request, const char *method,
                      const json_t *params)
{
    const cb_handlers *handlers = &client->handlers;
    if (strcmp(method, "broker.ping") == 0)
        answer_ping(client, request, params);
    else if (strcmp(method, "provider.perform") == 0)
        cbi_perform(client, request, params);
    else if (strcmp(method, "provider.execute") == 0 && handlers->execute)
        handlers->execute(client, request, params, client->context);
    else if (cbi_push(client, request, method, params))
        return;
    else if (handlers->asked)
        handlers->asked(client, request, method, params, client->context);
    else
        cb_refuse(client, request, CB_METHOD_NOT_FOUND, "not_supported", "not supported");
}

/* Requests of the broker are numbered by integers. What has another id is refused under it. */
static void asked(cb_client *client, json_t *id, const char *method, const json_t *params)
{
    json_int_t number = json_integer_value(id);
    if (json_is_integer(id) && number >= 0 && number >> TOKEN_BITS == 0) {
        requested(client, client->connections << TOKEN_BITS | number, method, params);
        return;
    }
    int status;
    send_answer(client, id, "error",
                cbi_failure(&status, CB_INVALID_REQUEST, "id", "ids are integers here"));
}

static void cancelled(cb_client *client, const json_t *params)
{
    const json_t *id = json_object_get(params, "request");
    json_int_t number = json_integer_value(id);
    if (!json_is_integer(id) || number < 0 || number >> TOKEN_BITS != 0)
        return;
    cb_token request = client->connections << TOKEN_BITS | number;
    const char *action = cbi_text(params, "action");
    if (*action)
        cbi_withdraw_action(client, action);
    else if (!cbi_withdraw(client, request) && client->handlers.cancelled)
        client->handlers.cancelled(client, request, client->context);
}

static void told(cb_client *client, const char *method, const json_t *params)
{
    if (strcmp(method, "broker.cancel") == 0) {
        cancelled(client, params);
        return;
    }
    if (strcmp(method, "broker.goodbye") == 0)
        cbi_dismissed(client, params);
    if (strcmp(method, "provider.timed_out") == 0)
        cbi_timed_out(client, params);
    if (cbi_told_of_pushes(client, method, params))
        return;
    if (client->handlers.told && client->descriptor >= 0)
        client->handlers.told(client, method, params, client->context);
}

static void dispatch(cb_client *client, const json_t *frame)
{
    const char *method = json_string_value(json_object_get(frame, "method"));
    const json_t *params = json_object_get(frame, "params");
    json_t *id = json_object_get(frame, "id");
    params = json_is_object(params) ? params : client->empty;
    if (!method)
        replied(client, frame);
    else if (id)
        asked(client, id, method, params);
    else
        told(client, method, params);
}

/* What is no JSON ends the connection. For all we know it was a request, or memory ran out while
 * it was read (Jansson does not tell these apart): in a new session the broker asks again. */
static void receive_line(cb_client *client, const char *line, size_t length)
{
    if (strspn(line, " \t\r") >= length)
        return;
    json_t *frame = json_loadb(line, length, JSON_DECODE_ANY, NULL);
    if (!frame)
        client->trouble = EPROTO;
    else
        dispatch(client, frame);
    json_decref(frame);
}

/* Handlers may close the client meanwhile, which empties the buffer. */
static void receive_lines(cb_client *client, bool is_end)
{
    struct buffer *input = &client->input;
    while (!client->trouble && input->start < input->end) {
        const char *line = input->bytes + input->start;
        size_t length = input->end - input->start;
        const char *feed = memchr(line, '\n', length);
        if (!feed && !is_end)
            return;
        if (feed)
            length = (size_t)(feed - line);
        input->start += length + (feed ? 1 : 0);
        receive_line(client, line, length);
    }
}

void cbi_receive(cb_client *client)
{
    struct buffer *input = &client->input;
    compact(input);
    ssize_t count = recv(client->descriptor, input->bytes + input->end, input->size - input->end,
                         MSG_DONTWAIT);
    if (count < 0) {
        if (errno != EAGAIN && errno != EINTR)
            client->trouble = errno;
        return;
    }
    input->end += (size_t)count;
    receive_lines(client, count == 0);
    bool is_full = input->end - input->start == input->size;
    if (!client->trouble && client->descriptor >= 0 && (count == 0 || is_full))
        client->trouble = count == 0 ? ECONNRESET : EMSGSIZE;
}

void cbi_flush(cb_client *client)
{
    struct buffer *output = &client->output;
    while (cbi_ready(client) > 0) {
        ssize_t count = send(client->descriptor, output->bytes + output->start, cbi_ready(client),
                             MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            /* The reader finds the end, behind what came before it. */
            if (errno != EAGAIN && errno != EPIPE && errno != ECONNRESET)
                client->trouble = errno;
            return;
        }
        output->start += (size_t)count;
    }
}

/* ---- Requests that get no reply */

static void give_up(cb_client *client, struct request *open, const cb_error *why)
{
    struct request request = *open;
    *open = (struct request){0};
    if (request.replied)
        request.replied(client, NULL, why, request.context);
}

void cbi_time_out(cb_client *client)
{
    static const cb_error late = {CB_TIMED_OUT, "timed_out", "no reply in time", NULL};
    for (size_t i = 0; i < REQUESTS; i++) {
        struct request *open = &client->requests[i];
        if (open->number && open->deadline_ms <= client->now_ms) {
            take_back(client, open->number);
            give_up(client, open, &late);
        }
    }
}

/* Nothing can be asked meanwhile, so none is added behind us. */
void cbi_fail_requests(cb_client *client, const cb_error *why)
{
    for (size_t i = 0; i < REQUESTS; i++)
        if (client->requests[i].number)
            give_up(client, &client->requests[i], why);
}

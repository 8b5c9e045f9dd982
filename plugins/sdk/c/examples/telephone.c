/* A telephone of one line: cc telephone.c -o telephone $(pkg-config --cflags --libs callbroker)
 * Say what happens at the far end: ring NUMBER, connect, hangup. The user has `callbroker answer`,
 * `callbroker dial tel:+15550100`, `callbroker hold`, `callbroker end`. */
#include <callbroker.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* Its one call; the state is NULL if there is none. */
struct line { char call[37], number[64]; const char *direction, *state; };

static void opened(cb_client *client, void *line)
{
    (void)client, (void)line;
    puts("connected");
}

static void lost(cb_client *client, const cb_error *why, bool over, void *line)
{
    (void)client, (void)line;
    printf("%s: %s\n", over ? "over" : "lost, trying again", why->message);
}

static json_t *live_calls(cb_client *client, void *context)
{
    struct line *line = context;
    (void)client;
    return json_pack(line->state ? "[{s:s, s:s, s:s, s:{s:s, s:s}}]" : "[]", "call", line->call,
                     "direction", line->direction, "state", line->state, "remote", "type", "phone",
                     "value", line->number);
}

static void dropped(cb_client *client, const char *call, void *context)
{
    struct line *line = context;
    (void)client;
    if (strcmp(call, line->call) == 0)
        line->state = NULL;
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    struct line *line = context;
    (void)client, (void)params;
    if (strcmp(method, "provider.reset") == 0)
        line->state = NULL;
}

static void perform(cb_client *client, const cb_action *action, void *context)
{
    struct line *line = context;
    const char *number = "";
    puts(action->kind);
    if (strcmp(action->kind, "start") == 0) {
        json_unpack((json_t *)action->arguments, "{s:{s:s}}", "remote", "value", &number);
        snprintf(line->number, sizeof line->number, "%s", number);
        snprintf(line->call, sizeof line->call, "%s", action->call);
        line->direction = "outgoing", line->state = "dialing";
    } else if (strcmp(action->kind, "answer") == 0) {
        line->state = "active";
    } else if (strcmp(action->kind, "set_held") == 0) {
        line->state = json_is_true(json_object_get(action->arguments, "held")) ? "held" : "active";
    } else if (strcmp(action->kind, "end") == 0) {
        line->state = NULL;
    } else {
        cb_fail(client, action->id, CB_METHOD_NOT_FOUND, "not_supported", NULL);
        return;
    }
    cb_fulfil(client, action->id, 0);
}

static void rings(cb_client *client, const json_t *result, const cb_error *error, void *context)
{
    struct line *line = context;
    (void)client, (void)result;
    if (error && error->code != CB_DISCONNECTED) /* it is not to ring */
        line->state = NULL;
}

static void far_end(cb_client *client, struct line *line, const char *command)
{
    if (!line->state && sscanf(command, "ring %63s", line->number) == 1) {
        cb_new_id(line->call);
        line->direction = "incoming", line->state = "ringing";
        cb_report_incoming(client, line->call, cb_phone(line->number), NULL, rings, line);
    } else if (line->state && strcmp(command, "connect\n") == 0) {
        line->state = "active";
        cb_report_connected(client, line->call, 0, NULL, NULL);
    } else if (line->state && strcmp(command, "hangup\n") == 0) {
        line->state = NULL;
        cb_report_ended(client, line->call, CB_REMOTE_ENDED, 0, NULL, NULL);
    } /* What cannot be reported now is told by live_calls() in the next session. */
}

int main(void)
{
    struct line line = {.state = NULL};
    char command[128];
    json_t *registration = json_pack("{s:s, s:[s], s:i}", "display_name", "Telephone",
                                     "handle_types", "phone", "max_call_groups", 1);
    cb_client *client = cb_new(&(cb_options){
        .name = "telephone", .identity = "org.example.telephone", .registration = registration,
        .handlers = {opened, lost, live_calls, dropped, perform, .told = told}, .context = &line});
    json_decref(registration);
    setbuf(stdin, NULL); /* or poll() would not see what stdio has read already */
    setbuf(stdout, NULL);
    while (client && cb_process(client, cb_now_ms()) && !feof(stdin)) {
        struct pollfd wait[] = {{cb_descriptor(client), cb_events(client), 0}, {0, POLLIN, 0}};
        poll(wait, 2, cb_timeout_ms(client, cb_now_ms()));
        if (wait[1].revents && fgets(command, sizeof command, stdin))
            far_end(client, &line, command);
    }
    cb_free(client);
}

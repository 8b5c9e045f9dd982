/* What the parts of the library share: client.c (sessions), wire.c (frames), provider.c, pushes.c,
 * grants.c. */
#ifndef CALLBROKER_INTERNAL_H
#define CALLBROKER_INTERNAL_H

#include "callbroker.h"

enum {
    FRAME_BYTES = 65536,     /* of a frame, until the broker says otherwise */
    OUTPUT_BYTES = 4 * 65536,
    OPENING_MS = 10000,      /* for hello and registration, then anew */
    RECONCILED_AT_ONCE = 32, /* calls in one provider.register */
    REQUESTS = 64,           /* open ones; the broker takes no more */
    ACTIONS = 64,            /* open ones, and settled ones to answer a repetition alike */
    ID_BYTES = 64,
    SECRET_BYTES = 256,
    PATH_BYTES = 108
};

enum state {
    WAITING,     /* for the next try to connect */
    OPENING,     /* connected, hello or registration is on its way */
    OPEN,
    OVER
};

struct buffer {
    char *bytes;
    size_t size, start, end;
};

struct request {
    int64_t number; /* 0: free */
    int64_t deadline_ms;
    cb_replied *replied;
    void *context;
};

struct action {
    char id[ID_BYTES]; /* empty: free */
    cb_token request;  /* 0: not asked for in this connection, or answered */
    json_t *outcome;   /* {"result": ...} or {"error": ...} once it is settled */
    bool withdrawn;
    int64_t since;     /* the order in which they came */
};

struct cb_client {
    /* As the options had it. */
    cb_allocator allocator;
    cb_handlers handlers;
    void *context;
    json_t *introduction; /* the params of hello, without `resume` */
    json_t *registration; /* NULL: no provider */
    char path[PATH_BYTES];
    bool has_path;
    int64_t request_timeout_ms, backoff_first_ms, backoff_longest_ms;

    /* The session. */
    enum state state;
    int descriptor;
    int64_t now_ms, retry_at_ms, retry_after_ms;
    int tries;
    bool is_dismissed;     /* by the broker, for good */
    int trouble;           /* an errno that ends the connection in the next turn, or 0 */
    int64_t connections;   /* so far: the upper half of tokens */
    int64_t numbers;       /* so far, of requests */
    size_t frame_bytes;    /* the longest frame that the broker takes */
    char session[ID_BYTES], secret[SECRET_BYTES];
    json_t *hello, *registered, *empty;
    json_t *calls;         /* to reconcile */
    size_t calls_told;     /* of them, so far */
    int64_t actions_seen;

    struct buffer input, output;
    size_t held_back;      /* bytes at the end of the output that wait for the session */
    struct request requests[REQUESTS];
    struct action actions[ACTIONS];
};

/* wire.c */
json_t *cbi_object(int *status, const char *format, ...);
json_t *cbi_with(json_t *params, json_t *update, int *status);
int cbi_send(cb_client *client, json_t *frame);
size_t cbi_ready(const cb_client *client);
int64_t cbi_ask(cb_client *client, const char *method, json_t *params, cb_replied *replied,
                void *context, int64_t timeout_ms);
int cbi_answer(cb_client *client, cb_token request, const char *member, json_t *value);
json_t *cbi_failure(int *status, int code, const char *reason, const char *message);
cb_error cbi_error(const json_t *error);
void cbi_receive(cb_client *client);
void cbi_flush(cb_client *client);
void cbi_time_out(cb_client *client);
void cbi_fail_requests(cb_client *client, const cb_error *why);
const char *cbi_text(const json_t *object, const char *member);

/* client.c */
void cbi_open(cb_client *client);
void cbi_dismissed(cb_client *client, const json_t *params);
void cbi_lose(cb_client *client, const cb_error *why, bool over);

/* provider.c */
void cbi_register(cb_client *client);
void cbi_perform(cb_client *client, cb_token request, const json_t *params);
bool cbi_withdraw(cb_client *client, cb_token request);
void cbi_withdraw_action(cb_client *client, const char *id);
void cbi_timed_out(cb_client *client, const json_t *params);
void cbi_forget_requests(cb_client *client);
void cbi_forget_actions(cb_client *client);

/* pushes.c */
bool cbi_push(cb_client *client, cb_token request, const char *method, const json_t *params);
bool cbi_told_of_pushes(cb_client *client, const char *method, const json_t *params);

#endif

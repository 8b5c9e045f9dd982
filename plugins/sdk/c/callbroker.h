/* Talk to CallBroker, the call system of a Linux host.
 *
 * A client is one connection to the broker that opens a session and renews it when it is lost. It
 * has no thread and never blocks: put its descriptor into the program's own loop.
 *
 *     struct pollfd wait = {cb_descriptor(client), cb_events(client), 0};
 *     poll(&wait, 1, cb_timeout_ms(client, cb_now_ms()));
 *     cb_process(client, cb_now_ms());
 *
 * Ask for descriptor, events and timeout anew in each turn, after everything else is done: any
 * function may change them. A client belongs to one thread at a time. Handlers run inside
 * cb_process() and may call everything but cb_process() and cb_free().
 *
 * Ids are UUIDs in lower case, `*_ms` are durations in milliseconds, `at_ms` Unix times in
 * milliseconds. A `json_t *` that is handed over is the library's from then on, after an error too;
 * a `const json_t *` in a handler lives as long as the handler runs. Functions that return a
 * number return a negative errno if nothing was done:
 *
 *     -ENOTCONN    no session is open; the handler `opened` tells when there is one
 *     -EAGAIN      64 requests are open, or the output is full: wait for a reply
 *     -EMSGSIZE    the frame would be longer than the broker takes
 *     -EINVAL      a member is missing, or is not UTF-8
 *     -ENOMEM      out of memory
 */
#ifndef CALLBROKER_H
#define CALLBROKER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CB_EXPORT __attribute__((visibility("default")))
#else
#define CB_EXPORT
#endif

typedef struct cb_client cb_client;

/* Names a request of the broker. One of a connection that was lost is known to be stale. */
typedef int64_t cb_token;

/* ---- Errors */

/* Negative codes are the broker's, or what a provider answers; positive ones the library's. */
typedef enum cb_code {
    CB_DISCONNECTED = 1, /* the connection was lost; the request may have been done */
    CB_TIMED_OUT = 2,    /* no reply in time; the request was taken back */
    CB_PARSE_ERROR = -32700,
    CB_INVALID_REQUEST = -32600,
    CB_METHOD_NOT_FOUND = -32601,
    CB_INVALID_PARAMS = -32602,
    CB_INTERNAL = -32603,
    CB_BROKER_ERROR = -32000, /* a provider's word for: it did not work */
    CB_HELLO_REQUIRED = -32002,
    CB_PERMISSION_DENIED = -32003,
    CB_NOT_FOUND = -32004,
    CB_ALREADY_EXISTS = -32005,
    CB_INVALID_STATE = -32006,
    CB_LIMIT_REACHED = -32007,
    CB_FILTERED = -32008,
    CB_DEADLINE_EXCEEDED = -32009,
    CB_CANCELLED = -32010,
    CB_FRAME_LIMIT = -32011,
    CB_OVERLOADED = -32012,
    CB_PROVIDER_FAILED = -32013,
    CB_PROVIDER_GONE = -32014,
    CB_VERSION_UNSUPPORTED = -32015,
    CB_STOPPING = -32018
} cb_code;

/* Why something was not done. Decide by code and reason; the message is for people. */
typedef struct cb_error {
    int code;            /* a cb_code, or one that is newer than this library */
    const char *reason;  /* a stable word in snake_case; never NULL, perhaps empty */
    const char *message; /* never NULL */
    const json_t *data;  /* rule, limit, blocking, hint, field, callkit, ...; or NULL */
} cb_error;

/* Why a call ended, or could not begin, in the words of its app. All may be NULL. */
typedef struct cb_end_detail {
    const char *reason; /* busy, rejected, no_answer, unreachable, invalid_number, not_allowed,
                           no_credit, not_registered, transferred, deflected, pulled,
                           answered_elsewhere, declined_elsewhere, network_error, media_error,
                           service_error, or a word of the app's own; NULL: that of the code, where
                           the broker knows the code */
    const char *text;   /* one line for people, at most 256 bytes */
    const char *code;   /* of the protocol or network, such as "SIP 486" or "Q.850 17" */
} cb_end_detail;

/* ---- What a program is told */

/* What the broker asks a provider to do to a call. Keep a copy of the id to answer later. */
typedef struct cb_action {
    const char *id;
    const char *kind; /* start answer end set_held set_muted set_group play_dtmf set_endpoint
                         * set_video set_text transfer
                         * attended_transfer deflect, or newer */
    const char *call;
    const char *transaction;
    const json_t *arguments; /* by kind, such as {"held": true}; a start has the `line` that is to
                                place it, if that is not for the app to choose */
    const json_t *cause;
    int64_t deadline_ms;
    int attempt;
    int64_t age_ms; /* how long ago it was asked for */
} cb_action;

/* A request was answered: exactly one of result and error is not NULL. */
typedef void cb_replied(cb_client *client, const json_t *result, const cb_error *error,
                        void *context);

/* All may be NULL. The context is that of the options. */
typedef struct cb_handlers {
    /* A session is open, and the provider registered. Happens again after `lost`. */
    void (*opened)(cb_client *client, void *context);
    /* There is no session. Another is tried for by itself unless it is `over` for good. */
    void (*lost)(cb_client *client, const cb_error *why, bool over, void *context);
    /* The calls that live, as an array of {call, direction, state, remote, ...}, for each new
     * session. The broker ends the others. What is reported from then on, before `opened`, waits
     * for the session and is sent behind the list. NULL: it cannot be told now, try again later. */
    json_t *(*live_calls)(cb_client *client, void *context);
    /* The broker did not take this one of the live calls: tear it down. */
    void (*dropped)(cb_client *client, const char *call, void *context);
    /* Do it, and say so with cb_fulfil() or cb_fail(), at once or later. Happens once for each
     * action, also when the broker asks again after a lost connection. */
    void (*perform)(cb_client *client, const cb_action *action, void *context);
    /* An action is no longer wanted, or its time is over: stop, and answer (or settle, if it was
     * taken over) what became of it. */
    void (*withdrawn)(cb_client *client, const char *action, void *context);
    /* A whole transaction {transaction, actions, deadline_ms}, before its actions are asked for one
     * by one. Answer with cb_take(). With this handler `takes_transactions` is registered. */
    void (*execute)(cb_client *client, cb_token request, const json_t *transaction, void *context);
    /* Any other request: screener.check, directory.lookup, ui.present, line.change_setting,
     * provider.send_text, participant.change. Answer
     * with cb_respond() or cb_refuse(), at once or later. */
    void (*asked)(cb_client *client, cb_token request, const char *method, const json_t *params,
                  void *context);
    /* A request that was `asked` is no longer wanted. It must be answered all the same, unless it
     * was meanwhile. */
    void (*cancelled)(cb_client *client, cb_token request, void *context);
    /* Any notification: event, audio.activated, provider.reset, broker.warning, ... */
    void (*told)(cb_client *client, const char *method, const json_t *params, void *context);
    /* A push of the app's server, of one of the `push_types` of the registration. Answer within
     * 30 s with cb_respond(), when it is handled: one of the type "voip" when cb_report_incoming()
     * has reported the call that it announces. NULL: it is `asked`, as push.received. */
    void (*pushed)(cb_client *client, cb_token request, const char *type, const json_t *payload,
                   void *context);
    /* The address at which the app's server can push to it, after each registration and at each
     * change; NULL: the former one is no longer valid. Without this handler it is `told`. */
    void (*push_token)(cb_client *client, const char *type, const char *token, void *context);
    /* No call was reported for a push of the type "voip", so many times in a row; with `stopped` no
     * more are delivered until cb_reset_pushes(). Without this handler it is `told`. */
    void (*push_unreported)(cb_client *client, const char *push, int in_a_row, bool stopped,
                            void *context);
} cb_handlers;

/* ---- A client */

/* Where the one block of memory of a client comes from. Values of JSON come from Jansson, whose
 * allocator is the program's to choose (json_set_alloc_funcs). */
typedef struct cb_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *context;
} cb_allocator;

/* What is zero has the value in brackets. Nothing of it needs to live after cb_new(). */
typedef struct cb_options {
    const char *name;           /* of the program, for logs and lists; needed */
    const char *version;        /* of the program ("0") */
    const char *url;            /* where to read about it (none) */
    const char *identity;       /* a name like org.example.phone; providers need one (none) */
    const char *credential;     /* a token, for another user's broker (none) */
    const char *const *roles;   /* ends with NULL (provider and controller with a registration,
                                   else controller and observer) */
    const char *const *features;/* what is understood beside what everybody has to: "presentation",
                                   "tone", "alerting"; ends with NULL (nothing). Those of the broker
                                   are in the member `features` of cb_hello() */
    const json_t *registration; /* of a provider: display_name, handle_types, lines, ... (none) */
    const char *socket;         /* path (BROKER_SOCKET, or where the broker listens by default) */
    int descriptor;             /* a connected socket instead of a path, which is closed in the end
                                   and not renewed: see cb_stdio() (none) */
    int64_t request_timeout_ms; /* for each request (no limit) */
    int64_t backoff_first_ms;   /* before a new try; it doubles, and varies by a fifth (100) */
    int64_t backoff_longest_ms; /* (5000) */
    size_t frame_bytes;         /* longest frame taken; rpc.discover needs 1048576 (65536) */
    cb_allocator allocator;     /* (malloc and free) */
    cb_handlers handlers;
    void *context;              /* for the handlers */
} cb_options;

/* A client that connects in the first cb_process(); NULL with errno ENOMEM or EINVAL. */
CB_EXPORT cb_client *cb_new(const cb_options *options);

/* Says goodbye and ends: open requests fail, `lost` is not called. resumable: to come back soon. */
CB_EXPORT void cb_close(cb_client *client, bool resumable);

/* Closes and releases. NULL is allowed. */
CB_EXPORT void cb_free(cb_client *client);

/* Whether a session is open, so that requests can be sent. */
CB_EXPORT bool cb_is_open(const cb_client *client);

/* The broker's reply to the latest hello (limits, options, ...) and registration; or NULL. */
CB_EXPORT const json_t *cb_hello(const cb_client *client);
CB_EXPORT const json_t *cb_registered(const cb_client *client);

/* ---- Its place in a loop */

CB_EXPORT int cb_descriptor(const cb_client *client);  /* -1 while there is no connection */
CB_EXPORT short cb_events(const cb_client *client);    /* POLLIN, perhaps with POLLOUT */
CB_EXPORT int64_t cb_deadline_ms(const cb_client *client); /* when to process at the latest, on the
                                                              caller's clock; INT64_MAX: never */
CB_EXPORT int cb_timeout_ms(const cb_client *client, int64_t now_ms); /* until then, for poll(2) */
CB_EXPORT int64_t cb_now_ms(void);                     /* a clock for it that never goes back */

/* Connects, reads, writes and times out, whatever is due. False when it is over for good. */
CB_EXPORT bool cb_process(cb_client *client, int64_t now_ms);

/* One turn for a program that waits for nothing else: waits, then processes. */
CB_EXPORT bool cb_turn(cb_client *client);

/* ---- Requests and notifications of any kind */

/* Sends a request; params is an object or NULL. Returns its number, which is positive. */
CB_EXPORT int64_t cb_request(cb_client *client, const char *method, json_t *params,
                             cb_replied *replied, void *context);

/* Takes a request back. It is replied to all the same: with CB_CANCELLED, or as it was done. */
CB_EXPORT int cb_cancel(cb_client *client, int64_t request);

CB_EXPORT int cb_notify(cb_client *client, const char *method, json_t *params);

/* Answers what was `asked`; result is an object or NULL. -ESTALE: its connection was lost. */
CB_EXPORT int cb_respond(cb_client *client, cb_token request, json_t *result);
CB_EXPORT int cb_refuse(cb_client *client, cb_token request, int code, const char *reason,
                        const char *message);

/* ---- Providers */

/* A remote address: type is phone, email or generic, value at most 256 bytes. */
typedef struct cb_handle {
    const char *type;
    const char *value;
} cb_handle;

CB_EXPORT cb_handle cb_phone(const char *number);
CB_EXPORT cb_handle cb_generic(const char *address);

/* Why a call is over, if nobody here wanted it; the numbers are CallKit's. */
typedef enum cb_end_reason {
    CB_FAILED = 1,
    CB_REMOTE_ENDED = 2,
    CB_UNANSWERED = 3,
    CB_ANSWERED_ELSEWHERE = 4,
    CB_DECLINED_ELSEWHERE = 5
} cb_end_reason;

/* A fresh id for a call or a transaction. */
CB_EXPORT void cb_new_id(char id[37]);

/* Answers an action; while there is no connection, when the broker asks again. at_ms: when it was
 * done, 0 if that is now. message: for people, NULL if the app says nothing. -ENOENT: no such
 * action; -EALREADY: it was answered before. */
CB_EXPORT int cb_fulfil(cb_client *client, const char *action, int64_t at_ms);
CB_EXPORT int cb_fail(cb_client *client, const char *action, int code, const char *reason,
                      const char *message);
/* The same with what the app knows of it, for a start or an answer: the detail of its call's end. */
CB_EXPORT int cb_fail_because(cb_client *client, const char *action, const cb_end_detail *why);

/* Tells how far an action is. extend_ms asks for more time, up to twice the deadline in all. NULL,
 * -1, NULL and 0 are left out. */
CB_EXPORT int cb_report_progress(cb_client *client, const char *action, const char *phase,
                                 int percent, const char *message, int64_t extend_ms);

/* Answers `execute`: true to take the transaction over, and to settle each action afterwards. */
CB_EXPORT int cb_take(cb_client *client, cb_token request, bool taken);

/* Settles an action that was taken over: fulfilled if reason is NULL, else failed, with a message for
 * people, or NULL. */
CB_EXPORT int64_t cb_settle(cb_client *client, const char *action, const char *reason,
                            const char *message, int64_t at_ms, cb_replied *replied,
                            void *context);
CB_EXPORT int64_t cb_settle_failed(cb_client *client, const char *action, const cb_end_detail *why,
                                   cb_replied *replied, void *context);

/* What happened to a call. `update` holds what else is known: display_name, has_video,
 * supports_holding, supports_grouping, supports_ungrouping, supports_dtmf,
 * supports_transfer, supports_attended_transfer, supports_deflect, endpoints, remote_held,
 * video, supports_set_video, has_text, supports_set_text, has_early_media, priority, line, elsewhere,
 * supports_pull, forwarded_from (a handle), verification (passed, failed, none), external_id; or it is
 * NULL.
 * at_ms is 0 for now. The reply to an incoming call has `presentation`; an error means that it is not to
 * ring: end it. */
CB_EXPORT int64_t cb_report_incoming(cb_client *client, const char *call, cb_handle remote,
                                     json_t *update, cb_replied *replied, void *context);
/* Whether a call would ring now: the reply that cb_report_incoming would have, with the `rule` that
 * decides and the filters that were left `unasked`, as they do not run. Nothing is recorded, shown
 * or started, and the id stays unused. */
CB_EXPORT int64_t cb_may_ring(cb_client *client, const char *call, cb_handle remote,
                              json_t *update, cb_replied *replied, void *context);
/* The far end rings. has_early_media: 1 if it, or its network, sends the sound of it, 0 if not, -1
 * if that is as before. May be repeated when the sound begins later. */
CB_EXPORT int64_t cb_report_alerting(cb_client *client, const char *call, int has_early_media,
                                     int64_t at_ms, cb_replied *replied, void *context);
/* The far end asks for video: "send", "receive" or "both", as seen from here; NULL withdraws it. The
 * user's decision comes as the action set_video: send no camera before it. */
CB_EXPORT int64_t cb_report_video_request(cb_client *client, const char *call, const char *video,
                                          int64_t at_ms, cb_replied *replied, void *context);
/* The far end asks for real-time text, or no longer does. The user's decision comes as the action
 * set_text. */
CB_EXPORT int64_t cb_report_text_request(cb_client *client, const char *call, bool requested,
                                         int64_t at_ms, cb_replied *replied, void *context);
/* What the far end has typed, at most 1,024 bytes of UTF-8: collect it for up to 300 ms. What the user
 * types comes as the request provider.send_text. */
CB_EXPORT int64_t cb_report_text(cb_client *client, const char *call, const char *text,
                                 cb_replied *replied, void *context);
/* How well the sound is transmitted, every few seconds: the lost packets of a thousand since the
 * report before, the jitter and the round trip. -1 is left out. */
CB_EXPORT int64_t cb_report_quality(cb_client *client, const char *call, int loss_permille,
                                    int jitter_ms, int round_trip_ms, cb_replied *replied,
                                    void *context);
CB_EXPORT int64_t cb_report_connecting(cb_client *client, const char *call, int64_t at_ms,
                                       cb_replied *replied, void *context);
CB_EXPORT int64_t cb_report_connected(cb_client *client, const char *call, int64_t at_ms,
                                      cb_replied *replied, void *context);
CB_EXPORT int64_t cb_report_held(cb_client *client, const char *call, bool held, int64_t at_ms,
                                 cb_replied *replied, void *context);
CB_EXPORT int64_t cb_report_muted(cb_client *client, const char *call, bool muted, int64_t at_ms,
                                  cb_replied *replied, void *context);
/* The app grouped by itself; or split, if `with` is NULL. */
CB_EXPORT int64_t cb_report_group(cb_client *client, const char *call, const char *with,
                                  int64_t at_ms, cb_replied *replied, void *context);
/* A call that was over before it could ring, for the history only. */
CB_EXPORT int64_t cb_report_missed(cb_client *client, const char *call, cb_handle remote,
                                   const char *reason, int64_t at_ms, json_t *update,
                                   cb_replied *replied, void *context);
/* A call is live on another device of the same account, or has changed there: `update` also holds
 * `remote`. outgoing: 1 or 0. With supports_pull an action `answer` is to bring it here. at_ms: when it
 * began. */
CB_EXPORT int64_t cb_report_external(cb_client *client, const char *call, bool outgoing,
                                     int64_t at_ms, json_t *update, cb_replied *replied,
                                     void *context);
CB_EXPORT int64_t cb_report_update(cb_client *client, const char *call, json_t *update,
                                   cb_replied *replied, void *context);
/* Who takes part in a conference that the far end runs: `changed` is an array of objects with
 * `participant` and as known `name`, `handle`, `state`, `muted`, `hand_raised` and
 * `self`, and what the user may change as `changeable` (it comes as the request participant.change);
 * `removed` one of ids of those who left; either may be NULL. With `replace` all others are gone. */
CB_EXPORT int64_t cb_report_participants(cb_client *client, const char *call, json_t *changed,
                                         json_t *removed, bool replace, cb_replied *replied,
                                         void *context);
CB_EXPORT int64_t cb_report_ended(cb_client *client, const char *call, cb_end_reason reason,
                                  int64_t at_ms, cb_replied *replied, void *context);
/* The same with what the app knows of it; NULL: nothing. */
CB_EXPORT int64_t cb_report_ended_because(cb_client *client, const char *call,
                                          cb_end_reason reason, const cb_end_detail *detail,
                                          int64_t at_ms, cb_replied *replied, void *context);
/* Another device of the account has answered or declined it; its name, or NULL. */
CB_EXPORT int64_t cb_report_ended_elsewhere(cb_client *client, const char *call,
                                            cb_end_reason reason, const char *elsewhere,
                                            int64_t at_ms, cb_replied *replied, void *context);

/* Changes members of the registration, now and for sessions to come, even after -ENOTCONN. */
CB_EXPORT int64_t cb_update_registration(cb_client *client, json_t *members, cb_replied *replied,
                                         void *context);

/* Has the user asked whether there may be calls from here. The result has the `status` and whether
 * the user is `asked`; the answer comes as the notification provider.authorization_changed. */
CB_EXPORT int64_t cb_request_authorization(cb_client *client, cb_replied *replied, void *context);

/* ---- Pushes, for the gateways by which servers push to apps */

/* Delivers what an app's server has sent, an object of at most 5,120 bytes. An app that does not
 * run is started. type: "voip" if NULL. ttl_ms: how long it waits for the app, up to 600,000; 0:
 * not at all, -1: 30 s. With `wait` the reply comes when the app has handled it, with
 * `reported_call`; a shorter request_timeout_ms than 640,000 does not count then. */
CB_EXPORT int64_t cb_deliver_push(cb_client *client, const char *provider, const char *type,
                                  json_t *payload, int64_t ttl_ms, bool wait, cb_replied *replied,
                                  void *context);
/* The address at which a server can push to an app, for as long as this connection lives; NULL: it
 * is no longer valid. Deliver what comes there. */
CB_EXPORT int64_t cb_set_push_token(cb_client *client, const char *provider, const char *type,
                                    const char *token, cb_replied *replied, void *context);
/* Has pushes of the type "voip" delivered again to an app that has reported no calls for them.
 * Needs the role admin. */
CB_EXPORT int64_t cb_reset_pushes(cb_client *client, const char *provider, cb_replied *replied,
                                  void *context);

/* ---- Grants, for administrators: they need the role admin */

/* Issues a credential for a program of another user, or in a container, which sends it as the
 * option `credential`. It is in the result, this once. `rights` holds what differs from an observer
 * of all calls without numbers and names: roles, calls, redacted, uid, identity, expires_in_ms; or
 * it is NULL. A grant of the same name is revoked. */
CB_EXPORT int64_t cb_issue_grant(cb_client *client, const char *name, json_t *rights,
                                 cb_replied *replied, void *context);
/* The result has the `grants`, without their credentials, and how many `connections` each has. */
CB_EXPORT int64_t cb_list_grants(cb_client *client, cb_replied *replied, void *context);
/* Closes the connections of a grant; the result says whether there was one (`revoked`). */
CB_EXPORT int64_t cb_revoke_grant(cb_client *client, const char *name, cb_replied *replied,
                                  void *context);

/* For a plugin that the broker started with `"transport": "stdio"`: the descriptor for the options,
 * or -1 with errno. From then on printf() writes to standard error. */
CB_EXPORT int cb_stdio(void);

#ifdef __cplusplus
}
#endif

#endif

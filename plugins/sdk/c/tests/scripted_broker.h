/* A broker that does what the test says, in the same thread: a real Unix socket, no waiting, and a
 * clock that the test moves. */
#ifndef SCRIPTED_BROKER_H
#define SCRIPTED_BROKER_H

#include "callbroker.h"

#define CALL "11111111-1111-4111-8111-111111111111"
#define OTHER "22222222-2222-4222-8222-222222222222"
#define ACTION "33333333-3333-4333-8333-333333333333"

#define CHECK(what) check((what), #what, __FILE__, __LINE__)
/* Texts stand for JSON with ' instead of ". */
#define CHECK_JSON(value, text) check_json((value), (text), __FILE__, __LINE__)
/* What the handlers were told since the last check. */
#define CHECK_STORY(text) check_story((text), __FILE__, __LINE__)

void check(bool is_true, const char *what, const char *file, int line);
void check_json(const json_t *value, const char *text, const char *file, int line);
void check_story(const char *text, const char *file, int line);

extern cb_client *client;  /* the one under test */
extern int64_t now;        /* its clock */
extern const char *socket_path;

/* Options for a provider whose handlers write down what they are told. Without a registration: for
 * a controller. */
cb_options provider_options(void);
cb_options controller_options(void);

void start(cb_options options);      /* makes the client; the broker listens */
void stop(void);                     /* ends both */
bool turn(void);                     /* cb_process */
void stop_listening(void);
void accept_client(void);            /* the connection that the client has opened */
void hang_up(void);                  /* closes it */
void lose(void);                     /* closes it, and the client notices */
bool is_hung_up(void);               /* by the client */
const json_t *read_frame(const char *method); /* the next; NULL: any. Lives until another read */
const char *read_rest(void);         /* everything else that was sent, unread */
json_t *from_text(const char *text); /* ' for " */
void send_text(const char *format, ...);      /* ' for ", and a line feed behind it */
void send_bytes(const char *bytes, size_t length);
void reply(const json_t *request, const char *result);
void greet(void);                    /* opens the session, and takes the registration */
void begin_provider(void);           /* start, accept and greet */
void begin_controller(void);
void replied(cb_client *client, const json_t *result, const cb_error *error, void *context);
void note(const char *format, ...);  /* a line of the story */

/* One turn of two clients of the broker itself; the second may be NULL, or over. */
void turn_together(cb_client *first, cb_client *second);

/* The groups of tests. */
void session_tests(void);
void request_tests(void);
void frame_tests(void);
void provider_tests(void);
void memory_tests(void);
void together_tests(void);
void push_tests(void);
void grant_tests(void);
void openrpc_tests(const char *path);

#endif

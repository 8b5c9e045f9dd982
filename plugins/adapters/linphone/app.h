/* The connection to linphone-daemon: one command at a time, each answered by a block without an
 * end mark, so that silence is what ends it. What happens is asked for, again and again. */
#ifndef LINPHONE_APP_H
#define LINPHONE_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COMMAND_BYTES 320
#define KEY_BYTES 64

/* The answer to a command; the key says which one it was. */
typedef void app_replied(void *context, const char *key, const char *block);

struct command {
    char text[COMMAND_BYTES];
    char key[KEY_BYTES];
    app_replied *replied;
};

struct app {
    int descriptor; /* -1 while there is no connection */
    char instance[64]; /* another one for each life of the app */
    struct command queue[64];
    size_t first, count;
    struct command asked; /* whose answer is awaited; its text is empty if there is none */
    int64_t answer_by, quiet_at, poll_at;
    char block[65536];
    size_t length;
    void (*event)(void *context, const char *block);
    void *context;
};

/* Finds the socket that was named with --pipe. A name with a slash is the path itself. */
bool find_socket(const char *name, char *path, size_t size);

/* The file that stands behind an option on the command line of a process. False: there is none. */
bool find_argument(int process, const char *option, char *path, size_t size);

/* How long the app of that life lets a call ring, by its configuration. */
int64_t app_ring_ms(const struct app *app);

/* Connects. 0, or a negative errno; -EPERM if the app is another user's. */
int app_open(struct app *app, const char *path, int64_t now);

void app_close(struct app *app);

/* Queues a command. False if too many wait, or there is no connection. */
bool app_ask(struct app *app, const char *text, const char *key, app_replied *replied);

/* When there is something to do at the latest. */
int64_t app_deadline(const struct app *app);

/* Reads, writes, and calls back. False when the app is gone or says nothing any more. */
bool app_process(struct app *app, int64_t now);

#endif

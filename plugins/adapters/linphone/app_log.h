/* The log of linphone-daemon, in which alone the final responses to calls and registrations are: no event and
 * no answer of it has them. That of one that is started is in memory, and what was read of it is freed. */
#ifndef LINPHONE_APP_LOG_H
#define LINPHONE_APP_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PHRASE_BYTES 128

/* A response that ends something, such as 486 and "Busy Here". */
struct response {
    int code; /* 300 to 699, or 0 */
    char phrase[PHRASE_BYTES + 1];
};

struct app_log {
    int descriptor; /* -1: there is none */
    bool is_in_memory;
    off_t at, freed;
    char text[4096]; /* of the line or the message that is being read, as much as there is room for */
    size_t length, left; /* left: of the message */
    bool is_sent; /* the message */
    struct placed {
        char address[257], id[128]; /* empty if there is none; id: the Call-ID */
        struct response response;
    } calls[32]; /* that were made last */
    size_t newest;
    json_t *refusals; /* of registrations, by their address without its port */
};

/* Makes a log in memory for the program that this process becomes: what is to stand after --log. False: there
 * is none. */
bool create_log(char *path, size_t size);

/* Finds the log of a process and reads it from now on, and the end of what there is. */
void log_open(struct app_log *app_log, int process);

void log_close(struct app_log *app_log);

/* Reads what there is. */
void log_read(struct app_log *app_log);

/* The response that ended the newest call to that address, which is forgotten. False: it is unknown. */
bool log_take(struct app_log *app_log, const char *address, struct response *response);

/* Adds the registrar's words to those of the lines that have failed. */
void log_add_reasons(const struct app_log *app_log, json_t *lines);

#endif

/* @TITLE@: a directory: it names callers by a list of numbers. */
#include "callbroker.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t must_end;

static void end(int number)
{
    must_end = number;
}

/* A ringing call shows the name. */
static void asked(cb_client *client, cb_token request, const char *method, const json_t *params,
                  void *context)
{
    (void)context;
    if (strcmp(method, "directory.lookup") != 0) {
        cb_refuse(client, request, CB_METHOD_NOT_FOUND, "not_supported", NULL);
        return;
    }
    const json_t *remote = json_object_get(params, "remote");
    const char *number = json_string_value(json_object_get(remote, "value"));
    int is_known = number && strcmp(number, "+15550123") == 0;
    cb_respond(client, request,
               is_known ? json_pack("{s:s}", "display_name", "Example Ltd") : json_object());
}

int main(void)
{
    const char *roles[] = {"directory", NULL};
    cb_client *client = cb_new(&(cb_options){
        .name = "@NAME@", .identity = "@IDENTITY@", .roles = roles,
        .handlers = {.asked = asked}});
    struct sigaction action = {.sa_handler = end}; /* no SA_RESTART: it ends the wait */
    sigaction(SIGTERM, &action, NULL);
    while (client && !must_end && cb_turn(client))
        ;
    cb_free(client);
    return 0;
}

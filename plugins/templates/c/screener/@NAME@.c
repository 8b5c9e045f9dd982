/* @TITLE@: a screener: it blocks callers without a number. */
#include "callbroker.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t must_end;

static void end(int number)
{
    must_end = number;
}

/* Every call waits for the verdict before it rings. */
static void asked(cb_client *client, cb_token request, const char *method, const json_t *params,
                  void *context)
{
    (void)context;
    if (strcmp(method, "screener.check") != 0) {
        cb_refuse(client, request, CB_METHOD_NOT_FOUND, "not_supported", NULL);
        return;
    }
    int has_number = json_is_object(json_object_get(params, "remote"));
    /* or allow, silence, block */
    cb_respond(client, request, json_pack("{s:s}", "verdict", has_number ? "continue" : "block"));
}

int main(void)
{
    const char *roles[] = {"screener", NULL};
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

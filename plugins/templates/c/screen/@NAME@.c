/* @TITLE@: a screen: it shows incoming calls as lines of its log. */
#include "callbroker.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t must_end;

static void end(int number)
{
    must_end = number;
}

/* Its manifest claims the screen. Buttons request call.answer, call.end, ... */
static void asked(cb_client *client, cb_token request, const char *method, const json_t *params,
                  void *context)
{
    (void)context;
    if (strcmp(method, "ui.present") != 0) {
        cb_refuse(client, request, CB_METHOD_NOT_FOUND, "not_supported", NULL);
        return;
    }
    fprintf(stderr, "%.8s rings\n", json_string_value(json_object_get(params, "call")));
    cb_respond(client, request, json_pack("{s:b}", "presented", 1)); /* 0: another may show it */
}

static void told(cb_client *client, const char *method, const json_t *params, void *context)
{
    (void)client, (void)context;
    if (strcmp(method, "ui.dismiss") == 0)
        fprintf(stderr, "%.8s is gone\n", json_string_value(json_object_get(params, "call")));
}

int main(void)
{
    const char *roles[] = {"ui", "controller", "observer", NULL};
    cb_client *client = cb_new(&(cb_options){
        .name = "@NAME@", .identity = "@IDENTITY@", .roles = roles,
        .handlers = {.asked = asked, .told = told}});
    struct sigaction action = {.sa_handler = end}; /* no SA_RESTART: it ends the wait */
    sigaction(SIGTERM, &action, NULL);
    while (client && !must_end && cb_turn(client))
        ;
    cb_free(client);
    return 0;
}

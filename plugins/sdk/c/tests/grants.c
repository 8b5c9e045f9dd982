/* A grant from its beginning to its end, with the broker itself: BROKER_SOCKET says where it is. */
#include "scripted_broker.h"

#include <string.h>

static cb_client *owner, *guest;
static bool is_shut, has_answer, is_gone;

static const json_t *first_grant(const json_t *result)
{
    return json_array_get(json_object_get(result, "grants"), 0);
}

static void is_empty(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(!error && !first_grant(result));
    is_gone = true;
}

/* The guest may have noticed before: a grant is on disk before the reply. */
static void is_revoked(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(!error);
    CHECK_JSON(json_object_get(result, "revoked"), "true");
    has_answer = true;
}

static void is_listed(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    (void)told, (void)context;
    CHECK(!error);
    CHECK_JSON(first_grant(result), "{'name': 'panel', 'roles': ['observer'], 'calls': 'own', "
                                    "'redacted': false, 'connections': 1}");
    CHECK(cb_revoke_grant(owner, "panel", is_revoked, NULL) > 0);
}

static void guest_is_open(cb_client *told, void *context)
{
    (void)context;
    CHECK_JSON(json_object_get(cb_hello(told), "granted_roles"), "['observer']");
    CHECK(cb_list_grants(owner, is_listed, NULL) > 0);
}

/* Its connection was closed; then its credential is worth nothing. */
static void guest_is_lost(cb_client *told, const cb_error *why, bool over, void *context)
{
    (void)told, (void)context;
    if (why->code == CB_DISCONNECTED) {
        note("closed");
        return;
    }
    CHECK(over && why->code == CB_PERMISSION_DENIED && !is_shut);
    note("%s", why->reason);
    is_shut = true;
    CHECK(cb_list_grants(owner, is_empty, NULL) > 0);
}

static void is_issued(cb_client *told, const json_t *result, const cb_error *error, void *context)
{
    const char *const roles[] = {"observer", NULL};
    (void)told, (void)context;
    CHECK(!error);
    const char *credential = json_string_value(json_object_get(result, "credential"));
    guest = cb_new(&(cb_options){.name = "panel", .roles = roles, .credential = credential,
                                 .backoff_first_ms = 1,
                                 .handlers = {.opened = guest_is_open, .lost = guest_is_lost}});
    CHECK(credential && guest);
}

static void owner_is_open(cb_client *told, void *context)
{
    (void)context;
    json_t *rights = json_pack("{s:[s], s:s, s:b}", "roles", "observer", "calls", "own",
                               "redacted", 0);
    CHECK(cb_issue_grant(told, "panel", rights, is_issued, NULL) > 0);
    CHECK(cb_issue_grant(told, "panel", json_array(), is_issued, NULL) < 0);
}

void grant_tests(void)
{
    const char *const roles[] = {"admin", NULL};
    owner = cb_new(&(cb_options){.name = "owner", .roles = roles,
                                 .handlers = {.opened = owner_is_open}});
    CHECK(owner);
    while (!(has_answer && is_gone))
        turn_together(owner, guest);
    CHECK_STORY("closed; bad_credential; ");
    cb_free(guest);
    cb_free(owner);
}

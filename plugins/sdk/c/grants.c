/* Grants: credentials for programs of other users and of containers. */
#include "internal.h"

#include <errno.h>

int64_t cb_issue_grant(cb_client *client, const char *name, json_t *rights, cb_replied *replied,
                       void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s}", "name", name);
    params = cbi_with(params, rights, &status);
    return params ? cb_request(client, "grant.issue", params, replied, context) : status;
}

int64_t cb_list_grants(cb_client *client, cb_replied *replied, void *context)
{
    return cb_request(client, "grant.list", NULL, replied, context);
}

int64_t cb_revoke_grant(cb_client *client, const char *name, cb_replied *replied, void *context)
{
    int status;
    json_t *params = cbi_object(&status, "{s:s}", "name", name);
    return params ? cb_request(client, "grant.revoke", params, replied, context) : status;
}

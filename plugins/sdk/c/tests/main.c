/* main GROUP [OPENRPC.json]: one group of tests; says what is not as it should be. */
#define _GNU_SOURCE
#include "scripted_broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run(const char *group, const char *document)
{
    if (strcmp(group, "sessions") == 0)
        session_tests();
    else if (strcmp(group, "requests") == 0)
        request_tests();
    else if (strcmp(group, "frames") == 0)
        frame_tests();
    else if (strcmp(group, "provider") == 0)
        provider_tests();
    else if (strcmp(group, "memory") == 0)
        memory_tests();
    else if (strcmp(group, "together") == 0)
        together_tests();
    else if (strcmp(group, "pushes") == 0)
        push_tests();
    else if (strcmp(group, "grants") == 0)
        grant_tests();
    else if (strcmp(group, "openrpc") == 0 && document)
        openrpc_tests(document);
    else
        CHECK(!"a group of tests");
}

int main(int count, char **arguments)
{
    char folder[] = "/tmp/callbroker-c-XXXXXX", path[64];
    CHECK(count > 1 && mkdtemp(folder));
    snprintf(path, sizeof path, "%s/broker.sock", folder);
    socket_path = path;
    run(arguments[1], count > 2 ? arguments[2] : NULL);
    return rmdir(folder);
}

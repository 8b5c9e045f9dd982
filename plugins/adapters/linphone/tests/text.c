/* The parser, the table of calls, and the file that is remembered. */
#include "tests.h"

#include "accounts.h"
#include "app.h"
#include "legs.h"
#include "sip_account.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void check(bool is_true, const char *what, const char *file, int line)
{
    if (is_true)
        return;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
    exit(1);
}

static void blocks(void)
{
    const char *event = "Status: Ok\n\nSize: 2\nEvent-type: call-state-changed\n\n"
                        "Event: LinphoneCallPaused\nFrom: \"Id: 9\" <sip:a@b>\nId: 12\n\n\n\n";
    char value[32], small[8];
    CHECK(block_is_ok(event) && !block_is_ok("Status: Error\n") && !block_is_ok(""));
    CHECK(block_value(event, "Event", value, sizeof value));
    CHECK(strcmp(value, "LinphoneCallPaused") == 0);
    CHECK(block_value(event, "From", small, sizeof small));
    CHECK(strcmp(small, "\"Id: 9\"") == 0);
    CHECK(block_number(event, "Id") == 12 && block_number(event, "Size") == 2);
    CHECK(block_number(event, "Status") == -1 && block_number(event, "Port") == -1);
    CHECK(!block_value(event, "Even", value, sizeof value));
    CHECK(!block_value("", "Id", value, sizeof value));
    CHECK(!block_value("\n\n\n", "Id", value, sizeof value));
    CHECK(block_number("Id: 3x\n", "Id") == -1 && block_number("Id: -3\n", "Id") == -1);
    CHECK(block_number("Id: 99999999999999999999\n", "Id") == -1);
    CHECK(block_number("Id: \n", "Id") == -1 && block_number("Id: 7", "Id") == 7);
}

static void states(void)
{
    CHECK(state_named("LinphoneCallStreamsRunning") == STREAMING);
    CHECK(state_named("LinphoneCallPausedByRemote") == PAUSED_BY_REMOTE);
    CHECK(state_named("LinphoneCallPaused") == PAUSED);
    CHECK(state_named("LinphoneCallOutgoingRinging") == FAR_END_RINGS);
    CHECK(state_named("LinphoneCallOutgoingEarlyMedia") == FAR_END_SOUNDS);
    CHECK(state_named("LinphoneCallPausedx") == UNKNOWN);
    CHECK(state_named("LinphoneCall") == UNKNOWN && state_named("") == UNKNOWN);
    CHECK(state_named("Paused") == UNKNOWN);
}

static void check_address(const char *text, const char *address, const char *name)
{
    char found[24], called[12];
    read_address(text, found, sizeof found, called, sizeof called);
    CHECK(strcmp(found, address) == 0);
    CHECK(strcmp(called, name) == 0);
}

static void addresses(void)
{
    check_address("\"carol\" <sip:carol@127.0.0.1:27>", "sip:carol@127.0.0.1:27", "carol");
    check_address("sip:a@b;transport=udp", "sip:a@b", "");
    check_address("<sip:a@b;x=y>", "sip:a@b", "");
    check_address("<sip:+1;isub=2;x=y@b;user=phone>", "sip:+1@b", "");
    check_address("sip:a;x=y@b", "sip:a@b", "");
    check_address("<sip:0123456789012345678901234;x=y@b>", "sip:0123456789012345678", "");
    check_address("Ann B <sip:a@b>", "sip:a@b", "Ann B");
    check_address("\"a <b>\" <sip:a@b>", "sip:a@b", "a <b>");
    check_address("", "", "");
    check_address("<", "", "");
    check_address("\"\" <>", "", "");
    check_address("\"0123456789\xc3\xbc\" <sip:0123456789012345678901234>",
                  "sip:0123456789012345678", "0123456789"); /* no half character */
    check_address("\"J\xf6rg\" <sip:j\xf6rg@b>", "sip:j?rg@b", "J?rg");
    check_address("\"J\xc3\xb6rg\" <sip:a@b>", "sip:a@b", "J\xc3\xb6rg");
    CHECK(is_word("sip:a@b") && !is_word("") && !is_word("a b") && !is_word("-x"));
    CHECK(!is_word("a\nb") && !is_word("a\x7f") && is_word("sip:\xc3\xbc@b"));
}

static void memory(void)
{
    char folder[] = "/tmp/linphone-test-XXXXXX", path[64];
    static struct leg legs[LEGS];
    struct stat status;
    int highest;
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/new/memory", folder);
    struct leg *leg = new_leg(legs, 3, "11111111-1111-4111-8111-111111111111");
    CHECK(leg);
    leg->is_incoming = true;
    strcpy(leg->address, "sip:a@b");
    strcpy(leg->name, "Ann");
    CHECK(new_leg(legs, 0, "22222222-2222-4222-8222-222222222222"));
    CHECK(leg_with_id(legs, 3) == leg && !leg_with_id(legs, 4));
    CHECK(leg_with_call(legs, leg->call) == leg && !leg_with_call(legs, ""));
    CHECK(!leg_with_action(legs, ""));
    remember(path, "1:2", 7, legs);
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600);
    json_t *calls = remembered(path, "1:2", &highest);
    static struct leg others[LEGS];
    CHECK(json_object_size(calls) == 1 && highest == 7 && !recall(others, calls, 4));
    struct leg *other = recall(others, calls, 3);
    CHECK(other && strcmp(other->call, leg->call) == 0 && other->is_incoming && other->id == 3);
    CHECK(strcmp(other->address, "sip:a@b") == 0 && strcmp(other->name, "Ann") == 0);
    json_decref(calls);
    calls = json_pack("{s:s, s:{}}", "1", "x", "2"); /* by somebody else */
    CHECK(!recall(others, calls, 1) && !recall(others, calls, 2));
    json_decref(calls);
    calls = remembered(path, "1:3", &highest); /* another life */
    CHECK(json_object_size(calls) == 0 && highest == 0);
    json_decref(calls);
    snprintf(path, sizeof path, "%s/new", folder);
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0700);
    calls = remembered(path, "1:2", &highest); /* a folder */
    CHECK(json_object_size(calls) == 0);
    json_decref(calls);
    snprintf(path, sizeof path, "%s/new/memory", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/new", folder);
    rmdir(path);
    rmdir(folder);
}

static void full(void)
{
    static struct leg legs[LEGS];
    char call[37];
    for (int i = 0; i < LEGS; i++) {
        snprintf(call, sizeof call, "%036d", i);
        CHECK(new_leg(legs, i + 1, call));
    }
    CHECK(!new_leg(legs, 100, "x"));
    static struct app app = {.descriptor = -1};
    CHECK(!app_ask(&app, "version", "", NULL)); /* no connection */
    CHECK(app_open(&app, "/nowhere", 0) < 0 && app.descriptor < 0);
}

/* Pieces of what the app says, in any order: nothing is read that is not there. */
static void nonsense(void)
{
    static const char *const pieces[] = {"Status: Ok", "\n", "\n\n", "Id: ", "7", "From: ", "\"",
                                         "<", ">", ";", "sip:a@b", " ", ": ", "\xc3\xbc", "\xbc",
                                         "LinphoneCall", "Paused", "Event: ", "\r", "-"};
    char text[256], value[8], address[6], name[6];
    unsigned seed = 1;
    for (int i = 0; i < 200000; i++) {
        *text = '\0';
        do {
            seed = seed * 1103515245 + 12345;
            strcat(text, pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
        } while (strlen(text) < 200 && (seed >> 8) % 12);
        char *exact = strdup(text); /* a byte more is an error */
        block_value(exact, "From", value, sizeof value);
        int id = block_number(exact, "Id");
        read_address(exact, address, sizeof address, name, sizeof name);
        CHECK(id >= -1 && strlen(address) < 6 && strlen(name) < 6 && !strpbrk(address, ">;"));
        state_named(exact);
        free(exact);
    }
}

static void check_accounts(const char *block, const char *expected)
{
    json_t *lines = read_accounts(block, false), *wanted = json_loads(expected, 0, NULL);
    CHECK(wanted && json_equal(lines, wanted));
    json_decref(lines);
    json_decref(wanted);
}

static void accounts(void)
{
    check_accounts("Status: Ok\n\nId: 1\nIdentity: \"Work\" <sip:work@h>\nProxy: <sip:h>\n"
                   "State: LinphoneRegistrationOk\n\nId: 2\nIdentity: sip:shop@h\n"
                   "State: LinphoneRegistrationFailed\n\n\n",
                   "[{\"line\": \"sip:work@h\", \"label\": \"Work\", \"handle\": {\"type\":"
                   " \"generic\", \"value\": \"sip:work@h\"}, \"state\": \"registered\"},"
                   " {\"line\": \"sip:shop@h\", \"label\": \"sip:shop@h\", \"handle\":"
                   " {\"type\": \"generic\", \"value\": \"sip:shop@h\"}, \"state\":"
                   " \"failed\"}]");
    const char *silent = "Status: Ok\n\nId: 1\nIdentity: sip:a@h\nState: LinphoneRegistrationNone\n";
    for (int i = 0; i < 2; i++) {
        json_t *lines = read_accounts(silent, i == 1);
        const char *state = json_string_value(json_object_get(json_array_get(lines, 0), "state"));
        CHECK(strcmp(state, i == 1 ? "registering" : "registered") == 0);
        json_decref(lines);
    }
    check_accounts("Status: Ok\n\n", "[]");
    check_accounts("Status: Error\n\nId: 1\nIdentity: sip:a@h\n", "[]");
    check_accounts("Status: Ok\n\nId: 1\n\nId: 2\nIdentity: \n\nId: 3", "[]");
}

static void dialing(void)
{
    char address[128];
    CHECK(dial_through("sip:gate.example.org", "+1 (555) 01-01", address, sizeof address));
    CHECK(strcmp(address, "sip:+15550101@gate.example.org") == 0);
    CHECK(dial_through("sip:gate:5080", "*21#", address, sizeof address));
    CHECK(strcmp(address, "sip:*21%23@gate:5080") == 0);
    CHECK(!dial_through(NULL, "+15550101", address, sizeof address));
    CHECK(!dial_through("sip:gate", "", address, sizeof address));
    CHECK(!dial_through("sip:gate", "1;x=y", address, sizeof address));
    CHECK(!dial_through("sip:gate", "1+2", address, sizeof address));
    CHECK(is_gateway(NULL) && is_gateway("sip:gate:5080"));
    CHECK(!is_gateway("gate") && !is_gateway("sip:") && !is_gateway("sip:a@b"));
}

static void configuration(void)
{
    char text[1024] = "", small[64] = "";
    struct account account = {.address = "sip:ada@example.org", .transport = "tcp",
                              .outbound_proxy = "proxy:5070", .secret = "geheim"};
    CHECK(append_account(&account, text, sizeof text));
    CHECK(strstr(text, "reg_proxy=<sip:example.org;transport=tcp>\n"));
    CHECK(strstr(text, "reg_route=<sip:proxy:5070;transport=tcp;lr>\n"));
    CHECK(strstr(text, "username=ada\n") && strstr(text, "passwd=geheim\n"));
    CHECK(!strstr(text, "stun") && !strstr(text, "userid"));
    CHECK(!append_account(&account, small, sizeof small));
    CHECK(append_account(&(struct account){.address = NULL}, small, sizeof small));
    CHECK(goes_over(&account, "tcp") && !goes_over(&account, "udp"));
}

int main(void)
{
    dialing();
    configuration();
    nonsense();
    blocks();
    states();
    addresses();
    memory();
    full();
    accounts();
    claims();
    logs();
}

/* Documents of dialogs, as other devices and as nobody sends them. */
#include "dialogs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#define INFO(state, dialogs) \
    "<?xml version=\"1.0\"?><dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" " \
    "version=\"3\" state=\"" state "\" entity=\"sip:desk@example.org\">" dialogs "</dialog-info>"

static struct dialogs found;

static bool reads(const char *text)
{
    return read_dialogs(text, strlen(text), &found);
}

static void test_a_confirmed_dialog_is_read_with_both_parties(void)
{
    CHECK(reads(INFO("full",
        "<dialog id=\"7\" call-id=\"x@y\" local-tag=\"l\" remote-tag=\"r\" direction=\"initiator\">"
        "<state>\n confirmed </state>"
        "<local><identity display=\"Desk\">sip:desk@example.org</identity></local>"
        "<remote><identity display=\"Ann\">sip:ann@example.org;user=phone</identity>"
        "<target uri=\"sip:ann@192.0.2.7:5062\"/></remote></dialog>")));
    const struct dialog *dialog = &found.list[0];
    CHECK(found.version == 3 && found.is_full && found.count == 1);
    CHECK(dialog->is_confirmed && dialog->is_outgoing);
    CHECK(strcmp(dialog->address, "sip:ann@example.org") == 0);
    CHECK(strcmp(dialog->name, "Ann") == 0 && strcmp(dialog->device, "Desk") == 0);
    CHECK(strcmp(dialog->target, "sip:ann@192.0.2.7:5062") == 0);
}

static void test_the_replacement_names_the_tags_as_the_remote_party_has_them(void)
{
    char value[64];
    struct dialog dialog = {.call_id = "x@y", .local_tag = "l", .remote_tag = "r",
                            .target = "sip:ann@192.0.2.7"};
    CHECK(replacement(&dialog, value, sizeof value));
    CHECK(strcmp(value, "x@y;to-tag=r;from-tag=l") == 0);
    CHECK(!replacement(&dialog, value, 8));
}

static void test_a_dialog_that_says_too_little_or_wants_more_cannot_be_replaced(void)
{
    char value[600];
    struct dialog dialog = {.call_id = "x@y", .local_tag = "l", .target = "sip:ann@192.0.2.7"};
    CHECK(!replacement(&dialog, value, sizeof value));
    strcpy(dialog.remote_tag, "r\r\nX: y");
    CHECK(!replacement(&dialog, value, sizeof value));
    strcpy(dialog.remote_tag, "r");
    strcpy(dialog.target, "sip:ann@192.0.2.7 x");
    CHECK(!replacement(&dialog, value, sizeof value));
}

static void test_a_dialog_without_parties_is_one_nonetheless(void)
{
    CHECK(reads(INFO("partial", "<dialog id=\"7\"><state>terminated</state></dialog>")));
    CHECK(!found.is_full && found.count == 1 && !found.list[0].is_confirmed);
    CHECK(!*found.list[0].address && !*found.list[0].target);
}

static void test_what_is_too_long_is_none(void)
{
    char text[4096], long_id[400];
    memset(long_id, 'x', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = '\0';
    snprintf(text, sizeof text, INFO("full", "<dialog id=\"%s\"><state>confirmed</state></dialog>"),
             long_id);
    CHECK(reads(text) && found.count == 0);
}

static void test_more_dialogs_than_there_is_room_for_are_left_out(void)
{
    static char text[65536];
    size_t length = (size_t)snprintf(text, sizeof text, "%s",
        "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"0\" state=\"full\">");
    for (int i = 0; i < 2 * DIALOGS_MAX; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "<dialog id=\"%d\"><state>early</state></dialog>", i);
    snprintf(text + length, sizeof text - length, "</dialog-info>");
    CHECK(reads(text) && found.count == DIALOGS_MAX);
}

static void test_anything_else_is_refused(void)
{
    static const char *const others[] = {
        "", "<", "<dialog-info/>", "<dialog-info version=\"1\" state=\"full\"/>",
        "<x xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"1\" state=\"full\"/>",
        "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"one\"/>",
        "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"-1\"/>",
        "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"1\"><dialog>"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!reads(others[i]));
}

static void test_entities_are_not_followed(void)
{
    CHECK(reads("<!DOCTYPE d [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                "<dialog-info xmlns=\"urn:ietf:params:xml:ns:dialog-info\" version=\"1\" "
                "state=\"full\"><dialog id=\"1\"><state>early</state><remote><identity>&e;"
                "</identity></remote></dialog></dialog-info>"));
    CHECK(found.count == 1 && !*found.list[0].address);
}

int main(void)
{
    test_a_confirmed_dialog_is_read_with_both_parties();
    test_the_replacement_names_the_tags_as_the_remote_party_has_them();
    test_a_dialog_that_says_too_little_or_wants_more_cannot_be_replaced();
    test_a_dialog_without_parties_is_one_nonetheless();
    test_what_is_too_long_is_none();
    test_more_dialogs_than_there_is_room_for_are_left_out();
    test_anything_else_is_refused();
    test_entities_are_not_followed();
    puts("8 tests of dialogs passed");
    return 0;
}

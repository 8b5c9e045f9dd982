/* The same transaction over D-Bus: a method call to another connection, its
 * return, and two signals, which the provider emits before it answers.  So D-Bus
 * gets two messages more than CallBroker, as it would in life.
 *
 * The bodies are one string, filled up so that what goes in and what comes out
 * are together as many bytes as with CallBroker.  The broker adds its sender field
 * on the way.
 */
#include "wire_dbus.h"

#include <stdio.h>
#include <string.h>

enum { PROVIDERS_MAX = 64, ASK_SERIAL = 2, SENDER_FIELD = 16, STRING_OVERHEAD = 5 };

#define PATH "/org/example/Calls"
#define INTERFACE "org.example.Calls"

static struct scene scene;
static char requests[PROVIDERS_MAX][WIRE_MESSAGE_MAX], pending[WIRE_MESSAGE_MAX], event[WIRE_MESSAGE_MAX];
static size_t request_length, pending_length, event_length;
static char filler[WIRE_MESSAGE_MAX];
static uint32_t serial = 100;

/* ---- building */

/* One string, so that the message has the length. */
static size_t fill_to(struct dbus_message *m, size_t length) {
    dbus_end_header(m);
    size_t room = length > m->end + STRING_OVERHEAD ? length - m->end - STRING_OVERHEAD : 0;
    dbus_body_string(m, filler + sizeof filler - 1 - room);
    return dbus_finish(m);
}

static void name_of(char *name, int number) { sprintf(name, "org.example.r%08x.p%02d", scene.run, number); }

static size_t build_request(char *bytes, int number, size_t length) {
    struct dbus_message m;
    char name[64];
    name_of(name, number);
    dbus_begin(&m, bytes, DBUS_CALL, 1);
    dbus_field(&m, FIELD_PATH, 'o', PATH);
    dbus_field(&m, FIELD_INTERFACE, 's', INTERFACE);
    dbus_field(&m, FIELD_MEMBER, 's', "SetMuted");
    dbus_field(&m, FIELD_DESTINATION, 's', name);
    dbus_field(&m, FIELD_SIGNATURE, 'g', "s");
    return fill_to(&m, length);
}

static size_t build_event(char *bytes, size_t length) {
    struct dbus_message m;
    dbus_begin(&m, bytes, DBUS_SIGNAL, 1);
    dbus_field(&m, FIELD_PATH, 'o', PATH);
    dbus_field(&m, FIELD_INTERFACE, 's', INTERFACE);
    dbus_field(&m, FIELD_MEMBER, 's', "Changed");
    dbus_field(&m, FIELD_SIGNATURE, 'g', "s");
    return fill_to(&m, length);
}

/* What one side sends, so that both ways together are as long as with CallBroker. */
static size_t half(size_t in, size_t out) { return (in + out - SENDER_FIELD) / 2; }

static void set_up(const struct scene *s) {
    scene = *s;
    if (scene.providers > PROVIDERS_MAX) fail("too many providers");
    memset(filler, 'x', sizeof filler - 1);
    for (int i = 0; i < scene.providers; i++)
        request_length = build_request(requests[i], i, half(scene.sizes.request, scene.sizes.perform));
    pending_length = build_event(pending, scene.sizes.pending - SENDER_FIELD);
    event_length = build_event(event, scene.sizes.event - SENDER_FIELD);
}

/* ---- roles */

static void provide(struct conn *c, int number) {
    char bytes[WIRE_REQUEST_MAX], name[64];
    struct dbus_message m;
    name_of(name, number);
    dbus_hello(c);
    dbus_begin_bus_call(&m, bytes, ASK_SERIAL, "org.freedesktop.DBus", "RequestName");
    dbus_field(&m, FIELD_SIGNATURE, 'g', "su");
    dbus_end_header(&m);
    dbus_body_string(&m, name);
    dbus_body_u32(&m, 0);
    dbus_ask(c, &m);
}

static void observe(struct conn *c) {
    char bytes[WIRE_REQUEST_MAX];
    struct dbus_message m;
    dbus_hello(c);
    dbus_begin_bus_call(&m, bytes, ASK_SERIAL, "org.freedesktop.DBus", "AddMatch");
    dbus_field(&m, FIELD_SIGNATURE, 'g', "s");
    dbus_end_header(&m);
    dbus_body_string(&m, "type='signal',interface='" INTERFACE "'");
    dbus_ask(c, &m);
}

/* ---- the transaction */

static size_t request(char *out, uint32_t id, int call, bool muted) {
    (void)muted;
    memcpy(out, requests[call % scene.providers], request_length);
    dbus_write_u32(out + DBUS_SERIAL_AT, id);
    return request_length;
}

static size_t emit(char *out, const char *text, size_t length) {
    if (!scene.observers) return 0;
    memcpy(out, text, length);
    dbus_write_u32(out + DBUS_SERIAL_AT, ++serial);
    return length;
}

static size_t answer(char *out, const char *message, size_t n) {
    (void)n;
    if (message[1] != DBUS_CALL) return 0;
    const char *sender = dbus_find(message, FIELD_SENDER);
    if (!sender) fail("dbus: a call without a sender");
    size_t length = emit(out, pending, pending_length);
    length += emit(out + length, event, event_length);
    size_t whole = half(scene.sizes.answer, scene.sizes.result);
    struct dbus_message m;
    memset(out + length, 0, whole + 64);
    dbus_begin(&m, out + length, DBUS_RETURN, ++serial);
    dbus_field_u32(&m, FIELD_REPLY_SERIAL, dbus_read_u32(message + DBUS_SERIAL_AT));
    dbus_field(&m, FIELD_DESTINATION, 's', sender + 4);
    dbus_field(&m, FIELD_SIGNATURE, 'g', "s");
    return length + fill_to(&m, whole);
}

const struct calls_wire dbus_calls = { set_up, provide, observe, dbus_hello, request, answer };

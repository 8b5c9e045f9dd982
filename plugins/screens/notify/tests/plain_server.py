"""A notification server without actions, as some are, which prints each call that it gets: the
method, and of Notify the icon, on a line of its own, the number that it gives, that which it replaces, the
summary, the body, and how many words its buttons have."""
import sys

from jeepney import HeaderFields, MessageType, message_bus, new_method_return
from jeepney.io.blocking import open_dbus_connection

ABILITIES = ["body", "persistence"]


def answer(message, number):
    method = message.header.fields[HeaderFields.member]
    if method == "GetCapabilities":
        return new_method_return(message, "as", (ABILITIES,))
    if method == "GetServerInformation":
        return new_method_return(message, "ssss", ("plain", "tests", "1", "1.2"))
    if method == "CloseNotification":
        print("close", message.body[0], flush=True)
        return new_method_return(message)
    _, replaced, icon, summary, body, buttons, _, _ = message.body
    print("icon", icon, flush=True)
    print("notify", replaced or number, replaced, summary, repr(body), len(buttons), flush=True)
    return new_method_return(message, "u", (replaced or number,))


def main():
    bus = open_dbus_connection(bus="SESSION")
    bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.Notifications"))
    print("serves", flush=True)
    number = 0
    while True:
        message = bus.receive()
        if message.header.message_type is MessageType.method_call:
            number += 1
            bus.send(answer(message, number))


if __name__ == "__main__":
    sys.exit(main())

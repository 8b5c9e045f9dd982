"""A watcher of tray items, as a desktop has one, which prints the names that register."""
import sys

from jeepney import HeaderFields, MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import open_dbus_connection


def main():
    bus = open_dbus_connection(bus="SESSION")
    bus.send_and_get_reply(message_bus.RequestName("org.kde.StatusNotifierWatcher"))
    print("serves", flush=True)
    while True:
        message = bus.receive()
        if message.header.message_type is not MessageType.method_call:
            continue
        if message.header.fields[HeaderFields.member] == "RegisterStatusNotifierItem":
            print(message.body[0], flush=True)
            bus.send(new_method_return(message))
        else:
            bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))


if __name__ == "__main__":
    sys.exit(main())

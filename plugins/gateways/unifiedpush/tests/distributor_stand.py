#!/usr/bin/python3
"""A distributor of UnifiedPush of the tests' own, with its push server: both versions of the
interface on the session bus, and HTTP as the specification of the server has it. It stands for
programs such as KDE's.

    distributor_stand.py NAME VERSION

On standard output are the port and what has happened. POST /control/fail/REASON lets registrations
fail, /control/fail/ no more; /control/drop drops all apps.
"""
import asyncio
import secrets
import sys

from dbus_fast import Message, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

PATH, CONNECTOR = "/org/unifiedpush/Distributor", "/org/unifiedpush/Connector"
MESSAGE_BYTES = 4_096


def say(*words):
    print(*words, flush=True)


class Apps:
    """Those that have registered, by token: service, endpoint."""

    def __init__(self, bus, version):
        self.bus, self.version, self.port = bus, version, 0
        self.apps, self.reason = {}, ""

    def register(self, service, token, description, vapid=""):
        say("registers", service, description, vapid or "-")
        if self.reason:
            return "REGISTRATION_FAILED", self.reason
        known = self.apps.setdefault(token, (service, "/up/" + secrets.token_urlsafe(20)))
        self.tell(service, "NewEndpoint", token=token,
                  endpoint=f"http://127.0.0.1:{self.port}{known[1]}")
        return "REGISTRATION_SUCCEEDED", ""

    def unregister(self, token):
        service, _ = self.apps.pop(token, (None, None))
        say("unregisters", service)
        if service:
            self.tell(service, "Unregistered", token=token)

    def drop(self):
        for token, (service, _) in list(self.apps.items()):
            del self.apps[token]
            self.tell(service, "Unregistered", token=token)

    def push(self, path, body):
        """The status of the response."""
        for token, (service, endpoint) in self.apps.items():
            if endpoint == path:
                self.tell(service, "Message", token=token, message=body, id=secrets.token_hex(4))
                return 201
        return 404

    def tell(self, service, member, **values):
        """Calls the connector, which the bus starts if needed, without waiting."""
        signature = {str: "s", bytes: "ay"}
        if self.version == 2:
            body, types = [{name: Variant(signature[type(value)], value)
                            for name, value in values.items()}], "a{sv}"
        else:
            body, types = list(values.values()), "".join(
                signature[type(value)] for value in values.values())
        asyncio.ensure_future(self.call(Message(
            destination=service, path=CONNECTOR, member=member, signature=types, body=body,
            interface=f"org.unifiedpush.Connector{self.version}")))

    async def call(self, message):
        reply = await self.bus.call(message)
        say(message.member, "is answered with", reply.message_type.name,
            *(reply.body if reply.signature == "s" else []))


class Distributor1(ServiceInterface):
    def __init__(self, apps):
        super().__init__("org.unifiedpush.Distributor1")
        self.apps = apps

    @method()
    def Register(self, service: "s", token: "s", description: "s") -> "ss":  # noqa: F821, N802
        return list(self.apps.register(service, token, description))

    @method()
    def Unregister(self, token: "s"):  # noqa: F821, N802
        self.apps.unregister(token)


class Distributor2(ServiceInterface):
    def __init__(self, apps):
        super().__init__("org.unifiedpush.Distributor2")
        self.apps = apps

    @method()
    def Register(self, args: "a{sv}") -> "a{sv}":  # noqa: F821, F722, N802
        result, reason = self.apps.register(**{name: each.value for name, each in args.items()})
        reply = {"success": Variant("s", result)}
        return {**reply, "reason": Variant("s", reason)} if reason else reply

    @method()
    def Unregister(self, args: "a{sv}") -> "a{sv}":  # noqa: F821, F722, N802
        self.apps.unregister(args["token"].value)
        return {}


class Server:
    """The push server: what applications' servers POST to."""

    def __init__(self, apps):
        self.apps = apps

    async def serve(self, reader, writer):
        line, *rows = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        fields = {name.lower(): value for name, value in (row.split(": ", 1) for row in rows)}
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        verb, path, _ = line.split(" ")
        status, text = self.answer(verb, path, body)
        writer.write(f"HTTP/1.1 {status} Text\r\nTTL: 0\r\nContent-Length: {len(text)}\r\n"
                     f"Connection: close\r\n\r\n{text}".encode())
        await writer.drain()
        writer.close()

    def answer(self, verb, path, body):
        if verb == "GET":
            return 200, '{"unifiedpush":{"version":1}}'
        if path.startswith("/control/fail/"):
            self.apps.reason = path.rsplit("/", 1)[1]
            return 200, ""
        if path == "/control/drop":
            self.apps.drop()
            return 200, ""
        if not 1 <= len(body) <= MESSAGE_BYTES:
            return 413, ""
        return self.apps.push(path, body), ""


async def main(name, version):
    bus = await MessageBus().connect()
    apps = Apps(bus, int(version))
    server = await asyncio.start_server(Server(apps).serve, "127.0.0.1", 0)
    apps.port = server.sockets[0].getsockname()[1]
    bus.export(PATH, Distributor2(apps) if apps.version == 2 else Distributor1(apps))
    await bus.request_name("org.unifiedpush.Distributor." + name)
    say("port", apps.port)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""BlueZ for a test, on a bus of the test's own: what PipeWire and mpris-proxy use of it, with one
controller and one paired headset. There is no Bluetooth below it."""
import asyncio
import socket
import threading

import lab
from dbus_fast import Message, MessageFlag, MessageType, PropertyAccess
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, method

ADAPTER = "/org/bluez/hci0"
DEVICE = ADAPTER + "/dev_AA_BB_CC_DD_EE_FF"
HANDS_FREE = "0000111e-0000-1000-8000-00805f9b34fb"
GATEWAY = "0000111f-0000-1000-8000-00805f9b34fb"
PLAYER = "org.mpris.MediaPlayer2.Player"


class ProfileManager(ServiceInterface):
    """Where PipeWire registers what headsets connect to."""

    def __init__(self):
        super().__init__("org.bluez.ProfileManager1")
        self.profiles = {}                      # paths by UUID

    @method()
    def RegisterProfile(self, path: "o", uuid: "s", options: "a{sv}"):
        self.profiles[uuid] = path

    @method()
    def UnregisterProfile(self, path: "o"):
        pass


class Media(ServiceInterface):
    """Where PipeWire registers its codecs, and mpris-proxy its players."""

    def __init__(self):
        super().__init__("org.bluez.Media1")
        self.players = {}                       # properties by path

    @method()
    def RegisterApplication(self, path: "o", options: "a{sv}"):
        pass

    @method()
    def RegisterPlayer(self, path: "o", properties: "a{sv}"):
        self.players[path] = {name: value.value for name, value in properties.items()}

    @method()
    def UnregisterPlayer(self, path: "o"):
        self.players.pop(path, None)


class Adapter(ServiceInterface):
    """The computer's controller."""

    def __init__(self):
        super().__init__("org.bluez.Adapter1")

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":
        return "00:11:22:33:44:55"

    @dbus_property(access=PropertyAccess.READ)
    def Powered(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def UUIDs(self) -> "as":
        return [GATEWAY]


class Device(ServiceInterface):
    """The headset as BlueZ shows it."""

    def __init__(self):
        super().__init__("org.bluez.Device1")

    @dbus_property(access=PropertyAccess.READ)
    def Address(self) -> "s":
        return "AA:BB:CC:DD:EE:FF"

    @dbus_property(access=PropertyAccess.READ)
    def Alias(self) -> "s":
        return "Headset"

    @dbus_property(access=PropertyAccess.READ)
    def Icon(self) -> "s":
        return "audio-headset"

    @dbus_property(access=PropertyAccess.READ)
    def Adapter(self) -> "o":
        return ADAPTER

    @dbus_property(access=PropertyAccess.READ)
    def Paired(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def Connected(self) -> "b":
        return True

    @dbus_property(access=PropertyAccess.READ)
    def UUIDs(self) -> "as":
        return [HANDS_FREE]

    @method()
    def ConnectProfile(self, uuid: "s"):
        pass


class Served:
    """A name on a bus with objects, which a thread serves until the test ends."""

    def __init__(self, test, address, name, objects):
        self._test, self._loop = test, asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever)
        thread.start()
        test.addCleanup(self._loop.close)
        test.addCleanup(thread.join)
        test.addCleanup(self._loop.call_soon_threadsafe, self._loop.stop)
        self._bus = self._done(self._start(address, name, objects))
        test.addCleanup(self._loop.call_soon_threadsafe, self._bus.disconnect)

    def _done(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(lab.CEILING)

    async def _start(self, address, name, objects):
        bus = await MessageBus(bus_address=address, negotiate_unix_fd=True).connect()
        bus.add_message_handler(self._remember)
        for path, interface in objects:
            bus.export(path, interface)
        await bus.request_name(name)
        return bus

    def _remember(self, message):
        pass


class Bluez(Served):
    """BlueZ with one controller and one paired headset."""

    def __init__(self, test, address):
        self.manager, self.media = ProfileManager(), Media()
        self._owner = self._proxy = None
        super().__init__(test, address, "org.bluez", [
            ("/org/bluez", self.manager), (ADAPTER, Adapter()), (ADAPTER, self.media),
            (DEVICE, Device())])

    def _remember(self, message):
        if message.member == "RegisterProfile":
            self._owner = message.sender
        if message.member == "RegisterPlayer":
            self._proxy = message.sender

    def call(self, name, path, interface, member, signature="", body=(), descriptors=()):
        """Calls a method of a program that has registered with BlueZ."""
        reply = self._done(self._bus.call(Message(
            name, path, interface, member, signature=signature, body=list(body),
            unix_fds=list(descriptors))))
        self._test.assertEqual(reply.message_type, MessageType.METHOD_RETURN, reply.body)
        return reply.body

    def press(self, key):
        """A button of the headset: as BlueZ does it, asked of the latest player, without a reply."""
        path = list(self.media.players)[-1]
        self._loop.call_soon_threadsafe(self._bus.send, Message(
            self._proxy, path, PLAYER, key, flags=MessageFlag.NO_REPLY_EXPECTED))

    def connect(self):
        """Connects the headset to the gateway that PipeWire has registered; its end of what is a
        socket in the place of RFCOMM."""
        path = lab.wait_until("PipeWire registers its gateway",
                              lambda: self.manager.profiles.get(GATEWAY))
        ours, theirs = socket.socketpair()
        self._test.addCleanup(ours.close)
        with theirs:
            self.call(self._owner, path, "org.bluez.Profile1", "NewConnection", "oha{sv}",
                      [DEVICE, 0, {}], [theirs.fileno()])
        return ours

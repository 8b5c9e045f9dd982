"""A service on a D-Bus that a test plays: objects whose methods the test has, in a thread of its
own."""
import asyncio
import threading

from dbus_fast import Message, MessageType, NameFlag
from dbus_fast.aio import MessageBus


class MockError(Exception):
    """The error of a method: its name on the bus, and a sentence."""

    def __init__(self, name, text):
        super().__init__(text)
        self.name = name


class BusMock:
    """A name on the bus.

    Attributes:
        methods: by interface and member: the signature that is taken, that which is given, and a
            function of the path and the values, which returns the values of the reply.
        asked: the members that were called, in their order.
    """

    def __init__(self, test, address, name):
        self.methods, self.asked = {}, []
        self.name, self._address = name, address
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        thread.start()
        self.start()
        test.addCleanup(self._loop.call_soon_threadsafe, self._loop.stop)
        test.addCleanup(self.stop)

    def start(self):
        """Comes to the bus, as another program than before."""
        self._wait(self._connect())

    async def _connect(self):
        self._bus = await MessageBus(bus_address=self._address).connect()
        self._bus.add_message_handler(self._receive)
        await self._bus.request_name(self.name, NameFlag.NONE)

    def stop(self):
        """Leaves the bus."""
        self._wait(self._disconnect())

    async def _disconnect(self):
        self._bus.disconnect()

    def _wait(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def emit(self, path, interface, member, signature, *values):
        """Sends a signal, from any thread, in the order of the calls."""
        message = Message.new_signal(path, interface, member, signature, list(values))
        self._loop.call_soon_threadsafe(self._send, message)

    def _send(self, message):
        if self._bus.connected:
            self._bus.send(message)

    def _receive(self, message):
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        key = message.interface, message.member
        if key not in self.methods:
            return None
        self.asked.append(message.member)
        # In a thread: a test may hold up what it plays. Signals that it sends go first.
        threading.Thread(target=self._perform, args=(message, *self.methods[key])).start()
        return True

    def _perform(self, message, takes, gives, method):
        try:
            if message.signature != takes:
                raise MockError("org.freedesktop.DBus.Error.InvalidArgs",
                                f"{message.member} takes '{takes}'")
            result = method(message.path, *message.body)
            reply = Message.new_method_return(message, gives, [] if result is None else [result])
        except MockError as error:
            reply = Message.new_error(message, error.name, str(error))
        self._loop.call_soon_threadsafe(self._send, reply)

"""A media player of the tests' own: it plays nothing, and prints what it is asked for.

    fake_player.py NAME [--hangs]
"""
import asyncio
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "sdk", "python"))

from bus import Bus, session_bus  # noqa: E402
from jeepney import HeaderFields, message_bus, new_method_return  # noqa: E402


async def main():
    bus = Bus(session_bus)

    def receive(call):
        method = call.header.fields[HeaderFields.member]
        print(method, flush=True)
        if method == "Get":
            asyncio.ensure_future(bus.send(new_method_return(call, "v", (("s", "Playing"),))))
        elif "--hangs" not in sys.argv:
            asyncio.ensure_future(bus.send(new_method_return(call)))

    bus.offer("/org/mpris/MediaPlayer2", receive)
    await bus.open()
    await bus.ask(message_bus.RequestName(sys.argv[1]))
    print("here", flush=True)
    await asyncio.Event().wait()


asyncio.run(main())

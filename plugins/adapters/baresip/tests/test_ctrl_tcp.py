"""The control port over a real connection."""
import asyncio
import json
import socket
import threading
import time
import unittest

import lab  # noqa: F401
from ctrl_tcp import ControlPort, Netstrings, netstring
from options import Endpoint

ROUNDS = 30
DELAYED_ACK_SECONDS = 0.04                      # of Linux, at the least


def answer_in_two_segments(listener):
    """As baresip does it: Nagle's algorithm keeps the second one back until the first is
    acknowledged."""
    connection, _ = listener.accept()
    netstrings = Netstrings()
    with connection:
        while data := connection.recv(65_536):
            for part in netstrings.feed(data):
                token = json.loads(part)["token"]
                for message in ({"event": True, "type": "x"},
                                {"response": True, "ok": True, "token": token}):
                    connection.sendall(netstring(json.dumps(message).encode()))


class ControlPortTests(unittest.TestCase):
    def test_an_answer_in_two_segments_does_not_wait_for_a_delayed_acknowledgement(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = threading.Thread(target=answer_in_two_segments, args=(listener,))
            serving.start()
            took = asyncio.run(self.rounds(Endpoint(*listener.getsockname())))
            serving.join(lab.CEILING)
        delayed = sum(each >= DELAYED_ACK_SECONDS for each in took)
        self.assertLess(delayed, ROUNDS // 2, took)

    @staticmethod
    async def rounds(control):
        """The seconds of each command."""
        port, took = ControlPort(lambda event: None), []
        await port.open(control)
        for _ in range(ROUNDS):
            start = time.monotonic()
            await port.command("listcalls")
            took.append(time.monotonic() - start)
        port.close()
        return took


if __name__ == "__main__":
    unittest.main()

"""What a caller puts up with: a telephone that the test plays may be busier than a real one."""
import re
import shutil
import socket
import tempfile
import unittest

import lab
from phonelab import free_ports

SDP = ("v=0\r\no=ann 1 {version} IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
       "m=audio {sip} RTP/AVP 0\r\na={direction}\r\n")


class PlayedPhone:
    """Says what it is told to, and waits for what it is asked."""
    user = "ann"

    def __init__(self, test):
        self.sip = free_ports(1)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        test.addCleanup(self.socket.close)
        self.socket.bind(("127.0.0.1", self.sip))
        self.socket.settimeout(lab.CEILING)

    def heard(self, first, method=""):
        """The next message that begins so, and is about that method; others are repetitions."""
        while True:
            data, self.caller = self.socket.recvfrom(65_536)
            message = data.decode()
            if message.startswith(first) and re.search(f"(?m)^CSeq: [0-9]+ {method}", message):
                return message

    def answer(self, invite):
        """Takes the call, and remembers who is in it."""
        def header(name):
            return re.search(f"(?m)^{name}: *(.*?)\r?$", invite).group(1)
        self.ours, self.theirs = header("To") + ";tag=ann", header("From")
        self.dialog = f"Call-ID: {header('Call-ID')}\r\n"
        self.say("SIP/2.0 200 OK", f"Via: {header('Via')}\r\nFrom: {self.theirs}\r\n"
                 f"To: {self.ours}\r\nCSeq: {header('CSeq')}\r\n", "sendrecv")

    def ask(self, method, number, direction=None):
        """A request within the call."""
        self.say(f"{method} sip:caller@127.0.0.1:{self.caller[1]} SIP/2.0",
                 f"Via: SIP/2.0/UDP 127.0.0.1:{self.sip};branch=z9hG4bK{method}{number}\r\n"
                 f"From: {self.ours}\r\nTo: {self.theirs}\r\nCSeq: {number} {method}\r\n"
                 "Max-Forwards: 70\r\n", direction)

    def say(self, first, headers, direction):
        body = SDP.format(version=1, sip=self.sip, direction=direction) if direction else ""
        kind = "Content-Type: application/sdp\r\n" if direction else ""
        self.socket.sendto((
            f"{first}\r\n{headers}{self.dialog}Contact: <sip:ann@127.0.0.1:{self.sip}>\r\n{kind}"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode(), self.caller)


class CallerTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.phone = PlayedPhone(self)
        self.carol = lab.Caller(self, folder, "carol", self.phone)
        self.phone.answer(self.phone.heard("INVITE"))
        self.phone.heard("ACK")
        self.phone.ask("INVITE", 1, "sendonly")
        self.phone.heard("SIP/2.0 200", "INVITE")

    def assert_over(self):
        self.phone.ask("BYE", 3)
        self.phone.heard("SIP/2.0 200", "BYE")
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-2_000:])
        self.assertEqual(self.carol.logged(), ["answered", "a=sendonly"])

    def test_it_is_left_before_its_answer_is_acknowledged(self):
        self.assert_over()

    def test_its_answer_is_acknowledged_again(self):
        # Sent for the answer that was repeated: what comes in between makes it no repetition.
        for number in (1, 2):
            self.phone.ask("ACK", number)
        self.assert_over()


if __name__ == "__main__":
    unittest.main()

"""A device that is watched, and says what it has when the test wants it."""
import re
import socket

import lab

DOCUMENT = """\
<?xml version="1.0"?>
<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="{version}" state="full" entity="sip:desk@127.0.0.1">
<dialog id="1" call-id="{call}" local-tag="here" remote-tag="there" direction="recipient">
<state>{state}</state>
<local><identity display="Desk">sip:desk@127.0.0.1</identity></local>
<remote><identity display="Carol">sip:carol@127.0.0.1</identity></remote>
</dialog>
</dialog-info>
"""
ANSWER = """\
SIP/2.0 200 OK
{via}
{sender}
{to};tag=desk
{call}
{sequence}
Contact: <{address}>
Expires: 600
Content-Length: 0
"""
NOTIFY = """\
NOTIFY {subscriber} SIP/2.0
Via: SIP/2.0/UDP 127.0.0.1:{port};branch=z9hG4bKdesk{version}
Max-Forwards: 70
From: <{address}>;tag=desk
To: {sender}
{call}
CSeq: {number} NOTIFY
Contact: <{address}>
Event: dialog
Subscription-State: active;expires=600
Content-Type: application/dialog-info+xml
Content-Length: {length}
"""


def lines_of(message):
    """Its headers by their names, each as the whole line."""
    return {line.partition(":")[0].strip().lower(): line
            for line in message.partition("\r\n\r\n")[0].split("\r\n")[1:]}


class WatchedDevice:
    """Speaks the little SIP that a subscription takes."""

    def __init__(self, test):
        self.port = lab.free_ports(1)
        self.address = f"sip:desk@127.0.0.1:{self.port}"
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        test.addCleanup(self.socket.close)
        self.socket.bind(("127.0.0.1", self.port))
        self.socket.settimeout(lab.CEILING)
        self.version = 0

    def accept(self):
        """The subscription of the telephone that watches."""
        self.headers, self.peer = self.read("SUBSCRIBE ")
        self.send(ANSWER.format(
            via=self.headers["via"], sender=self.headers["from"], to=self.headers["to"],
            call=self.headers["call-id"], sequence=self.headers["cseq"], address=self.address))

    def notify(self, call, state):
        """Says of a call, by its Call-ID, which state it has here."""
        document = DOCUMENT.format(version=self.version, call=call, state=state)
        contact = re.search("<(sip:[^>]+)>", self.headers["contact"])[1]
        self.send(NOTIFY.format(
            subscriber=contact, port=self.port, version=self.version, address=self.address,
            sender=self.headers["from"].partition(":")[2].strip(), call=self.headers["call-id"],
            number=self.version + 1, length=len(document)), document)
        self.read("SIP/2.0 200 ")
        self.version += 1

    def read(self, beginning):
        """The headers of the next message that begins so, and from where it came."""
        while True:
            data, peer = self.socket.recvfrom(65536)
            text = data.decode()
            if text.startswith(beginning):
                return lines_of(text), peer

    def send(self, head, body=""):
        self.socket.sendto((head.replace("\n", "\r\n") + "\r\n" + body).encode(), self.peer)

"""Who takes part in a conference of the far end, which sipp runs."""
import os
import re
import shutil
import socket
import tempfile
import unittest

import lab

HERE = os.path.dirname(os.path.abspath(__file__))
LINDA, ANN, BOB, DAVE = ("sip:linda@127.0.0.1", "sip:ann@example.org", "sip:bob@example.org",
                         "sip:dave@example.org")


class ConferenceTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.linda = lab.Side(self, self.folder, "linda", "--sound", "none")

    def focus(self):
        """sipp as the conference."""
        self.port, self.log = lab.free_ports(6), os.path.join(self.folder, "focus.events")
        focus = lab.Program(self, self.folder, "focus", [
            "sipp", "-sf", os.path.join(HERE, "focus.xml"), "-i", "127.0.0.1", "-p",
            str(self.port), "-mi", "127.0.0.1", "-mp", str(self.port + 2), "-m", "2", "-nostdin",
            "-key", "caller", "linda", "-trace_logs", "-log_file", self.log])
        lab.wait_until("the focus does not listen", lab.has_udp_port, self.port)
        return focus

    def subscription(self):
        """The Call-ID of the telephone's subscription, once it has been told who takes part."""
        if not os.path.exists(self.log):
            return None
        with open(self.log, encoding="utf-8") as log:
            found = re.search(r"^subscription (\S+)\n", log.read(), re.MULTILINE)
        return found[1] if found else None

    def change(self):
        """Dave leaves the conference, and Bob is called."""
        number = lab.wait_until("nobody has subscribed", self.subscription)
        message = "\r\n".join((
            f"MESSAGE sip:meeting@127.0.0.1:{self.port} SIP/2.0",
            "Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK-change", "From: <sip:test@127.0.0.1>;tag=t",
            "To: <sip:meeting@127.0.0.1>", f"Call-ID: {number}", "CSeq: 1 MESSAGE",
            "Max-Forwards: 70", "Content-Length: 0", "", ""))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(message.encode(), ("127.0.0.1", self.port))

    def listed(self, call, *users):
        """The participants by their ids, when they are these."""
        def found():
            page = self.linda.user.list_participants(call).result(lab.CEILING)["participants"]
            participants = {each["participant"]: each for each in page}
            return participants if set(participants) == set(users) else None
        return lab.wait_until(f"not {users} take part", found)

    def gone(self):
        """Who has left, as the user was told."""
        return [event["data"]["removed"] for event in list(self.linda.events)
                if event["topic"] == "call.participants" and event["data"]["removed"]]

    def test_participants_are_listed_as_they_join_and_leave(self):
        focus = self.focus()
        call = self.linda.dial(f"sip:meeting@127.0.0.1:{self.port}")
        self.listed(call, LINDA, ANN, DAVE)
        self.change()
        listed = self.listed(call, LINDA, ANN, BOB)
        self.assertEqual([(listed[each]["name"], listed[each]["self"], listed[each]["muted"])
                          for each in (LINDA, ANN, BOB)],
                         [("Linda", True, False), ("Ann", False, True), ("Bob", False, False)])
        self.assertEqual(lab.wait_until("nobody is told who has left", self.gone), [[DAVE]])
        self.linda.do("end", call)
        self.assertEqual(focus.wait(), 0, focus.said())


if __name__ == "__main__":
    unittest.main()

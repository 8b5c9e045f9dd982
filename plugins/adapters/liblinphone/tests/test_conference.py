"""Who takes part in a conference of the far end, which sipp runs."""
import os
import shutil
import tempfile
import unittest

import lab

HERE = os.path.dirname(os.path.abspath(__file__))


class ConferenceTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.linda = lab.Side(self, self.folder, "linda", "--sound", "none")

    def reported(self):
        """What the events say of the participants."""
        return [event["data"] for event in list(self.linda.events)
                if event["topic"] == "call.participants"]

    def test_participants_are_listed_as_they_join_and_leave(self):
        port = lab.free_ports(6)
        focus = lab.Program(self, self.folder, "focus", [
            "sipp", "-sf", os.path.join(HERE, "focus.xml"), "-i", "127.0.0.1", "-p", str(port),
            "-mi", "127.0.0.1", "-mp", str(port + 2), "-m", "2", "-nostdin", "-key", "caller",
            "linda"])
        lab.wait_until("the focus does not listen", lab.has_udp_port, port)
        call = self.linda.dial(f"sip:meeting@127.0.0.1:{port}")

        def listed():
            found = self.linda.user.list_participants(call).result(lab.CEILING)["participants"]
            return {each["participant"]: each for each in found}
        lab.wait_until(lambda: f"{self.reported()}", lambda: set(listed()) == {
            "sip:linda@127.0.0.1", "sip:ann@example.org", "sip:bob@example.org"})
        linda, ann, bob = (listed()[each] for each in sorted(listed(), key=lambda each: (
            "linda" not in each, each)))
        self.assertEqual([(each["name"], each["self"], each["muted"])
                          for each in (linda, ann, bob)],
                         [("Linda", True, False), ("Ann", False, True), ("Bob", False, False)])
        self.linda.do("end", call)
        self.assertEqual(focus.wait(), 0, focus.said())


if __name__ == "__main__":
    unittest.main()

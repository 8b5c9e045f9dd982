"""Calls of another device are seen and pulled here: sipp is the device, and says which it has."""
import os
import shutil
import tempfile
import unittest

import lab
from watched import WatchedDevice
from callbroker import InvalidState, ProviderFailed

HERE = os.path.dirname(os.path.abspath(__file__))


class Device(lab.Program):
    """sipp is watched. `dialog` is what it says of its call."""

    def __init__(self, test, folder, scenario, dialog):
        self.sip = lab.free_ports(1)
        self.address = f"sip:desk@127.0.0.1:{self.sip}"
        super().__init__(test, folder, "desk",
                         lab.watched_device(self.sip, dialog, scenario))
        lab.wait_until("the desk does not listen", lab.has_udp_port, self.sip)


class WatchingTests(unittest.TestCase):
    """Dan is in a call with the desk, which linda watches."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        desk = lab.Desk(self, self.folder)
        self.dan, self.desk, self.his = desk.dan, desk.callee, desk.call
        self.dialog = desk.dialog

    def watch(self, scenario="watched_device.xml", **members):
        """Linda watches the desk, whose dialog is the one of dan's, but for what the test says."""
        self.device = Device(self, self.folder, scenario, {**self.dialog, **members})
        self.linda = lab.Side(self, self.folder, "linda", "--sound", "none", "--watch",
                              self.device.address)

    def test_a_call_of_the_desk_is_listed_once_it_is_connected_there(self):
        self.watch()
        call = self.linda.call("external")
        self.linda.has(call, elsewhere="Desk", display_name="Dan", direction="incoming",
                       remote={"type": "generic", "value": "sip:dan@127.0.0.1"},
                       external_id=self.dialog["call"], supports_pull=True)
        with self.assertRaises(InvalidState):
            self.linda.do("end", call)

    def test_a_pulled_call_leaves_the_desk(self):
        self.watch()
        capture = lab.Capture(self, self.folder, [self.linda.phone])
        call = self.linda.call("external")
        self.linda.do("pull", call)
        self.linda.has(call, state="active")
        self.assertEqual(self.desk.wait(), 0, self.desk.said())     # dan has hung up there
        self.assertEqual(len(self.linda.user.calls), 1)
        said = lab.read_messages(capture)
        invite = next(each for each in said if each.what == "INVITE")
        self.assertEqual(invite.headers["replaces"], "{call};to-tag={remote};from-tag={local}"
                         .format(**self.dialog))
        self.assertEqual(self.dan.over(self.his)["end_reason"], "remote_ended")
        self.dan.has(self.dan.call("active"), direction="incoming")
        self.linda.do("end", call)
        self.assertEqual(self.linda.over(call)["end_reason"], "local_ended")

    def test_a_call_that_cannot_be_pulled_stays_where_it_is(self):
        ann = lab.Callee(self, self.folder, "ann", "481 Call/Transaction Does Not Exist")
        self.watch(target=ann.address)
        call = self.linda.call("external")
        with self.assertRaises(ProviderFailed) as raised:
            self.linda.do("pull", call)
        self.assertEqual(raised.exception.data["provider_error"]["app_code"], "SIP 481")
        self.linda.has(call, state="external")
        self.dan.has(self.his, state="active")

    def test_a_device_that_says_too_little_cannot_be_pulled_from(self):
        self.watch(local="")
        self.linda.has(self.linda.call("external"), supports_pull=False)

    def test_after_a_gap_the_whole_state_is_asked_for(self):
        self.watch("watched_gap.xml")
        lab.wait_until("the call is not gone", lambda: any(
            event["topic"] == "call.removed" for event in list(self.linda.events)))
        self.assertEqual(self.linda.user.calls, {})

    def test_the_device_that_answers_what_rings_here_is_named_and_its_call_is_listed(self):
        desk = WatchedDevice(self)
        linda = lab.Side(self, self.folder, "linda", "--sound", "none", "--watch", desk.address)
        desk.accept()
        lab.Caller(self, self.folder, "carol", linda.phone, self.patient_caller(), outcome="200")
        rings = linda.call("ringing")
        number = linda.user.calls[rings]["external_id"]
        desk.notify(number, "early")
        self.assertEqual(list(linda.user.calls), [rings])
        desk.notify(number, "confirmed")
        linda.has(linda.call("external"), elsewhere="Desk", external_id=number)
        entry = linda.over(rings)
        self.assertEqual((entry["end_reason"], entry["elsewhere"]),
                         ("answered_elsewhere", "Desk"))

    def patient_caller(self):
        """Who leaves the device the time to say what it has, before the call is canceled here."""
        with open(os.path.join(HERE, "elsewhere_caller.xml"), encoding="utf-8") as source:
            text = source.read().replace('pause milliseconds="1000"', 'pause milliseconds="5000"')
        path = os.path.join(self.folder, "patient_caller.xml")
        with open(path, "w", encoding="utf-8") as scenario:
            scenario.write(text)
        return path


if __name__ == "__main__":
    unittest.main()

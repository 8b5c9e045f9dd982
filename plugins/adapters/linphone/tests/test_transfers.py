"""A real linphone-daemon transfers calls: others are the far ends and do as they are told, sipp is the
new party. The broker is the program CALLBROKER, or .build/debug/callbroker of this repository."""
import shutil
import tempfile
import unittest

import lab
from callbroker import Controller, Observer


LINDA = "org.example.linda"


class User(Controller, Observer):
    """Sees what happens and says what is to be done."""

    roles = ("controller", "observer")


class TransferTests(unittest.TestCase):
    """`linda` is the provider."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = lab.Daemon(self, self.folder)
        self.user = User("user", socket=self.daemon.socket)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        self.sound = lab.Sound(self, self.folder)
        self.linda = lab.Linphone(self, self.folder, "linda", self.sound)

    def routed(self, name, port):
        """A linphone that sends its calls to a port: the addresses that it is told to call have
        none."""
        account = lab.LINPHONE_ACCOUNT.format(
            number=0, port=port, identity=f"<sip:{name}@127.0.0.1>")
        return lab.Linphone(self, self.folder, name, self.sound, accounts=(
            account.replace("sendregister=1", "sendregister=0") + "[sip]\ndefault_proxy=0\n"))

    def attached(self, *others):
        """Linda is a provider, and what she and the others say is captured."""
        self.capture = lab.Capture(self, self.folder, [self.linda, *others])
        lab.provider(self, self.folder, self.linda, self.daemon.socket,
                     LINDA).wait_for("registered")

    def called_by_linda(self, phone):
        """Linda calls a phone, which is answered; the call."""
        remote = {"type": "generic", "value": f"sip:{phone.user}@127.0.0.1:{phone.sip}"}
        started = self.user.start(remote, provider=LINDA, wait="completed").result(lab.CEILING)
        call = started["actions"][0]["call"]
        phone.command("answer 1")
        self.talks(phone, call)
        return call

    def talks(self, phone, call):
        lab.wait_until(f"{phone.user} is not heard", lambda: (
            "StreamsRunning" in phone.command("call-status 1")
            and "transfer" in self.user.calls[call]["allowed"]))

    def called(self, phone):
        """A phone calls linda, who answers; the call."""
        phone.command(f"call sip:linda@127.0.0.1:{self.linda.sip}")

        def ringing():
            return next((call["call"] for call in list(self.user.calls.values())
                         if call["remote"]["value"].startswith(f"sip:{phone.user}@")
                         and call["state"] in ("ringing", "waiting")), None)
        call = lab.wait_until(f"{phone.user} does not ring", ringing)
        self.user.answer(call, "hold_and_answer", wait="completed").result(lab.CEILING)
        self.talks(phone, call)
        return call

    def call_of_dan(self):
        self.dan = lab.Linphone(self, self.folder, "dan", self.sound)
        self.attached(self.dan)
        return self.called(self.dan)

    def tool(self, *words):
        said, status = self.daemon.tool(*words)
        self.assertEqual(status, 0, said)

    def assert_transferred(self, *calls):
        lab.wait_until("the calls do not end", lambda: not self.user.calls)
        ends = {entry["call"]: (entry["end_reason"], entry["end_detail"]["reason"])
                for entry in self.user.list_history().result(lab.CEILING)["entries"]}
        self.assertEqual(ends, {call: ("local_ended", "transferred") for call in calls})

    def assert_order(self, *packets):
        numbers = [packet.number for packet in packets]
        self.assertEqual(numbers, sorted(numbers))

    def test_the_new_party_has_the_call_before_it_ends_here(self):
        call = self.call_of_dan()
        eve = lab.Callee(self, self.folder, "eve", scenario="answering_callee.xml")
        self.tool("transfer", eve.address, call)
        self.assert_transferred(call)
        self.dan.command("terminate 2")
        self.assertEqual(eve.wait(), 0, eve.said())
        wire = self.capture.wire()
        [refer] = wire.said("REFER")
        self.assertEqual((refer.source, refer.party.strip("<>")), (self.linda.sip, eve.address))
        invite = next(each for each in wire.said("INVITE") if each.number > refer.number
                      and each.call != refer.call)
        done = next(each for each in wire.said("NOTIFY", refer.call)
                    if each.outcome.startswith("SIP/2.0 200"))
        bye = wire.said("BYE", refer.call)[0]
        self.assertEqual((invite.source, bye.source), (self.dan.sip, self.linda.sip))
        self.assert_order(refer, invite, wire.said("200", invite.call)[0], done, bye)

    def test_two_far_ends_are_joined(self):
        bob = lab.Linphone(self, self.folder, "bob", self.sound)
        dan = self.routed("dan", bob.sip)
        self.attached(dan, bob)
        first, second = self.called_by_linda(dan), self.called(bob)
        self.assertEqual(self.user.calls[first]["state"], "held")
        self.tool("attended-transfer", first, second)
        self.assert_transferred(first, second)
        for phone in (dan, bob):                # they talk with each other
            lab.wait_until(f"{phone.user} is not heard any more", lambda phone=phone: (
                "StreamsRunning" in phone.command("call-status 2")))
        wire = self.capture.wire()
        [refer] = wire.said("REFER")
        [replaced] = {each.call for each in wire.said("INVITE") if each.source == bob.sip
                      and each.number < refer.number}
        self.assertIn(f"Replaces={replaced}%3B", refer.party.replace("%3b", "%3B"))
        invite = next(each for each in wire.said("INVITE") if each.number > refer.number)
        self.assertEqual(invite.source, dan.sip)
        self.assert_order(refer, invite, wire.said("BYE", replaced)[0])
        self.assert_order(refer, invite, wire.said("BYE", refer.call)[0])

    def test_a_call_goes_on_whose_new_party_refuses(self):
        call = self.call_of_dan()
        eve = lab.Callee(self, self.folder, "eve", "486 Busy Here")
        said, status = self.daemon.tool("transfer", "--deadline", "2s", eve.address, call)
        self.assertNotEqual(status, 0, said)
        self.assertEqual((eve.wait(), self.user.calls[call]["state"]), (0, "active"))
        self.talks(self.dan, call)


if __name__ == "__main__":
    unittest.main()

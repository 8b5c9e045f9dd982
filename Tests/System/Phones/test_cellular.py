"""A cellular modem beside the SIP telephones. What it is told goes over the wire as well."""
import shutil
import tempfile
import unittest

import lab

MODEM = "org.example.modem"
BOB, EVE = "+15550101", "+15550102"


class CellularTests(lab.World):
    def setUp(self):
        self.modem = lab.Modem(self)
        super().setUp()
        self.ofono = lab.Ofono(self, self.folder, self.modem)
        lab.ofono_provider(self, self.folder, self.ofono, self.daemon.socket, MODEM,
                           "--power").wait_for("attached")

    def modem_port(self):
        return self.modem.port

    def rings(self, number):
        """Somebody calls the modem."""
        self.modem.rings(number)

        def found():
            return next((call["call"] for call in list(self.user.calls.values())
                         if call["remote"]["value"] == number
                         and call["state"] in ("ringing", "waiting")), None)
        return lab.wait_until(f"{number} does not ring", found)

    def test_a_sip_call_is_held_for_a_cellular_one_and_a_conference_of_two(self):
        carol_call, carol = self.answered(self.ann, "carol")
        bob = self.rings(BOB)
        self.do("answer", bob, "hold_and_answer")
        self.assertEqual(self.states(carol_call, bob), ["held", "active"])
        eve = self.rings(EVE)
        self.do("answer", eve, "hold_and_answer")
        self.assertEqual(self.modem.states(), {BOB: lab.HELD, EVE: lab.ACTIVE})
        self.do("merge", eve, bob)
        self.assertEqual([self.user.calls[call]["group"] for call in (bob, eve)], [bob, bob])
        self.assertEqual(self.states(carol_call, bob, eve), ["held", "active", "active"])
        self.assertEqual(self.modem.states(), {BOB: lab.ACTIVE, EVE: lab.ACTIVE})
        self.do("set_held", carol_call, False)  # and the whole conference is held for it
        self.assertEqual(self.states(carol_call, bob, eve), ["active", "held", "held"])
        self.assertEqual(self.modem.states(), {BOB: lab.HELD, EVE: lab.HELD})
        self.do("end", carol_call)
        self.over(carol)
        for call in (bob, eve):
            self.until(call, "active")
        ended = self.do("end", eve, group=True)["actions"]
        self.assertEqual([(action["kind"], action["call"], action["state"]) for action in ended],
                         [("end", call, "fulfilled") for call in (bob, eve)])
        self.assertEqual(self.modem.states(), {})
        wire = self.proven("carol")
        swaps = wire.commanded("AT+CHLD=2")
        self.assertEqual(len(swaps), 3)
        first, again = wire.talking("carol")
        self.assert_order(
            ("carol agrees to be held", wire.holds("carol")[0][1]), ("carol is silent", first.last),
            ("bob is answered", wire.commanded("ATA")[0]), ("bob held, eve answered", swaps[0]),
            ("the conference", wire.commanded("AT+CHLD=3")[0]), ("it is held", swaps[1]),
            ("carol is heard again", again.first), ("carol's call ends", again.last),
            ("the conference is back", swaps[2]))

    def tool(self, *words):
        said, status = self.daemon.tool(*words)
        self.assertEqual(status, 0, said)

    def end(self, call):
        """How a call has ended, as the history says."""
        self.until(call, "ended")
        entries = self.user.list_history().result(lab.CEILING)["entries"]
        return next((entry["end_reason"], entry.get("end_detail", {}).get("reason"))
                    for entry in entries if entry["call"] == call)

    def test_two_cellular_calls_are_joined_while_a_sip_call_is_held(self):
        carol_call, carol = self.answered(self.ann, "carol")
        bob = self.rings(BOB)
        self.do("answer", bob, "hold_and_answer")
        eve = self.rings(EVE)
        self.do("answer", eve, "hold_and_answer")
        self.tool("attended-transfer", bob, eve)
        self.assertEqual([self.end(call) for call in (bob, eve)],
                         [("local_ended", "transferred")] * 2)
        self.assertEqual(self.modem.states(), {})
        self.until(carol_call, "active")        # it was held for them
        self.do("end", carol_call)
        self.over(carol)
        wire = self.proven("carol")
        first, again = wire.talking("carol")
        self.assert_order(
            ("carol is silent", first.last), ("bob is answered", wire.commanded("ATA")[0]),
            ("bob held, eve answered", wire.commanded("AT+CHLD=2")[0]),
            ("they are joined", wire.commanded("AT+CHLD=4")[0]),
            ("carol is heard again", again.first))

    def test_a_cellular_call_is_deflected_during_a_sip_call(self):
        carol_call, carol = self.answered(self.ann, "carol")
        bob = self.rings(BOB)
        self.tool("deflect", EVE, bob)
        self.assertEqual(self.end(bob), ("declined", "deflected"))
        self.assertEqual(self.states(carol_call), ["active"])
        self.do("end", carol_call)
        self.over(carol)
        self.assertEqual(carol.logged(), ["answered"])
        wire = self.proven("carol")
        self.assertEqual(len(wire.commanded(f"AT+CTFR={EVE[1:]},145")), 1)
        self.assertEqual(wire.commanded("ATA"), [])

    def test_a_cellular_call_is_held_for_a_sip_one_and_comes_back(self):
        bob = self.rings(BOB)
        self.do("answer", bob)
        carol_call, carol = self.called(self.linda, "carol")
        self.do("answer", carol_call, "hold_and_answer")
        self.assertEqual(self.modem.states(), {BOB: lab.HELD})
        self.do("swap")
        self.assertEqual(self.modem.states(), {BOB: lab.ACTIVE})
        self.assertEqual(self.states(bob, carol_call), ["active", "held"])
        self.do("swap")
        self.do("end", carol_call)
        self.over(carol)
        self.until(bob, "active")
        self.do("end", bob)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        wire = self.proven("carol")
        swaps, holds = wire.commanded("AT+CHLD=2"), wire.holds("carol")
        self.assertEqual(len(swaps), 4)
        first, again = wire.talking("carol")
        self.assert_order(
            ("bob is answered", wire.commanded("ATA")[0]), ("bob is held", swaps[0]),
            ("carol is answered", first.first), ("carol agrees to be held", holds[0][1]),
            ("bob is back", swaps[1]), ("bob is held", swaps[2]),
            ("carol is heard again", again.first), ("carol's call ends", again.last),
            ("bob is back", swaps[3]))

    def test_the_modem_is_gone_in_a_call_and_the_sip_call_stays_held(self):
        carol_call, carol = self.answered(self.ann, "carol")
        bob = self.rings(BOB)
        self.do("answer", bob, "hold_and_answer")
        self.ofono.kill()
        self.until(bob, "ended")
        self.assertEqual(self.states(carol_call), ["held"])
        self.do("set_held", carol_call, False)
        self.do("end", carol_call)
        self.over(carol)
        wire = self.proven("carol")
        self.assert_order(("carol agrees to be held", wire.holds("carol")[0][1]),
                          ("bob is answered", wire.commanded("ATA")[0]),
                          ("carol is heard again", wire.talking("carol")[1].first))



class LineSettingTests(unittest.TestCase):
    """What the network keeps for a line, from the tool to the modem and back."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = lab.Daemon(self, self.folder)
        self.modem = lab.Modem(self, lab.SIM)
        self.ofono = lab.Ofono(self, self.folder, self.modem)
        lab.ofono_provider(self, self.folder, self.ofono, self.daemon.socket, MODEM,
                           "--power").wait_for("attached")
        self.shows("caller_id_hidden")

    def shows(self, *words):
        """The line has a setting like that."""
        lab.wait_until(f"no setting is {words}", lambda: list(words) in [
            line.split()[1:1 + len(words)] for line in self.daemon.tool("line")[0].splitlines()])

    def set(self, *words):
        return self.daemon.tool("line", "set", *words)

    def test_calls_are_forwarded_by_the_network(self):
        said, status = self.set("forward_no_reply", "on", "--to", BOB, "--after", "15")
        self.assertEqual((said, status),
                         (f"forward_no_reply: on, to {BOB}, after 15 s\n", 0))
        self.assertEqual(self.modem.forwarding[2], (BOB[1:], 15))
        self.shows("forward_no_reply", "on,", "to", f"{BOB},", "after", "15", "s")
        self.assertEqual(self.set("forward_no_reply", "off")[1], 0)
        self.shows("forward_no_reply", "off")

    def test_the_network_refuses(self):
        self.modem.refused.add("CCWA=1,0")
        said, status = self.set("call_waiting", "off")
        self.assertEqual(status, 1)
        self.assertIn("app_refused", said)
        self.assertIn("ofono Failed", said)
        self.shows("call_waiting", "on")


if __name__ == "__main__":
    unittest.main()

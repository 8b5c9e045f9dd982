"""Whoever of the three ends, broker, program or baresip: the others notice, and what lives on is
put together again. The broker is the program CALLBROKER, or the one that was built here."""
import signal
import unittest

import lab
from test_hold_and_answer import World


class RestartTests(World):
    def setUp(self):
        super().setUp()
        self.daemon = lab.Daemon(self, self.folder)
        self.users = self.world(self.daemon, self.daemon)
        self.user = self.users[0]
        self.call, self.carol = self.called(self.user, 0, "carol")
        self.user.answer(self.call, wait="completed").result(lab.CEILING)

    def state(self):
        return {name: self.user.calls[self.call].get(name)
                for name in ("state", "provider_connected")}

    def until_state(self, state, connected=True):
        lab.wait_until(
            f"the call does not become {state}",
            lambda: self.user.connected and self.call in self.user.calls
            and self.state() == {"state": state, "provider_connected": connected})

    def hang_up(self):
        self.user.end(self.call, wait="completed").result(lab.CEILING)
        self.over(self.carol)

    def test_the_program_is_killed_and_starts_again(self):
        self.user.set_held(self.call, True, wait="completed").result(lab.CEILING)
        self.programs[0].kill()
        self.until_state("held", connected=False)
        self.attach(0, self.daemon)
        self.until_state("held")
        self.user.set_held(self.call, False, wait="completed").result(lab.CEILING)
        self.hang_up()
        self.assertEqual(self.carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])

    def test_the_program_is_stopped_and_starts_again(self):
        self.programs[0].kill(signal.SIGTERM)
        self.until_state("active", connected=False)
        self.attach(0, self.daemon)
        self.until_state("active")
        self.hang_up()

    def test_baresip_is_killed(self):
        self.phones[0].kill()
        lab.wait_until("the call does not end", lambda: self.call not in self.user.calls)
        self.phones[0] = lab.Baresip(self, self.folder, "ann", ports=self.phones[0].ports)
        second, dave = self.called(self.user, 0, "dave")
        self.user.answer(second, wait="completed").result(lab.CEILING)
        self.user.end(second, wait="completed").result(lab.CEILING)
        self.over(dave)

    def test_the_broker_is_killed_and_starts_again(self):
        self.daemon.kill()
        self.daemon = lab.Daemon(self, self.folder)
        self.until_state("active")
        self.hang_up()

    def test_the_broker_is_killed_and_knows_the_held_call_still(self):
        self.user.set_held(self.call, True, wait="completed").result(lab.CEILING)
        known = self.remembered()
        self.daemon.kill()
        self.daemon = lab.Daemon(self, self.folder)
        self.until_state("held")
        self.assertEqual(self.remembered(), known)
        self.user.set_held(self.call, False, wait="completed").result(lab.CEILING)
        self.hang_up()
        self.assertEqual(self.carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])

    def test_program_and_broker_are_killed_in_a_call(self):
        known = self.remembered()
        self.programs[0].kill()
        self.daemon.kill()
        self.daemon = lab.Daemon(self, self.folder)
        self.until_state("active", connected=False)
        self.attach(0, self.daemon)
        self.until_state("active")
        self.assertEqual(self.remembered(), known)
        self.hang_up()

    def remembered(self):
        """What only the broker knows of the call."""
        call = self.user.calls[self.call]
        return call["created_at_ms"], call["connected_at_ms"]


if __name__ == "__main__":
    unittest.main()

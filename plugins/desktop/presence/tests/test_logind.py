"""Calls, the lock and the session; logind is the mock of python-dbusmock on a bus of the test."""
import signal
import unittest

from login_bench import LoginBus
from presence_bench import CEILING, ONE, TWO, Bench, wait_until


class LogindCase(unittest.TestCase):
    def setUp(self):
        self.bench = Bench(self)
        self.bus = LoginBus(self.bench)
        self.logind = self.bus.start_logind()


class LockTests(LogindCase):
    def wait_for_lock(self, is_held):
        wait_until(lambda: f"a lock: {self.bus.locks()}",
                   lambda: ("CallBroker" in self.bus.locks()) == is_held)

    def test_the_host_stays_awake_from_the_first_ring_to_the_end_of_the_last_call(self):
        plugin = self.bench.start()
        app = self.bench.app()
        call = self.bench.incoming(app)
        self.wait_for_lock(True)
        self.assertIn("('sleep:idle', 'CallBroker', 'There is a call', 'block'", self.bus.locks())
        self.bench.user.answer(call, wait="completed").result(CEILING)
        self.bench.hold(call)
        self.bench.wait_for_shown("on_hold")
        self.assertIn("CallBroker", self.bus.locks())
        self.bench.end(call)
        self.wait_for_lock(False)
        self.assertEqual(plugin.said().count("logind keeps the host from sleep and idle"), 1)

    def test_a_program_that_ends_or_is_killed_leaves_no_lock(self):
        self.bench.answered(self.bench.app())
        for number in (signal.SIGTERM, signal.SIGKILL):
            plugin = self.bench.start()
            self.wait_for_lock(True)
            plugin.kill(number)
            self.wait_for_lock(False)

    def test_the_option_turns_it_off(self):
        self.bench.start(keep_awake=False)
        self.bench.answered(self.bench.app())
        self.bench.wait_for_shown("in_call")
        self.assertNotIn("CallBroker", self.bus.locks())


class SessionTests(LogindCase):
    def talks(self, identity=ONE, **update):
        """A call that was answered, once the plugin knows it: it holds those that it knows."""
        call = self.bench.answered(self.bench.app(identity), **update)
        self.bench.wait_for_shown("in_call")
        return call

    def leave(self, plugin):
        self.bus.set_active(False)
        plugin.wait_for("the session is not active")

    def come_back(self, plugin):
        self.bus.set_active(True)
        plugin.wait_for("the session is active")

    def test_a_call_is_held_while_another_session_is_in_front_and_resumed_afterwards(self):
        plugin = self.bench.start()
        call = self.talks()
        self.leave(plugin)
        self.bench.wait_for_state(call, "held")
        self.come_back(plugin)
        self.bench.wait_for_state(call, "active")

    def test_a_call_that_comes_meanwhile_is_silent_and_later_ones_ring_again(self):
        plugin = self.bench.start()
        app = self.bench.app()
        self.leave(plugin)
        call = self.bench.incoming(app)
        wait_until("it is silenced", lambda: self.bench.call(call)["silenced"])
        self.bench.end(call)
        self.come_back(plugin)
        later = self.bench.incoming(app)
        self.bench.wait_for_shown("ringing")
        self.assertFalse(self.bench.call(later)["silenced"])

    def test_a_call_that_rings_when_the_session_is_left_is_silenced(self):
        plugin = self.bench.start()
        call = self.bench.incoming(self.bench.app())
        self.bench.wait_for_shown("ringing")
        self.leave(plugin)
        wait_until("it is silenced", lambda: self.bench.call(call)["silenced"])

    def test_emergencies_are_neither_held_nor_silenced(self):
        plugin = self.bench.start()
        app = self.bench.app()
        app.on_start(lambda action: None)
        started = app.start({"type": "phone", "value": "112"}, wait="completed").result(CEILING)
        call = started["actions"][0]["call"]
        app.report_connected(call).result(CEILING)
        self.bench.wait_for_state(call, "active")
        self.assertEqual(self.bench.call(call)["priority"], "emergency")
        self.leave(plugin)
        self.come_back(plugin)
        self.assertEqual(self.bench.call(call)["state"], "active")
        self.bench.end(call)
        self.bench.wait_for_shown("free")
        other = self.talks(TWO)
        self.bus.set_active(False)
        self.bench.wait_for_state(other, "held")
        wait_until("the plugin says which it held", lambda: "a call " in plugin.said())
        self.assertEqual(plugin.said().count("a call "), 1, plugin.said())

    def test_what_the_user_resumes_elsewhere_meanwhile_is_not_held_again(self):
        plugin = self.bench.start()
        call = self.talks()
        self.leave(plugin)
        self.bench.wait_for_state(call, "held")
        self.bench.hold(call, False)
        witness = self.bench.incoming(self.bench.app(TWO))
        wait_until("the plugin has seen it", lambda: self.bench.call(witness)["silenced"])
        self.assertEqual(self.bench.call(call)["state"], "active")

    def test_a_call_that_the_user_had_held_stays_held(self):
        plugin = self.bench.start()
        call = self.bench.answered(self.bench.app(ONE))
        self.bench.hold(call)
        self.bench.wait_for_shown("on_hold")
        self.leave(plugin)
        self.come_back(plugin)
        self.bench.end(self.bench.answered(self.bench.app(TWO)))
        self.bench.wait_for_shown("on_hold")
        self.assertEqual(plugin.said().count("a call was"), 0, plugin.said())

    def test_a_call_that_cannot_be_held_goes_on_with_a_message(self):
        plugin = self.bench.start()
        call = self.talks(supports_holding=False)
        self.leave(plugin)
        plugin.wait_for("a call could not be held: cannot_hold")
        self.assertEqual(self.bench.call(call)["state"], "active")

    def test_the_option_leaves_calls_alone(self):
        plugin = self.bench.start(when_inactive="nothing")
        call = self.bench.answered(self.bench.app(ONE))
        self.bus.set_active(False)
        plugin.wait_for("the session is not active")
        other = self.bench.incoming(self.bench.app(TWO))
        self.bench.wait_for_shown("ringing_in_call")
        self.assertEqual((self.bench.call(call)["state"], self.bench.call(other)["silenced"]),
                         ("active", False))

    def test_a_logind_that_starts_later_is_followed(self):
        self.logind.stop()
        plugin = self.bench.start()
        plugin.wait_for("logind knows no session")
        call = self.talks()
        self.bus.start_logind()
        self.leave(plugin)
        self.bench.wait_for_state(call, "held")


class NoBusTests(unittest.TestCase):
    def test_without_a_system_bus_the_rest_goes_on(self):
        bench = Bench(self)
        plugin = bench.start()
        plugin.wait_for("logind is not followed: no system bus")
        bench.answered(bench.app())
        bench.wait_for_shown("in_call")


if __name__ == "__main__":
    unittest.main()

"""Presses, whichever way they come: none is acted on twice. The clock is the test's own."""
import asyncio
import unittest

from place import Place, wait_until

from callbroker import phone
from calls import ANSWERING, HELD, LIVE, NONE, RINGING, situation  # noqa: E402
from presses import (END, HOLD, LONG, MUTE, MUTED, PRESSES, SHORT, SILENCE, UNMUTED, Presses,
                     User)

DOOR, ACTIVE = {"call": "1", "state": "ringing"}, {"call": "2", "state": "active"}
ON_HOLD = {"call": "3", "state": "held"}


class Recorder:
    """In the place of the broker: it has each request, and answers when it is let."""

    def __init__(self):
        self.requests, self.gate = [], asyncio.Event()

    def __getattr__(self, name):
        async def request(*arguments, **options):
            self.requests.append((name, *arguments))
            await self.gate.wait()
            return {"actions": [{}]}
        return request


class DroppedPressTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.now, self.user = 1000.0, Recorder()
        self.presses = Presses(self.user, clock=lambda: self.now)

    def calls(self, *calls):
        self.presses.show(situation(calls))

    async def test_a_key_that_is_held_down_is_one_press(self):
        self.calls(DOOR)
        self.now += 10
        self.assertTrue(self.presses.press(SHORT))
        self.user.gate.set()
        for _ in range(50):
            await asyncio.sleep(0)
            self.now += 0.5
            self.assertFalse(self.presses.press(SHORT))
        self.now += 1
        self.assertTrue(self.presses.press(SHORT))

    async def test_a_press_that_is_under_way_is_not_made_again_however_long_it_takes(self):
        self.calls(ACTIVE)
        self.assertTrue(self.presses.press(SHORT))
        self.now += 60
        self.assertFalse(self.presses.press(SHORT))
        self.assertTrue(self.presses.press(LONG))

    async def test_an_impatient_second_press_does_not_hang_up_while_the_app_answers(self):
        self.calls({**DOOR, "pending_action": "answering"})
        self.assertFalse(self.presses.press(SHORT))
        self.assertTrue(self.presses.press(END))
        await asyncio.sleep(0)
        self.assertEqual(self.user.requests, [("end", "1")])

    async def test_a_second_call_can_be_answered_while_an_app_is_busy(self):
        self.calls({**ACTIVE, "pending_action": "holding"}, {**DOOR, "state": "waiting"})
        self.assertTrue(self.presses.press(SHORT))

    async def test_a_key_for_music_is_not_meant_for_a_call_that_has_just_come(self):
        self.calls(DOOR)
        self.now += 0.5
        self.assertFalse(self.presses.press(SHORT, may_be_for_music=True))
        self.now += 2
        self.assertTrue(self.presses.press(SHORT, may_be_for_music=True))

    async def test_the_key_of_a_headset_is_meant_for_it_at_once(self):
        self.calls(DOOR)
        self.assertTrue(self.presses.press(SHORT))

    async def test_a_switch_that_stands_as_the_call_does_asks_for_nothing(self):
        self.calls({**ACTIVE, "muted": True})
        self.assertFalse(self.presses.press(MUTED))
        self.assertTrue(self.presses.press(UNMUTED))

    async def test_nothing_is_asked_for_without_a_call_and_the_devices_are_set_again(self):
        reset = []
        self.presses.on_nothing(lambda: reset.append(1))
        self.calls()
        self.user.gate.set()
        for press in (END, HOLD, MUTE, SILENCE):
            self.presses.press(press)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.assertEqual((self.user.requests, reset), ([], [1] * 4))

    async def test_the_word_for_all_calls_is_that_of_the_one_that_wants_the_user_most(self):
        for calls, word in (((), NONE), ((ON_HOLD,), HELD), ((ON_HOLD, ACTIVE), LIVE),
                            ((ON_HOLD, ACTIVE, DOOR), RINGING),
                            (({**DOOR, "pending_action": "answering"},), ANSWERING),
                            (({"call": "4", "state": "external"},), NONE)):
            self.assertEqual(situation(calls).word, word)


class EveryPressTests(unittest.IsolatedAsyncioTestCase):
    """Each press with the real broker."""

    async def asyncSetUp(self):
        self.place = await asyncio.to_thread(Place, self)
        self.app = await asyncio.to_thread(self.place.app)
        self.user = await self.of_program()
        self.presses = Presses(self.user)

    async def of_program(self):
        user = User("keys", identity="org.example.keys", socket=self.place.broker.path,
                    topics=("call.*",))
        await user.__aenter__()
        self.addAsyncCleanup(user.__aexit__, None, None, None)
        return user

    async def press(self, press, *wanted):
        """Presses; afterwards the calls have those states, muted and silenced as said."""
        self.assertIn(press, PRESSES)
        await self.until(lambda: self.presses.show(self.user.situation) or True)
        self.presses.press(press)
        await self.until(lambda: self.seen() == list(wanted))

    def seen(self):
        return [each["state"] + "!" * bool(each.get("muted")) + "-" * bool(each.get("silenced"))
                for each in sorted(self.user.calls.values(), key=lambda call: call["created_at_ms"])
                if each["state"] not in ("ending", "ended") and not each.get("pending_action")]

    async def until(self, condition):
        await asyncio.to_thread(wait_until, lambda: f"{self.seen()}", condition)

    async def call(self, is_answered, number):
        """A call that the program knows of."""
        make = self.place.talks if is_answered else self.place.rings
        call = await asyncio.to_thread(make, self.app, number)
        await self.until(lambda: call in self.user.calls and (
            not is_answered or self.user.calls[call]["state"] == "active"))
        return call

    async def test_the_button_and_silence_of_a_call_that_rings(self):
        await self.call(False, "+15550100")
        await self.press(SILENCE, "ringing-")
        await self.press(SHORT, "active-")
        await self.press(LONG, "active!-")
        await self.press(UNMUTED, "active-")
        await self.press(MUTED, "active!-")
        await self.press(MUTE, "active-")
        await self.press(HOLD, "held-")
        await self.press(END)

    async def test_two_calls_are_swapped_and_the_one_that_talks_is_ended(self):
        first = await self.call(True, "+15550100")
        await self.call(True, "+15550101")
        await self.until(lambda: self.seen() == ["held", "active"])
        await self.press(HOLD, "active", "held")
        await self.press(END, "active")         # the other one comes back by itself
        self.assertEqual(await asyncio.to_thread(self.place.state, first), {"state": ""})

    async def test_a_second_call_is_declined_or_the_first_is_held_for_it(self):
        await self.call(True, "+15550100")
        await self.call(False, "+15550101")
        await self.press(END, "active")
        await self.call(False, "+15550102")
        await self.press(HOLD, "held", "active")

    async def test_without_a_broker_a_press_is_lost_and_nothing_else(self):
        call = await self.call(True, "+15550100")
        self.app.reconcile(lambda: [{"call": call, "direction": "incoming", "state": "active",
                                     "remote": phone("+15550100")}])
        await asyncio.to_thread(self.place.broker.kill)
        await self.until(lambda: self.user.situation.word == NONE)
        self.assertFalse(self.presses.press(SHORT))
        await asyncio.to_thread(self.place.broker.start)
        await self.until(lambda: self.user.situation.word == LIVE)
        self.assertEqual(self.seen(), ["active"])


if __name__ == "__main__":
    unittest.main()

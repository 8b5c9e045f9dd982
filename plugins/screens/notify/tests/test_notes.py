"""The notes of calls that talk, on a real notification server, their buttons really pressed."""
import os
import shutil
import sys
import time
import unittest

from desk import CEILING, Desk, Failed, HERE, phone, wait_until


class NoteTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_desktop()
        self.notifier = self.desk.start_notifier("--silent")
        self.app = self.desk.app(max_call_groups=4)
        self.app.on_action("set_muted")(
            lambda action: self.desk.performed.append((action.kind, action.call)))

    def answered(self, number="+15550100", **members):
        call = self.desk.rings(self.app, number, **members)
        self.desk.user.answer(call, wait="completed").result(CEILING)
        return call

    def wait_for_state(self, call, **members):
        wait_until(lambda: self.desk.state(call), lambda: members.items() <= {
            key: self.desk.state(call).get(key) for key in members}.items())

    def test_a_call_that_talks_has_a_note_until_it_ends(self):
        call = self.answered(display_name="Ann <b>&")
        self.desk.wait_to_see("Ann <b>&", "In a call · since ", "Desk phone", "Hang up", "Mute",
                              "Hold")
        self.desk.wait_for_cards(1)
        self.desk.press("Hang up")
        self.desk.wait_for_action("end", call)
        self.desk.wait_for_cards(0)
        self.assertNotIn("Missed call", self.desk.seen())

    def test_mute_and_hold_and_back(self):
        call = self.answered()
        for button, kind, state in (
                ("Mute", "set_muted", {"muted": True}), ("Unmute", "set_muted", {"muted": False}),
                ("Hold", "set_held", {"state": "held"}),
                ("Resume", "set_held", {"state": "active"})):
            self.desk.wait_to_see(button)
            self.desk.wait_for_cards(1)
            self.desk.press(button)
            self.wait_for_state(call, **state)
            self.desk.wait_for_action(kind, call)
        self.desk.wait_to_see("In a call · muted", "On hold")
        self.desk.wait_for_cards(1)

    def test_several_calls_have_a_note_each(self):
        first, second = self.answered(), self.answered("+15550101")
        self.desk.wait_for_cards(2)
        self.wait_for_state(first, state="held")
        self.desk.wait_to_see("On hold")
        self.app.report_ended(second, "remote_ended").result(CEILING)
        self.desk.wait_for_cards(1)
        self.app.report_ended(first, "remote_ended").result(CEILING)
        self.desk.wait_for_cards(0)

    def test_a_call_that_the_user_places_can_be_given_up(self):
        self.desk.user.start(phone("+15550102")).result(CEILING)
        self.desk.wait_to_see("Calling", "+15550102")
        self.desk.wait_for_cards(1)
        (call,) = self.desk.user.list_calls().result(CEILING)["calls"]
        self.desk.press("Hang up")
        self.desk.wait_for_action("end", call["call"])
        self.desk.wait_for_cards(0)

    def test_a_note_that_was_closed_stays_away_and_the_call_goes_on(self):
        call = self.answered()
        self.desk.wait_to_see("In a call · since ")
        self.desk.wait_for_cards(1)
        self.desk.output("dunstctl", "close")
        self.desk.wait_for_cards(0)
        self.desk.user.set_muted(call, True, wait="completed").result(CEILING)
        self.desk.rings(self.app, "+15550101")
        self.desk.wait_to_see("+15550101")
        self.desk.wait_for_cards(1)
        self.assertEqual(self.desk.state(call)["state"], "active")

    def test_tones_that_wait_for_the_user_bring_a_closed_note_back(self):
        self.app.on_action("play_dtmf")(lambda action: None)
        call = self.answered()
        self.desk.wait_to_see("In a call · since ")
        self.desk.wait_for_cards(1)
        self.desk.output("dunstctl", "close")
        self.desk.wait_for_cards(0)
        self.desk.user.play_dtmf(call, "1;42", wait="completed").result(CEILING)
        self.desk.wait_to_see("Send these tones now? 42", "Send tones", "Drop tones")
        self.desk.wait_for_cards(1)
        self.desk.output("dunstctl", "close")
        self.desk.wait_for_cards(0)
        self.desk.user.continue_tones(call).result(CEILING)
        self.wait_for_state(call, paused_tones=None)
        self.assertEqual(self.desk.cards(), 0)

    def test_a_conference_of_the_far_end_shows_how_many_take_part(self):
        call = self.answered()
        self.app.report_participants(call, [{"participant": "7"}, {"participant": "9"}]).result(CEILING)
        self.desk.wait_to_see(" · 2 participants")
        self.notifier.stop()
        seen = len(self.desk.seen())
        self.desk.start_notifier("--silent", name="later")
        wait_until(self.desk.seen, lambda: " · 2 participants" in self.desk.seen()[seen:])
        self.app.report_participants(call, removed=["9"]).result(CEILING)
        self.desk.wait_to_see(" · 1 participant\n")

    def test_why_a_button_did_nothing_is_on_the_note(self):
        @self.app.on_set_held
        def refuse(action):
            raise Failed("not_today", "not today")
        self.answered()
        self.desk.wait_to_see("Hold")
        self.desk.wait_for_cards(1)
        self.desk.press("Hold")
        self.desk.wait_to_see("not today")
        self.desk.wait_for_cards(1)

    def test_another_notification_server_shows_the_notes(self):
        self.answered()
        self.desk.wait_for_cards(1)
        self.desk.dunst.stop()
        self.desk.start_dunst()
        self.desk.wait_for_cards(1)
        self.desk.wait_to_see("In a call · since ")

    def test_a_killed_notifier_shows_the_call_again_when_it_is_back(self):
        call = self.answered()
        self.desk.wait_for_cards(1)
        self.notifier.kill()
        self.desk.dunst.stop()
        self.desk.start_dunst()
        self.desk.start_notifier("--silent", name="again")
        self.desk.wait_for_cards(1)
        self.desk.press("Hang up")
        self.desk.wait_for_action("end", call)


class PlainServerTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_bus()
        self.server = self.desk.program("plain", sys.executable,
                                        os.path.join(HERE, "plain_server.py"))
        self.server.wait_for("serves")
        self.notifier = self.desk.start_notifier("--silent")
        self.app = self.desk.app()

    def test_one_note_is_updated_in_place_without_buttons_and_at_rest_says_nothing(self):
        call = self.desk.rings(self.app)
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.server.wait_for("In a call")
        self.desk.user.set_held(call, True, wait="completed").result(CEILING)
        self.server.wait_for("On hold")
        told = self.notes_at_rest()
        self.assertEqual({line[-1] for line in told}, {"0"})
        # While the app is answering, the call neither rings nor is live: then its card is gone.
        notes = [line for line in told if line[4] != "'Incoming"]
        self.assertEqual(len({line[1] for line in notes}), 1, told)
        self.assertEqual({line[2] for line in notes[1:]}, {notes[0][1]}, told)
        before = self.busy()
        time.sleep(4)                           # time is what is measured
        self.assertEqual(self.notes(), told)
        self.assertLess((self.busy() - before) / 4, 0.005)

    def test_the_icon_of_an_app_is_shown(self):
        icon = os.path.join(self.desk.folder, "bell.png")
        shutil.copy(os.path.join(HERE, "../../web/page/icon-192.png"), icon)
        self.desk.rings(self.desk.app("org.example.bell", "Bell", icon=icon))
        self.server.wait_for("icon file://" + icon)
        self.desk.rings(self.app)
        self.server.wait_for("icon call-start")

    def notes_at_rest(self):
        """Once the program has done nothing for a second."""
        def is_at_rest():
            before = self.notes(), self.busy()
            time.sleep(1)
            return (self.notes(), self.busy()) == before
        wait_until(self.server.said, is_at_rest)
        return self.notes()

    def notes(self):
        said = self.server.said().splitlines()
        return [line.split() for line in said if line.startswith("notify")]

    def busy(self):
        """Processor seconds of the program so far."""
        with open(f"/proc/{self.notifier.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()

"""Every button that a real GNOME Calls shows for a call, pressed by the mouse. The buttons are those
that a screen reader finds in the window; one without a press fails."""
import unittest

import lab

CALL_SIZE, FOLD_SIZE = (112, 72), (160, 34)     # of the buttons without a name
KEYS = "1234567890#"
TALKING = {"Mute", "Speaker", "Add call", "Hold", "Dial Pad", "Hang up", "Calls"}
STAR = "\u2217"                                 # on the key of the asterisk


def is_button(part):
    role, _, box, *_ = part
    return role in ("push button", "toggle button") and box and box[0] >= 0 and box[2] > 1


class ButtonBase(unittest.TestCase):
    """GNOME Calls, and what a screen reader finds in its windows."""

    def setUp(self):
        self.desk = lab.Desk(self)
        self.desk.start_screen()
        self.desk.start_accessible_session()
        self.desk.start_gnome_calls()
        self.tones = []
        self.app = self.desk.app()
        self.app.on_action("play_dtmf")(
            lambda action: self.tones.append(action.arguments["digits"]))

    # ---- What the window of a call has

    def buttons(self):
        """The buttons of the call's window that are seen, by what a person calls them: their name,
        the label below them, or what they look like. Where each is, and whether it can be pressed.
        The window of a call is the last one."""
        parts = self.desk.accessible("org.gnome.Calls")
        frames = [index for index, part in enumerate(parts) if part[0] == "frame"]
        if len(frames) < 2:
            return {}
        parts = parts[frames[-1]:]
        labels = [(name, box) for role, name, box, *_ in parts if role == "label" and box[0] >= 0]
        found = {}
        for part in filter(is_button, parts):
            _, name, (x, y, width, height), _, can_be_pressed = part
            name = name or self.label_below(labels, x + width // 2, y + height) or (
                self.look((width, height), found))
            found[name] = (x + width // 2, y + height // 2), can_be_pressed
        return found

    @staticmethod
    def label_below(labels, middle, bottom):
        return next((name for name, (x, y, width, _) in labels
                     if abs(x + width // 2 - middle) < 4 and 0 <= y - bottom < 20), None)

    @staticmethod
    def look(size, found):
        """Of the two large ones the red one comes first, with the phone laid down; the blue one is
        beside it. The flat one folds the keys, the one in the title is the list of calls."""
        if size == CALL_SIZE:
            return "Answer" if "Hang up" in found else "Hang up"
        return "Fold" if size == FOLD_SIZE else "Calls"

    def wait_for_buttons(self, *names):
        """Waits until the window has exactly these buttons, and they stay where they are."""
        seen = [None]

        def are_there():
            seen.append(self.buttons())
            return set(seen[-1]) == set(names) and seen[-1] == seen[-2]

        lab.wait_until(lambda: f"{names}, there are {seen[-1]}", are_there)
        return seen[-1]

    def press(self, button):
        (x, y), can_be_pressed = button
        self.assertTrue(can_be_pressed)
        self.desk.output("xdotool", "mousemove", str(x), str(y), "click", "1")

    def rings(self):
        call = self.desk.rings(self.app)
        return call, self.wait_for_buttons("Hang up", "Answer", "Calls")

    def talks(self):
        call, buttons = self.rings()
        self.press(buttons["Answer"])
        self.desk.wait_for(call, "active")
        return call, self.wait_for_buttons(*TALKING)

    def disabled(self, buttons):
        return {name for name, (_, can_be_pressed) in buttons.items() if not can_be_pressed}


class ButtonTests(ButtonBase):
    def test_every_button_of_a_call_that_rings(self):
        for name, state in (("Answer", "active"), ("Hang up", None)):
            with self.subTest(name):
                call, buttons = self.rings()
                self.assertEqual(self.disabled(buttons), {"Calls"})     # there is one
                self.press(buttons[name])
                self.desk.wait_for(call, state)
                if state is not None:
                    self.app.report_ended(call, "remote_ended").result(lab.CEILING)
                lab.wait_until(self.buttons, lambda: not self.buttons())

    def test_every_button_of_a_call_that_talks(self):
        call, buttons = self.talks()
        # It holds and adds SIP calls of its own alone.
        self.assertEqual(self.disabled(buttons), {"Hold", "Add call", "Calls"})
        self.desk.performed.clear()
        for name in ("Mute", "Speaker"):        # of the host's sound
            self.press(buttons[name])
        self.press(buttons["Dial Pad"])
        self.press_keys()
        self.assertEqual((self.desk.performed, self.desk.state(call)), ([], "active"))
        self.hang_up(call)

    def test_the_list_of_calls_leads_to_the_other_one(self):
        first, _ = self.talks()
        second = self.desk.rings(self.app, "+15550102")
        buttons = self.wait_for_buttons("Hang up", "Answer", "Calls")
        self.assertEqual(self.disabled(buttons), set())
        self.press(buttons["Calls"])
        x, y, width, _ = self.wait_for_name("Incoming call")
        self.assertEqual((self.desk.state(first), self.desk.state(second)), ("active", "waiting"))
        self.press(((x + width // 2, y), True))
        self.press(self.wait_for_buttons("Hang up", "Answer", "Calls")["Answer"])
        self.desk.wait_for(second, "active")
        self.desk.wait_for(first, "held")

    def wait_for_name(self, name):
        """Where that is written, once it stays there."""
        seen = [None]

        def is_still():
            seen.append(self.names().get(name))
            return seen[-1] is not None and seen[-1] == seen[-2]

        lab.wait_until(self.names, is_still)
        return seen[-1]

    def names(self):
        """What is written in all windows, and where."""
        return {name: box for _, name, box, *_ in self.desk.accessible("org.gnome.Calls")
                if box and box[0] >= 0}

    def press_keys(self):
        seen = self.wait_for_buttons(*TALKING, *KEYS, STAR, "Fold")
        for number, key in enumerate(KEYS + STAR, 1):
            self.press(seen[key])
            lab.wait_until(lambda: self.tones, lambda number=number: len(self.tones) >= number)
        self.assertEqual("".join(self.tones), KEYS + "*")
        self.press(seen["Fold"])

    def hang_up(self, call):
        self.press(self.wait_for_buttons(*TALKING)["Hang up"])
        self.desk.wait_for(call, None)


if __name__ == "__main__":
    unittest.main()

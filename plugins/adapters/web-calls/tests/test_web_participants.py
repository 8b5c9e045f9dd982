"""The participants of a meeting in real browsers under the real broker (CALLBROKER, or .build/debug/callbroker
of this repository): a page of the test's own imitates the list of Jitsi Meet, at the name of that site."""
import unittest

import lab

HOST = "meet.jit.si"
ME, ADA, BOB = ("participant-item-me", "participant-item-ada", "participant-item-bob")


class Cases:
    """Each runs in both browsers."""

    HOSTS = (HOST,)

    def address(self, page, host="localhost"):
        return f"https://{host}:{self.port}/{page}"

    def meeting(self, script="enter('me', 'Me'); enter('ada', 'Ada'); enter('bob', 'Bob', true)"):
        """The page of a meeting with participants, and its call."""
        self.browser.open(self.address("far.html?room=meeting", HOST))
        tab = self.browser.open(self.address("jitsi-meet.html?room=meeting", HOST))
        self.browser.run(tab, f"{script}; await join(true)")
        return tab, self.until(lambda each: each["state"] == "active")["call"]

    def listed(self, call, condition, what):
        """The participants by their ids, once they are so."""
        def found():
            listed = {}
            page = {"next": None}
            while "next" in page:
                page = self.user.list_participants(call, after=page["next"]).result(lab.CEILING)
                listed.update({each["participant"]: each for each in page["participants"]})
            return (listed,) if condition(listed) else None
        return lab.wait_until(what, found)[0]

    def change(self, call, participant, **change):
        return self.user.update_participant(call, participant, **change).result(lab.CEILING)

    def test_who_takes_part_is_listed_and_followed(self):
        tab, call = self.meeting()
        listed = self.listed(call, lambda each: set(each) == {ME, ADA, BOB}, "all are listed")
        self.assertEqual([(listed[each]["name"], listed[each]["self"], listed[each]["muted"],
                           listed[each].get("changeable", [])) for each in (ME, ADA, BOB)],
                         [("Me", True, False, ["hand_raised"]), ("Ada", False, False, ["muted"]),
                          ("Bob", False, True, ["muted"])])
        self.browser.run(tab, "exit('bob'); enter('eve', 'Eve')")
        self.listed(call, lambda each: set(each) == {ME, ADA, "participant-item-eve"}, "Eve is there for Bob")
        self.browser.run(tab, "document.querySelector('#participant-item-ada .css-2-name').textContent = 'Ada L.'")
        self.listed(call, lambda each: each[ADA]["name"] == "Ada L.", "Ada has another name")

    def test_a_list_that_is_closed_lists_nobody_and_one_that_is_opened_later_all(self):
        tab, call = self.meeting("var former = pane; pane.remove(); enter('me', 'Me'); enter('ada', 'Ada')")
        self.assertEqual(self.user.list_participants(call).result(lab.CEILING)["count"], 0)
        self.browser.run(tab, "document.body.append(pane)")
        self.listed(call, lambda each: set(each) == {ME, ADA}, "all are listed")
        self.browser.run(tab, "pane.remove()")
        self.listed(call, lambda each: not each, "nobody is listed")

    def test_the_user_raises_a_hand_and_lowers_it(self):
        tab, call = self.meeting()
        self.listed(call, lambda each: ME in each, "the user is listed")
        for is_raised in (True, False):
            self.change(call, ME, hand_raised=is_raised)
            self.listed(call, lambda each, value=is_raised: each[ME]["hand_raised"] == value, "it is so")
        self.assertEqual(self.browser.run(tab, "return pressed"), ["hand", "hand"])
        self.browser.click(tab, "[aria-label='Raise your hand']")       # by the user, in the page
        self.listed(call, lambda each: each[ME]["hand_raised"], "the hand is raised")

    def test_the_user_mutes_a_participant_and_nobody_unmutes_one(self):
        tab, call = self.meeting()
        self.listed(call, lambda each: ADA in each, "Ada is listed")
        self.change(call, ADA, muted=True)
        self.assertTrue(self.listed(call, lambda each: True, "")[ADA]["muted"])
        self.assertEqual(self.browser.run(tab, "return pressed"), [ADA])
        with self.assertRaises(lab.ProviderFailed):
            self.change(call, BOB, muted=False)
        self.assertTrue(self.listed(call, lambda each: True, "")[BOB]["muted"])

    def test_of_very_many_participants_the_first_thousand_are_listed(self):
        tab, call = self.meeting("enter('me', 'Me'); for (let n = 0; n < 5000; n++) enter(`p${n}`, `P ${n}`)")
        self.listed(call, lambda each: len(each) == 1000 and ME in each, "a thousand are listed")
        self.browser.run(tab, "for (let n = 0; n < 4500; n++) exit(`p${n}`)")
        listed = self.listed(call, lambda each: len(each) == 501, "five hundred are left")
        self.assertEqual(listed["participant-item-p4999"]["name"], "P 4999")
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)

    def test_names_of_any_shape_and_length_are_names_of_the_broker(self):
        _, call = self.meeting("enter('me', 'Me'); enter('ada', '\\u202e' + 'Ä\\n'.repeat(100_000)); "
                               "enter('x'.repeat(1000), 'Long'); enter('', 'Empty')")
        listed = self.listed(call, lambda each: ADA in each, "Ada is listed")
        self.assertLessEqual(len(listed[ADA]["name"].encode()), 128)
        self.assertEqual(set(listed) - {"participant-item-"}, {ME, ADA})

    def test_a_broker_that_comes_back_is_told_who_takes_part(self):
        _, call = self.meeting()
        self.listed(call, lambda each: len(each) == 3, "all are listed")
        self.broker.kill()
        self.start_broker()
        self.until(lambda each: each["call"] == call and each["provider_connected"])
        self.listed(call, lambda each: len(each) == 3, "all are listed again")


class PrivateWindowTests(lab.World):
    """Only in Firefox a test may allow the extension there."""

    BROWSER, HOSTS, address = lab.Firefox, (HOST,), Cases.address

    def test_nobody_is_listed_of_a_private_window(self):
        far, near = (self.browser.open(self.address(page, HOST), type="window", private=True) for page in (
            "far.html?room=meeting", "jitsi-meet.html?room=meeting"))
        self.browser.run(near, "enter('me', 'Me'); await join(true)")
        call = self.until(lambda each: each["state"] == "active")["call"]
        self.user.set_muted(call, True, wait="completed").result(lab.CEILING)     # what came before is here
        self.assertEqual(self.user.list_participants(call).result(lab.CEILING)["count"], 0)
        self.assertTrue(far)


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()

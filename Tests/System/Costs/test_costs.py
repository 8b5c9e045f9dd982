"""Nothing that the broker does costs more, the more there is of something else. Every crowd is there at
once; `costs.py --all` tries each by itself, and names the one at fault."""
import functools
import unittest

import costs

COUNT, TIMES = 24, 2
# Examples that find nothing to do here, or too much: they are measured up to their refusal.
REFUSED = {
    "audio.report_endpoints/a laptop with a headset": "role_not_granted",
    "audio.set_endpoint/the headset": "unknown_endpoint",
    "broker.backup/any time": "no_store",
    "call.attended_transfer/one call": "invalid_state",
    "call.continue_tones/not wanted": "invalid_state",
    "call.continue_tones/the number of a conference": "invalid_state",
    "call.deflect/one call": "invalid_state",
    "call.dial/a number": "ambiguous_provider",
    "call.press_button/nothing to do": "max_call_groups",
    "call.report_alerting/it rings": "invalid_state",
    "call.report_alerting/with the network's own ringback tone": "invalid_state",
    "call.report_connecting/now": "invalid_state",
    "call.report_external/a call in the kitchen": "invalid_state",
    "call.report_missed/the caller hung up": "call_uuid",
    "call.report_text/three characters": "invalid_state",
    "call.report_text_request/asked": "not_supported",
    "call.report_video_request/both would see each other": "not_supported",
    "call.send_text/two characters": "invalid_state",
    "call.set_endpoint/one call": "not_supported",
    "call.set_text/one call": "not_supported",
    "call.set_video/one call": "not_supported",
    "call.start/a number": "ambiguous_provider",
    "call.swap/two calls": "invalid_action",
    "call.transfer/one call": "not_supported",
    "line.set_setting/no call waiting": "unknown_line",
    "line.set_setting/to the voicemail after 20 seconds": "unknown_line",
    "participant.update/one's own hand": "unknown_participant",
    "participant.update/somebody who forgot it": "unknown_participant",
    "question.answer/the app may have calls": "not_found",
    "test.settle/all but one": "silence",
    "test.settle/everybody": "silence",
    "test.settle/without waiting": "silence",
    "transaction.request/a start, for an app that chooses the id": "max_call_groups",
}


@functools.cache
def everything():
    """What each thing costs beside everybody, and how the examples were answered."""
    log, answers = costs.run(["all"], COUNT, TIMES)
    return costs.costs(log), answers


class CostTests(unittest.TestCase):
    def test_nothing_costs_more_the_more_there_is_of_something_else(self):
        wrong = [growth for growth in costs.judge(everything()[0]) if costs.is_wrong(growth)]
        self.assertFalse(wrong, "\n".join(map(str, wrong)))

    def test_a_walk_past_all_there_are_is_noticed(self):
        found = {growth.what for growth in costs.judge(everything()[0])}
        self.assertIn("planted walk", found)
        self.assertNotIn("planted search", found)

    def test_every_example_does_what_it_is_for(self):
        self.assertEqual(costs.refusals(everything()[1]), REFUSED)


class JudgeTests(unittest.TestCase):
    """n = 10, 20 and 40."""

    def grows(self, *numbers):
        return costs.grows(dict(zip((10, 20, 40), numbers)))

    def test_what_stays_the_same_does_not_grow(self):
        self.assertFalse(self.grows(50_000, 50_000, 50_000))

    def test_what_grows_with_the_logarithm_does_not_grow(self):
        self.assertFalse(self.grows(50_000, 60_000, 70_000))

    def test_a_step_does_not_grow(self):
        self.assertFalse(self.grows(50_000, 50_000, 90_000))
        self.assertFalse(self.grows(50_000, 90_000, 90_000))
        self.assertFalse(self.grows(1_465_960, 1_469_051, 1_557_071))

    def test_a_walk_grows(self):
        self.assertTrue(self.grows(50_000, 55_000, 65_000))

    def test_a_walk_for_each_grows(self):
        self.assertTrue(self.grows(50_000, 80_000, 200_000))


if __name__ == "__main__":
    unittest.main()

"""The intercom, while somebody is on the phone. No test waits for time: the clock is the test's."""
import sys
from pathlib import Path

import pytest

from callbroker_pytest import BrokerError, fail

INTERCOM = Path(__file__).parents[1] / "intercom.py"


@pytest.fixture
def on_the_phone(fake_provider, fake_controller):
    """A desk phone with a call that speaks; how it takes a hold is up to the test."""
    def phone(**scripts):
        desk = fake_provider("org.example.desk", **scripts)
        call = desk.incoming("+15550100", display_name="Ann")
        fake_controller.answer(call, wait="completed")
        return desk, call
    return phone


@pytest.fixture
def visitor(broker, wait_event):
    """Rings at the door; returns the call."""
    def ring():
        broker.start(sys.executable, INTERCOM, "Bob")
        return wait_event("call.added", provider="com.example.intercom")["call"]
    return ring


def test_the_visitor_is_heard_once_the_desk_phone_is_held(
        on_the_phone, visitor, fake_controller, broker):
    desk, call = on_the_phone()
    door = visitor()
    fake_controller.answer(door, "hold_and_answer", wait="completed")
    fake_controller.request("call.play_dtmf", call=door, digits="9", wait="completed")
    fake_controller.end(door, wait="completed")
    broker.settle()
    assert desk.performed == [("answer", call, {}), ("set_held", call, {"held": True}),
                              ("set_held", call, {"held": False})]


def test_the_visitor_waits_if_the_desk_phone_cannot_hold(on_the_phone, visitor, fake_controller):
    on_the_phone(set_held=fail("remote_refused"))
    door = visitor()
    with pytest.raises(BrokerError, match="hold_failed"):
        fake_controller.answer(door, wait="completed")
    assert fake_controller.state(door) == "waiting"


def test_a_desk_phone_that_does_not_answer_loses_its_call(
        on_the_phone, visitor, fake_controller, advance):
    desk, call = on_the_phone(set_held="never")
    door = visitor()
    answer = fake_controller.send("call.answer", call=door, wait="completed")
    advance(5_000)
    assert answer.result()["state"] == "completed"
    assert (fake_controller.state(call), fake_controller.state(door)) == ("ended", "active")


def test_nobody_comes_to_the_door(broker, visitor, wait_event, advance):
    door = visitor()
    advance(60_000)
    ended = wait_event("call.changed", call=door, state="ended")
    assert ended["data"]["end_reason"] == "unanswered"
    broker.programs[0].process.wait(broker.ceiling)

"""The fixtures, used as a team uses them."""
import json
import socket
import sys
from pathlib import Path

import pytest

from callbroker_pytest import BrokerError, after, fail

SOFTPHONE = Path(__file__).parents[3] / "sdk" / "python" / "examples" / "softphone.py"
CALLS = 100
TEN_MINUTES_MS = 600_000


def test_a_call_of_one_app_is_held_before_another_is_answered(
        fake_provider, fake_controller, wait_event):
    one, other = fake_provider("org.example.one"), fake_provider("org.example.other")
    first = one.incoming(display_name="Ann")
    fake_controller.answer(first)
    wait_event("call.changed", call=first, state="active")
    second = other.incoming("bob@example.org")
    fake_controller.answer(second, "hold_and_answer", wait="completed")
    assert one.performed == [("answer", first, {}), ("set_held", first, {"held": True})]
    assert other.performed == [("answer", second, {})]
    assert wait_event("audio.changed", to=second)["data"]["from"] is None


def test_an_app_that_says_no(fake_provider, fake_controller):
    one, other = fake_provider("org.one", set_held=fail("remote_refused")), fake_provider("org.two")
    fake_controller.answer(one.incoming(), wait="completed")
    with pytest.raises(BrokerError) as caught:
        fake_controller.answer(other.incoming(), wait="completed")
    assert (caught.value.code, caught.value.reason) == (-32006, "hold_failed")
    assert other.performed == []


def test_how_far_a_dialled_call_came_and_why_it_ended(fake_provider, fake_controller, wait_event):
    app = fake_provider("org.one")
    call = fake_controller.start("+15550100", "org.one", wait="completed")
    app.alerting(call)
    assert fake_controller.state(call) == "alerting"
    app.alerting(call, has_early_media=True)
    assert fake_controller.request("call.get", call=call)["has_early_media"]
    app.ended(call, code="SIP 486", text="Busy Here")
    assert wait_event("call.changed", call=call, state="ended")["data"]["end_detail"] == {
        "reason": "busy", "code": "SIP 486", "text": "Busy Here"}


def test_calls_have_the_line_that_they_came_in_on_or_are_placed_on(fake_provider, fake_controller):
    phone = fake_provider("org.example.phone", {"lines": [
        {"line": "home", "label": "Home", "default": True}, {"line": "work", "label": "Work"}]})
    incoming = phone.incoming(line="work")
    assert fake_controller.request("call.get", call=incoming)["line"] == "work"
    phone.ended(incoming)
    for line, placed in (({"line": "work"}, "work"), ({}, "home")):
        call = fake_controller.start("+15550100", phone.identity, wait="completed", **line)
        assert phone.performed[-1][0] == "start" and phone.performed[-1][2]["line"] == placed
        phone.ended(call)


def test_a_failed_line_is_seen_with_the_words_of_the_network(fake_provider, fake_controller):
    phone = fake_provider("org.example.phone")
    line = {"line": "work", "label": "Work", "state": "failed", "reason": "403 Forbidden"}
    phone.lines(line)
    [provider] = fake_controller.request("provider.list")["providers"]
    assert provider["lines"] == [{**line, "default": False}]
    phone.lines()
    with pytest.raises(BrokerError) as refusal:
        phone.incoming(line="work")
    assert refusal.value.reason == "unknown_line"


def test_a_start_that_the_network_refuses(fake_provider, fake_controller, wait_event):
    fake_provider("org.one", start=fail("unspecified", "Not Found", "SIP 404"))
    with pytest.raises(BrokerError) as caught:
        fake_controller.start("+15550100", "org.one", wait="completed")
    assert caught.value.data["provider_error"]["app_code"] == "SIP 404"
    assert wait_event("call.changed", state="ended")["data"]["end_detail"] == {
        "reason": "invalid_number", "code": "SIP 404", "text": "Not Found"}


def test_an_app_that_never_answers_is_given_up_to_the_millisecond(
        fake_provider, fake_controller, wait_event, advance):
    call = fake_provider(answer="never").incoming()
    fake_controller.answer(call)
    advance(59_999)
    assert fake_controller.state(call) == "ringing"
    advance(1)
    wait_event("action.timed_out", call=call)
    assert wait_event("call.changed", call=call, state="ended")["data"]["end_reason"] == "failed"


def test_an_app_that_answers_too_late(fake_provider, fake_controller, wait_event, advance):
    app = fake_provider(set_held="late")
    call = app.incoming()
    fake_controller.answer(call, wait="completed")
    hold = fake_controller.send("call.set_held", call=call, held=True, wait="completed")
    assert advance(5_000) == 5_000
    with pytest.raises(BrokerError, match="deadline_exceeded"):
        hold.result()
    advance(1)
    wait_event("call.changed", call=call, state="held")    # it is, all the same


def test_an_app_that_takes_its_time(fake_provider, fake_controller, advance):
    call = fake_provider(answer=after(2_500)).incoming()
    answer = fake_controller.send("call.answer", call=call, wait="completed")
    advance(2_499)
    assert not answer.done
    advance(1)
    assert answer.result()["state"] == "completed"


def test_one_outcome_after_the_other(fake_provider, fake_controller):
    app = fake_provider(set_muted=["fail", "fulfil"])
    call = app.incoming()
    fake_controller.answer(call, wait="completed")
    with pytest.raises(BrokerError):
        fake_controller.set_muted(call, True, wait="completed")
    fake_controller.set_muted(call, True, wait="completed")
    assert fake_controller.request("call.get", call=call)["muted"]


def test_other_things_that_a_silent_app_is_asked_for_are_awaited(
        broker, fake_provider, fake_controller):
    app = fake_provider(play_dtmf="never")
    call = app.incoming()
    fake_controller.answer(call, wait="completed")
    fake_controller.request("call.play_dtmf", call=call, digits="1")
    fake_controller.end(call)
    broker.settle()
    assert fake_controller.state(call) == "ended"


def test_a_lost_app_is_waited_for_by_the_clock_of_the_test(
        fake_provider, fake_controller, wait_event, advance):
    app = fake_provider(registration={"grace_ms": 20_000})
    call = app.incoming()
    fake_controller.answer(call, wait="completed")
    app.close()
    wait_event("provider.lost", provider=app.identity)
    advance(19_999)
    assert fake_controller.state(call) == "active"
    advance(1)
    wait_event("provider.removed", provider=app.identity)


def test_an_event_is_returned_once(fake_provider, wait_event):
    app = fake_provider()
    calls = [app.incoming(), app.incoming("+15550101")]
    assert [wait_event("call.added")["call"] for _ in calls] == calls


def test_a_program_is_recorded_and_stopped(broker, wait_event, fake_controller):
    """The fifteen lines of the protocol, as they stand."""
    program = broker.start(sys.executable, SOFTPHONE)
    wait_event("provider.added", provider="org.example.softphone")
    call = fake_controller.start("+15550100", "org.example.softphone")
    wait_event("call.changed", call=call, state="dialing")
    peers = {frame.peer for frame in broker.recorder.frames}
    assert {"controller", "org.example.softphone"} <= peers
    assert program.process.poll() is None


def test_a_program_that_is_killed_is_a_lost_connection(broker, wait_event, fake_controller):
    program = broker.start(sys.executable, SOFTPHONE)
    wait_event("provider.added")
    fake_controller.start("+15550100", "org.example.softphone")
    program.kill()
    wait_event("provider.lost", provider="org.example.softphone")
    broker.advance(5_000)
    wait_event("provider.removed", reason="grace_expired")


def test_a_program_that_is_killed_without_the_recorder_is_known_to_have_ended(
        broker, wait_event, fake_controller):
    program = broker.start(sys.executable, SOFTPHONE, BROKER_SOCKET=broker.direct_socket)
    wait_event("provider.added")
    fake_controller.start("+15550100", "org.example.softphone")
    program.kill()
    wait_event("provider.removed", reason="process_exited")


def test_half_a_connection_is_passed_on(broker):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(broker.ceiling)
        connection.connect(broker.socket)
        connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"broker.ping"}')
        connection.shutdown(socket.SHUT_WR)
        assert json.loads(connection.makefile("rb").read()) == {
            "jsonrpc": "2.0", "id": 1, "result": {}}


def test_ten_minutes_of_calls(fake_provider, fake_controller, wait_event, advance):
    """Two apps, a hundred calls of four seconds, and each answered over the one before."""
    apps = [fake_provider("org.example.one"), fake_provider("org.example.other")]
    talking = None
    for index in range(CALLS):
        call = apps[index % 2].incoming()
        advance(2_000)
        fake_controller.answer(call, wait="completed")
        advance(4_000)
        if talking is not None:
            apps[(index + 1) % 2].ended(talking)
            wait_event("call.removed", call=talking)
        talking = call
    assert advance(0) == TEN_MINUTES_MS
    kinds = [kind for app in apps for kind, _, _ in app.performed]
    assert (kinds.count("answer"), kinds.count("set_held")) == (CALLS, CALLS - 1)

"""What fails, and what is said then: a test inside a test."""
from xml.etree import ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def run(pytester):
    """Runs the text as a test file."""
    def run(text, *arguments):
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "callbroker_pytest", *arguments)
    return run


def test_a_frame_that_breaks_the_protocol_is_shown(run):
    result = run("""
        def test_flow(broker, fake_provider):
            fake_provider("org.example.a").send("call.report_incoming", call=broker.new_id(),
                                                remote={"type": "phone"}, colour="red")
            broker.settle()
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "org.example.a breaks the protocol: call.report_incoming: params.remote must contain*",
        '  > {"jsonrpc":"2.0","id":3,"method":"call.report_incoming",*',
        "*CallBroker: frames*",
        'org.example.a > {"jsonrpc":"2.0","id":1,"method":"broker.hello",*',
        "org.example.a < *-32602*"])


@pytest.mark.parametrize("frame, said", [
    ('{"id": 9, "method": "call.answer", "params": {"call": ID, "colour": 1}}',
     "call.answer: params must not contain*colour*"),
    ('{"id": 9, "method": "call.hang_up"}', "there is no method call.hang_up"),
    ('{"id": 9, "method": "provider.perform"}', "provider.perform does not go this way"),
    ('{"id": 9, "result": 3, "x": 1}', None),
    ('{"id": 9, "error": "no"}', "error: expected an integer code and a message"),
    ('{"id": 9}', "neither method, result nor error"),
])
def test_what_breaks_the_protocol(run, frame, said):
    result = run(f"""
        ID = "00000000-0000-4000-8000-000000000001"
        def test_flow(broker, fake_controller):
            fake_controller.write({frame})
            broker.settle()
    """)
    result.assert_outcomes(failed=int(said is not None), passed=int(said is None))
    if said is not None:
        result.stdout.fnmatch_lines(["controller breaks the protocol: " + said])


def test_a_result_that_breaks_the_protocol(run):
    run("""
        def test_flow(broker, fake_provider, fake_controller):
            app = fake_provider()
            app._asked = lambda number, method, params: app.write(
                {"id": number, "result": {"at_ms": "soon"}})
            fake_controller.answer(app.incoming())
            broker.settle()
    """).stdout.fnmatch_lines([
        "org.example.phone breaks the protocol: provider.perform: result.at_ms must be integer"])


def test_what_is_no_json(run):
    run("""
        import socket
        def test_flow(broker):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(broker.socket)
                connection.sendall(b"hello\\n")
                connection.makefile("rb").readline()
    """).stdout.fnmatch_lines(["program-1 breaks the protocol: no JSON object", "  > hello"])


def test_a_fault_that_is_expected(run):
    run("""
        def test_flow(broker, fake_controller):
            broker.expect_fault("there is no method call.hang_up")
            fake_controller.write({"id": 9, "method": "call.hang_up"})
            broker.settle()
    """).assert_outcomes(passed=1)


def test_a_warning_fails_a_test_unless_it_is_expected(run):
    result = run("""
        import pytest
        @pytest.mark.parametrize("expected", [[], ["unknown_notification"], ["another"]])
        def test_flow(broker, fake_controller, expected):
            broker.expect_fault("there is no method")
            for reason in expected:
                broker.expect_warning(reason)
            fake_controller.write({"method": "call.sing", "params": {}})
            broker.settle()
            fake_controller.request("broker.ping")
    """)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines([
        "controller was warned: unknown_notification",
        '  < {"jsonrpc":"2.0","method":"broker.warning",*',
        "nobody was warned: expected 'another'"])


def test_an_event_that_does_not_come_fails_at_once_and_names_those_that_came(run):
    result = run("""
        def test_flow(fake_provider, wait_event):
            wait_event("call.changed", call=fake_provider().incoming(), state="active")
    """, "-o", "callbroker_ceiling=3600")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        'E*AssertionError: no event call.changed {"call": "00000000-*", "state": "active"}; '
        "there were: provider.added, call.added, host.changed, host.presence"])


def test_a_reply_that_needs_the_clock_says_so(run):
    run("""
        def test_flow(fake_provider, fake_controller):
            call = fake_provider(answer="never").incoming()
            fake_controller.ceiling = 0.1       # of what is never answered
            fake_controller.answer(call, wait="completed")
    """).stdout.fnmatch_lines([
        "E*no reply to call.answer; does the clock have to be advanced? (waited 0.1 s*"])


def test_what_programs_print_is_shown(run):
    run("""
        def test_flow(broker):
            broker.start("sh", "-c", "echo the door is stuck >&2").process.wait()
            assert False
    """).stdout.fnmatch_lines(["*CallBroker: output of sh*", "the door is stuck"])


def test_a_broker_that_ends_is_noticed(run):
    run("""
        def test_flow(broker):
            broker.process.kill()
            broker.process.wait()
    """).stdout.fnmatch_lines(["the broker has ended with status -9"])


def test_a_script_with_an_unknown_word(run):
    run("""
        def test_flow(fake_provider, fake_controller):
            fake_provider(answer="perhaps")
    """).stdout.fnmatch_lines(["E*'perhaps': expected one of fulfil, fail, never, late, fail()*"])


def test_a_broker_that_is_not_installed(run):
    result = run("def test_flow(broker): pass", "--callbroker", "/nowhere/callbroker")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no program '/nowhere/callbroker': install CallBroker, or name*"])


def test_who_owes_an_answer_is_said(run):
    result = run("""
        import json, socket
        OPENING = (
            ("broker.hello", {"protocol": {"min": 1, "max": 1}, "roles": ["provider"],
                              "identity": "org.example.mute",
                              "client": {"name": "mute", "version": "0"}}),
            ("provider.register", {"display_name": "Mute", "handle_types": ["phone"]}))
        def test_flow(broker, fake_controller):
            with socket.socket(socket.AF_UNIX) as app:
                app.connect(broker.socket)
                lines = app.makefile("rw")
                for number, (method, params) in enumerate(OPENING):
                    lines.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                                            "params": params}) + "\\n")
                    lines.flush()
                    lines.readline()
                fake_controller.start("+15550100", "org.example.mute")
                broker.ceiling = 0.1
                broker.settle()
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*org.example.mute has not answered provider.perform (start *) (waited 0.1 s*"])


FLOW = """
    def test_flow(broker, fake_provider, fake_controller, advance):
        first, second = fake_provider("org.example.a"), fake_provider("org.example.b")
        calls = [first.incoming(), second.incoming("+15550101")]
        for call in calls:
            fake_controller.answer(call, wait="completed")
            advance(5000)
        assert fake_controller.state(calls[0]) == {}
"""


def test_the_calls_of_a_failed_test_are_drawn(run, pytester):
    result = run(FLOW.format("'active'"), "--callbroker-pictures", "drawn", "--junitxml=r.xml",
                 "-o", "junit_logging=all")
    result.assert_outcomes(failed=1)
    [picture] = (pytester.path / "drawn").iterdir()
    assert picture.name.endswith("test_flow.svg")
    titles = [each.text for each in ElementTree.parse(picture).iter(SVG + "title")]
    assert "0000…0001 is held for 0000…0002" in titles
    assert "+1555" not in picture.read_text()
    case = ElementTree.parse(pytester.path / "r.xml").find(".//testcase")
    assert case.find("properties/property[@name='callbroker_picture']").get("value") == str(picture)
    assert f"[[ATTACHMENT|{picture}]]" in case.findtext("system-out")


def test_a_test_that_passes_is_not_drawn(run, pytester):
    run(FLOW.format("'held'"), "--callbroker-pictures", "drawn").assert_outcomes(passed=1)
    assert not (pytester.path / "drawn").exists()


def test_a_picture_that_cannot_be_drawn_is_not_silent(run, pytester):
    result = run("""
        def test_flow(broker):
            assert False
    """, "--callbroker-pictures", "drawn")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*CallBroker: no picture*", "*there were no calls*"])

"""The situation in which each button of a call is there, and what a press has to do at the broker."""
import queue

from desk import Admin, CEILING, phone, wait_until

import cards

OFF, OFFERED = "off", "receive"                 # directions of video


class Situations:
    """Makes situations on a desk, one after the other, each from its beginning.

    Each method has the name of a button. It makes the situation, calls `press` with what the button
    says once it is there, and waits until the broker shows what the press did.

    Args:
        press: presses the button that says this.
    """

    def __init__(self, desk, press):
        self.desk, self.press = desk, press
        self.start_apps()

    def start_apps(self):
        self.app = self.equipped("org.example.phone", "Desk phone")
        self.other = self.equipped("org.example.door", "Door")

    def equipped(self, identity, name):
        """An app that does everything that it is asked for, and reports it."""
        app = self.desk.app(identity, name, max_call_groups=4, supports_video=True,
                            supports_text=True)
        performed = self.desk.performed

        @app.on_action("set_muted")
        def mute(action):
            performed.append((action.kind, action.call))

        @app.on_action("play_dtmf")
        def play(action):
            performed.append((action.kind, action.call, action.arguments["digits"]))

        @app.on_action("set_video")
        def set_video(action):
            performed.append((action.kind, action.call, action.arguments["video"]))

        @app.on_action("set_text")
        def set_text(action):
            performed.append((action.kind, action.call, action.arguments["text"]))
        return app

    def run(self, button):
        try:
            getattr(self, button)(cards.label(button))
        finally:
            self.clear()

    def clear(self):
        """Ends all calls, and looks at the history, so that nothing is shown."""
        for call in self.calls():
            self.desk.user.end(call, wait="completed").result(CEILING)
        self.desk.user.request("history.mark_seen").result(CEILING)
        self.desk.performed.clear()

    def calls(self):
        return [each["call"] for each in self.desk.user.list_calls().result(CEILING)["calls"]]

    def rings(self, app=None, number="+15550100"):
        return self.desk.rings(app or self.app, number, supports_set_video=True,
                               supports_set_text=True, supports_dtmf=True)

    def talks(self, app=None, number="+15550100"):
        call = self.rings(app, number)
        self.desk.user.answer(call, wait="completed").result(CEILING)
        return call

    def wait_for(self, call, **members):
        """Waits until the broker has the call like this; with the state None, until it is over."""
        if members == {"state": None}:
            return wait_until(self.calls, lambda: call not in self.calls())
        return wait_until(lambda: self.desk.state(call), lambda: members.items() <= {
            key: self.desk.state(call).get(key) for key in members}.items())

    def wait_for_performed(self, *what):
        wait_until(lambda: f"{what} in {self.desk.performed}", lambda: what in self.desk.performed)

    # ---- A call that rings

    def answer(self, label):
        call = self.rings()
        self.press(label)
        self.wait_for(call, state="active")

    def hold_and_answer(self, label):
        first, second = self.talks(), self.rings(self.other, "+15550101")
        self.press(label)
        self.wait_for(second, state="active")
        self.wait_for(first, state="held")

    def end_and_answer(self, label):
        first, second = self.talks(), self.rings(self.other, "+15550101")
        self.press(label)
        self.wait_for(second, state="active")
        self.wait_for(first, state=None)

    def end_held_and_answer(self, label):
        first, second = self.talks(), self.talks(self.other, "+15550101")
        third = self.rings(self.app, "+15550102")
        self.press(label)
        self.wait_for(third, state="active")
        self.wait_for(first, state=None)
        self.wait_for(second, state="held")

    def silence(self, label):
        call = self.rings()
        self.press(label)
        self.wait_for(call, silenced=True, state="ringing")

    def decline(self, label):
        call = self.rings()
        self.press(label)
        self.wait_for(call, state=None)
        self.wait_for_performed("end", call)

    # ---- A call that talks

    def end(self, label):
        call = self.talks()
        self.press(label)
        self.wait_for(call, state=None)

    def mute(self, label):
        call = self.talks()
        self.press(label)
        self.wait_for(call, muted=True)

    def unmute(self, label):
        call = self.talks()
        self.desk.user.set_muted(call, True, wait="completed").result(CEILING)
        self.press(label)
        self.wait_for(call, muted=False)

    def hold(self, label):
        call = self.talks()
        self.press(label)
        self.wait_for(call, state="held")

    def resume(self, label):
        call = self.talks()
        self.desk.user.set_held(call, True, wait="completed").result(CEILING)
        self.press(label)
        self.wait_for(call, state="active")

    def continue_tones(self, label):
        call = self.talks()
        self.desk.user.play_dtmf(call, "1;2", wait="completed").result(CEILING)
        self.press(label)
        self.wait_for_performed("play_dtmf", call, "2")
        self.wait_for(call, paused_tones=None)

    def drop_tones(self, label):
        call = self.talks()
        self.desk.user.play_dtmf(call, "1;2", wait="completed").result(CEILING)
        self.press(label)
        self.wait_for(call, paused_tones=None)
        assert ("play_dtmf", call, "2") not in self.desk.performed, self.desk.performed

    # ---- What the other side asks for

    def accept_video(self, label, wanted=OFFERED):
        call = self.talks()
        self.app.report_video_request(call, OFFERED).result(CEILING)
        self.press(label)
        self.wait_for_performed("set_video", call, wanted)
        self.wait_for(call, video_request=None)

    def decline_video(self, label):
        self.accept_video(label, OFF)

    def accept_text(self, label, is_on=True):
        call = self.talks()
        self.app.report_text_request(call).result(CEILING)
        self.press(label)
        self.wait_for_performed("set_text", call, is_on)
        self.wait_for(call, text_request=None)

    def decline_text(self, label):
        self.accept_text(label, False)

    # ---- Notifications about what was, and what may be

    def call_back(self, label):
        self.app.report_ended(self.rings(), "unanswered").result(CEILING)
        self.desk.wait_to_see(label)
        self.desk.wait_for_cards(1)             # what rang is gone: it was above
        self.press(label)
        wait_until(self.calls, self.calls)
        (started,) = self.calls()
        self.wait_for(started, remote=phone("+15550100"), direction="outgoing")

    def allow(self, label, decision="authorized"):
        for app in (self.app, self.other):
            app.close()                         # the user would be asked about them, too
        providers = lambda: self.desk.user.list_providers().result(CEILING)["providers"]
        wait_until(providers, lambda: not providers())
        with Admin("admin", socket=self.desk.broker.path) as admin:
            admin.set_policy(new_providers="ask").result(CEILING)
            app, decisions = self.desk.app(f"org.example.{label.lower()}", "New app"), queue.Queue()
            app.on("provider.authorization_changed")(decisions.put)
            asked = app.request_authorization().result(CEILING)
            assert asked == {"status": "not_determined", "asked": True}, asked
            self.press(label)
            self.desk.wait_for_cards(0)
            if decision is None:
                assert decisions.empty(), decisions.get()
                (known,) = (each for each in providers() if each["display_name"] == "New app")
                assert known["authorization"] == "not_determined", known
            else:
                assert decisions.get(timeout=CEILING) == {"status": decision}
            admin.set_policy(new_providers="allow").result(CEILING)
        app.close()
        self.start_apps()

    def deny(self, label):
        self.allow(label, "denied")

    def later(self, label):
        self.allow(label, None)

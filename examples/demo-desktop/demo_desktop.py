#!/usr/bin/env python3
"""A desktop with music, keys and a busy light, two real telephones, and what calls do to it all.

    demo_desktop.py CALLBROKER [--without PLUGIN]       the path of the program

Starts a session of its own (D-Bus, Xvfb, PipeWire, dunst, xbindkeys, mpv), a baresip and a linphone on
loopback, and a broker, in which the plugins are enabled as a user does; sipp calls. Each scene shows
what somebody does and what follows. The exit status is 0 only if the loudspeaker, the light, the
notifications, the hook's file and the packets all had what they should; without one of the plugins
they do not.
"""
import sys

from desktop_stage import COLORS, MUSIC, RING, SINE, VOICE, Stage, rtp

import demo_phones  # isort:skip  (the stage finds it)
from demo_phones import CAROL, DAVE, Surprise, lab  # isort:skip

NOTED = ["call.ringing: carol", "call.answered: carol", "call.ringing: dave",
         "call.answered: dave", "call.ended: carol", "call.ended: dave"]
COLORS_SHOWN = ["green", "blue", "red", "magenta", "red", "green"]
IN_FLIGHT = 3                                   # packets that may be on their way at a change


# -- The scenes

def plugins(stage):
    """The plugins are enabled, and music plays."""
    stage.enable("baresip", control=f"127.0.0.1:{stage.baresip.control}")
    stage.enable("linphone", pipe=stage.linphone.pipe)
    for name in ("notify", "media-pause", "system-mute", "hooks"):
        stage.enable(name)
    # A key in the first second after a call has come is not dropped: it is not meant for the music.
    stage.enable("keys", settling_ms=0)
    stage.enable("pulse-guard", apps="org.callbroker.linphone=linphone-daemon")
    stage.enable("presence", **stage.light_options)
    stage.wait_for_plugins()
    stage.light_turns("green")
    stage.hook_has_written("free", "state.txt")
    stage.press("XF86AudioPlay", "the key with the triangle")
    stage.hears(MUSIC)
    stage.shows(f"the loudspeaker has the music, a tone of {MUSIC} Hz")


def first_call(stage):
    """Carol calls the baresip: the music pauses as it rings."""
    stage.calls(CAROL, stage.baresip)
    stage.expect(carol="ringing")
    stage.hears(*RING)
    stage.hears_no_music()
    stage.wait_for_player("mpv", "Paused")
    stage.shows("the loudspeaker rings, and has no music; mpv is paused")
    stage.note_shows("carol")
    stage.light_turns("blue")
    stage.hook_has_written("call.ringing: carol")


def answer(stage):
    """The same key answers."""
    stage.wait_for_player("callbroker", "Playing")
    stage.press("XF86AudioPlay", "the key with the triangle")
    stage.expect(carol="active")
    stage.shows("the call with carol is active")
    stage.far_end_gets(CAROL, SINE)
    stage.light_turns("red")
    stage.hook_has_written("call.answered: carol")


def mute(stage):
    """The key of the microphone mutes the call, and unmutes it."""
    for is_muted in (True, False):
        stage.press("XF86AudioMicMute", "the key with the microphone")
        stage.wait_for_mute(CAROL, is_muted)
        stage.shows(f"the call with carol is {'muted' if is_muted else 'not muted'}")
        stage.far_end_gets(CAROL, 0 if is_muted else SINE)


def second_call(stage):
    """Dave calls the linphone meanwhile; the key answers, and holds the call with Carol."""
    stage.calls(DAVE, stage.linphone)
    stage.expect(carol="active", dave="waiting")
    stage.note_shows("dave")
    stage.light_turns("magenta")
    stage.hook_has_written("call.ringing: dave")
    stage.press("XF86AudioPlay", "the key with the triangle")
    stage.expect(carol="held", dave="active")
    stage.shows("the call with carol is held, the call with dave is active")
    stage.far_end_gets(DAVE, VOICE)
    stage.light_turns("red")
    stage.hook_has_written("call.answered: dave")


def swap(stage):
    """Now the key swaps the two."""
    stage.press("XF86AudioPlay", "the key with the triangle")
    # At first: the linphone closes its stream after five seconds.
    stage.wait_for_mutes("linphone-daemon", 1, True)
    stage.expect(carol="active", dave="held")
    stage.shows("the call with carol is active, the call with dave is held")
    stage.shows("pulse-guard has muted the linphone")
    stage.far_end_gets(CAROL, SINE)


def end(stage):
    """Carol's call is ended, then Dave's with the key: the music goes on."""
    stage.tool("end", "carol")
    stage.expect(carol="over", dave="active")
    stage.hook_has_written("call.ended: carol")
    stage.far_end_gets(DAVE, VOICE)
    stage.press("XF86AudioPlay", "the key with the triangle")
    stage.expect(carol="over", dave="over")
    stage.hook_has_written("call.ended: dave")
    stage.hears(MUSIC)
    stage.shows("the loudspeaker has the music again")
    stage.light_turns("green")


def afterwards(stage):
    """What is left of it."""
    for what, find, expected in (
            ("mpv was asked to", stage.requests, ["Pause", "Play"]),
            ("the light was", lambda: colors(stage), COLORS_SHOWN),
            ("the hook has written", lambda: stage.lines("calls.txt"), NOTED),
            ("presence.json has the state", lambda: [stage.presence()], ["free"]),
            ("the microphone is", stage.microphone_mutes, ["unmuted"])):
        lab.wait_until(lambda: f"{what} {find()}, not {expected}", lambda: find() == expected)
        stage.shows(f"{what} {', '.join(expected)}")
    for name, caller in stage.callers.items():
        if caller.wait() != 0:
            raise Surprise(f"for {name} it was not as a call should be: {caller.said()[-300:]}")


def colors(stage):
    """Those that the light has had. It may be orange, as on hold, while one call is held and the
    other not yet answered."""
    names = {value: name for name, value in COLORS.items()}
    seen = [names.get(color, color) for color in stage.colors]
    kept = [color for color in seen if color not in ("orange", "000000")]
    return [color for index, color in enumerate(kept) if kept[index - 1:index] != [color]]


def prove(stage, wire):
    """As of the two telephones alone; and that the far end of a held call got no sound."""
    demo_phones.prove(wire)
    for one, other in ((CAROL, DAVE), (DAVE, CAROL)):
        for span in wire.talking(one):
            meanwhile = [sound.number for sound in stage.sounds.read()
                         if sound.port == stage.media_port(other) and span.first < sound.number < span.last
                         and sound.loudness > rtp.QUIET]
            if len(meanwhile) > IN_FLIGHT:
                raise Surprise(f"{other} gets sound while {span} is heard: packets {meanwhile}")
    stage.shows("while one was heard, the far end of the other got no sound")


SCENES = [plugins, first_call, answer, mute, second_call, swap, end, afterwards]

if __name__ == "__main__":
    Stage.left_out = sys.argv[3:] if sys.argv[2:3] == ["--without"] else ()
    sys.exit(demo_phones.play(Stage, SCENES, prove))

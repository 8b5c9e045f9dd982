"""A desktop with music, a microphone, keys, notifications and a busy light; two telephones; and a
broker that runs the plugins. Everything is waited for, with a ceiling."""
import array
import json
import math
import os
import re
import subprocess
import sys
import wave
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parent.parent.parent
PLUGINS = ROOT / "plugins"
sys.path[:0] = [str(folder) for folder in (
    ROOT / "examples" / "demo-phones", ROOT / "examples" / "demo",
    ROOT / "Tests" / "System" / "Phones" / "support", PLUGINS / "sdk" / "python" / "tests",
    PLUGINS / "desktop" / "presence" / "tests")]

import demo_phones  # noqa: E402
import phonelab as lab  # noqa: E402
import rtp  # noqa: E402
from demo import FAINT, PLAIN  # noqa: E402
from desktop_session import DesktopSession  # noqa: E402
from heard import RATE, Recording, share  # noqa: E402
from light_stand import LightStand, written  # noqa: E402
from wire import Capture  # noqa: E402
from world import User  # noqa: E402

MUSIC, VOICE = 1_000, 600                       # Hz: what is played, and what the user says
SINE = 440                                      # Hz: what the baresip has instead of a microphone
RING = (400, 450)                               # what notify rings with
PACKETS = 50                                    # of sound, a second: longer than keys takes presses for one
LUXAFOR = (0x04D8, 0xF372)                      # a light, by vendor and product
COLORS = {"green": "008000", "blue": "0000ff", "red": "ff0000", "magenta": "ff00ff",
          "orange": "ff8000"}
# As people on small window managers have it. The last key shows that the keys work.
XBINDKEYSRC = """\
"playerctl play-pause"
    XF86AudioPlay
"pactl set-source-mute @DEFAULT_SOURCE@ toggle"
    XF86AudioMicMute
"touch $HOME/pressed"
    F12
"""
HOOK = """\
#!/bin/sh
echo "$CALL_EVENT: $CALL_NAME" >>"$HOME/calls.txt"
"""
STATE_HOOK = """\
#!/bin/sh
echo "$CALL_STATE" >"$HOME/state.txt"
"""
HOOKED = ("call.ringing", "call.answered", "call.ended")


def write_tone(path, hertz, seconds=600, amplitude=16_000):
    """A file with a tone, of a whole number of waves in each second."""
    second = array.array("h", (int(amplitude * math.sin(2 * math.pi * hertz * index / RATE))
                               for index in range(RATE)))
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(second.tobytes() * seconds)


class Stage(demo_phones.Stage, DesktopSession):
    """The desktop, the telephones, the broker, and everything that can be seen and heard of them."""

    left_out = ()                               # plugins that are not enabled

    def __init__(self, callbroker, folder):
        super().__init__(callbroker, folder)
        self.test = self                        # whose end is that of everything started here
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_CONFIG_HOME": folder + "/config", "XDG_STATE_HOME": folder + "/state",
            "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
        for name in ("run", "config", "state"):
            os.mkdir(os.path.join(folder, name), 0o700)

    def set_up(self):
        """Starts it all, but the broker has no plugin yet. What has been started ends with the
        stage, also if the rest fails."""
        os.environ["CALLBROKER"] = self.callbroker
        self.start_desktop()
        # No machine's logind is asked, or kept from sleeping.
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.folder}/no-bus"
        self.start_pipewire()
        self.start_microphone()
        self.start_music()
        self.start_keyboard()
        self.plug_in_light()
        self.write_hooks()
        self.start_telephones()
        # Without a sound theme notify makes its own ring, whose tones are known.
        own_ring = {**self.environment, "XDG_DATA_DIRS": self.folder + "/no-themes"}
        self.daemon = lab.Daemon(self, self.folder, environment=own_ring)
        self.environment["BROKER_SOCKET"] = self.daemon.socket
        self.user = self.enter_context(User("demo", socket=self.daemon.socket))

    # ---- What there is

    def start_microphone(self):
        """Someone says one tone all the time, and the baresip has another one of its own."""
        self.output("pactl", "load-module", "module-null-sink", "sink_name=room")
        self.output("pactl", "load-module", "module-remap-source", "source_name=microphone",
                    "master=room.monitor")
        self.output("pactl", "set-default-sink", "null0")
        self.output("pactl", "set-default-source", "microphone")
        lab.wait_until("the microphone is not used", lambda: [
            self.info()[name] for name in ("default_sink_name", "default_source_name")]
            == ["null0", "microphone"])
        write_tone(self.folder + "/voice.wav", VOICE)
        self.program("voice", "paplay", "--device=room", self.folder + "/voice.wav")

    def start_music(self):
        """A player that does not play yet."""
        write_tone(self.folder + "/music.wav", MUSIC)
        self.program("mpv", "mpv", "--no-config", "--no-video", "--ao=pulse", "--pause",
                     "--script=/usr/lib/mpv-mpris/mpris.so", self.folder + "/music.wav")
        self.wait_for_player("mpv", "Paused")
        self.monitor = self.program("monitor", "dbus-monitor", "--session",
                                    "interface='org.mpris.MediaPlayer2.Player'")
        self.monitor.wait_for("NameLost")       # it monitors from now on

    def start_keyboard(self):
        path = os.path.join(self.folder, "xbindkeysrc")
        with open(path, "w", encoding="utf-8") as file:
            file.write(XBINDKEYSRC)
        keyboard = self.program("xbindkeys", "xbindkeys", "--nodaemon", "--file", path)
        lab.wait_until(lambda: "no key works: " + keyboard.said(), self._is_pressed)

    def _is_pressed(self):
        self.output("xdotool", "key", "F12")
        return os.path.exists(os.path.join(self.folder, "pressed"))

    def plug_in_light(self):
        stand = LightStand(self, self.folder)
        self.light, self.light_options = stand.plug_in("hidraw0", *LUXAFOR), stand.options
        self.colors = []                        # that it has had

    def write_hooks(self):
        for event, text in {**dict.fromkeys(HOOKED, HOOK), "host.presence": STATE_HOOK}.items():
            folder = os.path.join(self.folder, "config", "callbroker", "hooks", event + ".d")
            os.makedirs(folder, 0o700)
            path = os.path.join(folder, "note")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o700)

    def start_telephones(self):
        self.baresip = lab.Baresip(self, self.folder, "ann")
        sound_server = SimpleNamespace(server=self.environment["PULSE_SERVER"])
        self.linphone = lab.Linphone(self, self.folder, "linda", sound_server)
        self.capture = Capture(self, self.folder, [self.baresip, self.linphone])
        self.sounds = rtp.Sounds(self.capture.file)

    # ---- What somebody does

    def enable(self, plugin, **options):
        if plugin not in self.left_out:
            self.tool("plugin", "enable", plugin,
                      *[f"{name}={value}" for name, value in options.items()])

    def wait_for_plugins(self):
        """Until all of them follow the calls."""
        def states():
            rows = self.output(self.callbroker, "plugin", "list", "--json").splitlines()
            return {row["plugin"]: row["state"] for row in map(json.loads, rows)}
        lab.wait_until(lambda: f"{states()}", lambda: set(states().values()) == {"ready"})

    def press(self, key, what):
        """As somebody does at the keyboard; shown as it is pressed."""
        print(f"{FAINT}[{key}] {what}{PLAIN}", flush=True)
        self.output("xdotool", "key", key)

    # ---- What can be seen and heard

    def shows(self, text):
        print("  " + text, flush=True)

    def player(self, name):
        return subprocess.run(
            ["playerctl", "-p", name, "status"], env=self.environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()

    def wait_for_player(self, name, status):
        lab.wait_until(lambda: f"{name} is {self.player(name)!r}, not {status}",
                       lambda: self.player(name) == status)

    def presence(self):
        return json.loads("".join(self.lines("run/callbroker/presence.json")) or "{}").get("state")

    def microphone_mutes(self):
        words = {"Mute: yes": "muted", "Mute: no": "unmuted"}
        return [words[self.output("pactl", "get-source-mute", "@DEFAULT_SOURCE@").strip()]]

    def requests(self):
        """Those of media-pause to a player, in order. A key sends another one."""
        return re.findall(r"member=(Pause|Play)$", self.monitor.said(), re.MULTILINE)

    def note_shows(self, text):
        """Until dunst has shown that, and shows something."""
        self.wait_to_see(text)
        lab.wait_until("dunst shows nothing", self.cards)
        self.shows("dunst shows: " + text)

    def hears(self, *tones):
        """Until the loudspeaker has these tones."""
        recording = Recording(self)
        recording.wait_for_tone(*tones)
        recording.close()

    def hears_no_music(self):
        """Until the loudspeaker has had something else than music for a second."""
        recording, stretches = Recording(self), []

        def is_silent():
            stretch = recording.heard(0.1)
            power = max(map(abs, stretch)) > 100 and share(stretch, MUSIC)
            stretches.append(power > 0.01)
            return len(stretches) >= 10 and not any(stretches[-10:])
        lab.wait_until("there is music", is_silent)
        recording.close()

    def light_turns(self, color):
        """Until it has that color; others between are seen, too."""
        def has_turned():
            frames = written(self.light)
            self.colors += [frames[index + 3:index + 6].hex() for index in range(0, len(frames), 9)]
            return self.colors[-1:] == [COLORS[color]]
        lab.wait_until(lambda: f"the light has had {self.colors}, not {color}", has_turned)
        self.shows(f"the light is {color}")

    def wait_for_mute(self, name, is_muted):
        lab.wait_until(lambda: f"the mute of {name} is not {is_muted}",
                       lambda: (self.call(name) or {}).get("muted", False) is is_muted)

    def hook_has_written(self, line, path="calls.txt"):
        """Until the file of a hook ends with that line."""
        lab.wait_until(lambda: f"{path} has {self.lines(path)}, not {line}",
                       lambda: self.lines(path)[-1:] == [line])
        self.shows(f"a hook has written: {line}")

    def lines(self, path):
        """Those of a file at home; none if it is not there."""
        try:
            return Path(self.folder, path).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []

    def far_end_gets(self, name, hertz):
        """Until the last packets that somebody gets, from now on, all have that tone, or silence."""
        begin = len(self.sounds.read())

        def last():
            packets = [packet for packet in self.sounds.read()[begin:]
                       if packet.port == self.media_port(name)]
            return packets[-PACKETS:]

        def is_so():
            packets = last()
            return len(packets) == PACKETS and all(has_tone(packet, hertz) for packet in packets)
        lab.wait_until(lambda: f"{name} gets packets of {[each.loudness for each in last()]}", is_so)
        self.shows(f"{name} gets {PACKETS} packets of "
                   + (f"sound, a tone of {hertz} Hz" if hertz else "silence"))

    def media_port(self, name):
        """Where somebody's sound comes in."""
        return self.callers[name].sip + 2


def has_tone(packet, hertz):
    """Whether a packet of sound has that tone; if it is 0, whether it is silent."""
    if not hertz:
        return packet.loudness < rtp.QUIET
    return packet.loudness > rtp.LOUD and share(packet.samples, hertz) > 0.5

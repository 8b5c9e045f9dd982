"""A sound server of its own for a test, with a loudspeaker and a headset that are not there; the
broker; apps with real streams."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
GUARD = os.path.join(PLUGIN, "..", "..", "guards", "pulse-guard")
sys.path[:0] = [PLUGIN, os.path.join(GUARD, "tests")]

from studio import CEILING, ONE, TWO, Studio, wait_until  # noqa: E402,F401

PROGRAM = os.path.join(PLUGIN, "pulse_endpoints.py")
LOUDSPEAKER, HEADSET, MICROPHONE = "null0", "headset", "headset-mic"
OWN = "device.string=headset"                   # what sink and source of the headset share


class Hall(Studio):
    """Where apps play; `server` is pulseaudio or pipewire."""

    mover_program = PROGRAM
    source = "built-in-mic"

    def start_server(self):
        super().start_server()
        for name, properties in ((self.source, "device.string=built-in"), (MICROPHONE, OWN)):
            self.load("module-remap-source", "source_name=" + name, "master=null0.monitor",
                      "source_properties=" + properties)
        self.plug()

    def load(self, *module):
        return self.output("pactl", "load-module", *module).strip()

    def plug(self):
        self.headset = self.load(
            "module-null-sink", f"sink_name={HEADSET}",
            f"sink_properties='{OWN} device.form_factor=headset'")
        self.output("pactl", "set-default-sink", LOUDSPEAKER)
        wait_until("the headset", lambda: HEADSET in self.sinks().values())

    def plug_another(self):
        self.load("module-null-sink", "sink_name=other")

    def unplug(self):
        self.output("pactl", "unload-module", self.headset)

    def move_by_hand(self, name, sink):
        """As the user does in the mixer, who tries again: PipeWire loses a move now and then whose
        client leaves at once, as pactl does."""
        def is_there():
            (kind, index, _), _ = self.streams(name)
            self.output("pactl", f"move-{kind}", str(index), sink)
            return self.places(name)[0] == sink

        wait_until(lambda: f"{name} is at {self.places(name)}", is_there)

    def start_mover(self):
        """The plugin, when it has reported the endpoints."""
        mover = self.program("mover", PROGRAM, "--verbose", "--app", ONE + "=phone-one",
                             "--app", TWO + "=phone-two")
        self.wait_for_endpoints({LOUDSPEAKER: "in_use", HEADSET: "available"})
        return mover

    # ---- What the broker says

    def endpoints(self):
        return self.user.get_host().result(CEILING).get("endpoints", [])

    def states(self):
        return {each["endpoint"]: each["state"] for each in self.endpoints()}

    def wait_for_endpoints(self, states):
        wait_until(lambda: f"the endpoints are {self.states()}", lambda: self.states() == states)

    # ---- Where the streams are

    def listed(self, what):
        return json.loads(self.output("pactl", "-f", "json", "list", what) or "[]")

    def sinks(self):
        return {each["index"]: each["name"] for each in self.listed("sinks")}

    def places(self, name):
        """The sink and the source of a program's two streams."""
        devices = {"sink-inputs": ("sink", self.sinks()), "source-outputs": (
            "source", {each["index"]: each["name"] for each in self.listed("sources")})}
        return [names.get(each[member]) for what, (member, names) in devices.items()
                for each in self.listed(what)
                if each["properties"].get("application.process.binary") == name]

    def wait_for_places(self, name, *places):
        wait_until(lambda: f"{name} is at {self.places(name)}",
                   lambda: self.places(name) == list(places))

"""A stand for the kernel's hidraw devices: a folder as /sys has it, and named pipes as devices.
What the plugin writes is read back; a pipe has no feature reports."""
import os

UEVENT = "DRIVER=hid-generic\nHID_ID=0003:{vendor:08X}:{product:08X}\nHID_NAME=A light\nHID_UNIQ=\n"


class LightStand:
    def __init__(self, test, folder):
        self.test = test
        self.folder = folder
        self.options = {"descriptions": os.path.join(folder, "hidraw"),
                        "devices": os.path.join(folder, "dev")}
        self.names, self.devices = self.options.values()
        for path in (self.names, self.devices):
            os.makedirs(path)

    def plug_in(self, name, vendor, product, mode=0o600):
        """Returns a descriptor from which the reports are read."""
        os.mkfifo(os.path.join(self.devices, name), mode)
        reading = os.open(os.path.join(self.devices, name), os.O_RDONLY | os.O_NONBLOCK)
        self.test.addCleanup(os.close, reading)
        self.describe(name, vendor, product)
        return reading

    def describe(self, name, vendor, product):
        folder = os.path.join(self.names, name, "device")
        os.makedirs(folder)
        with open(os.path.join(folder, "uevent"), "w", encoding="ascii") as file:
            file.write(UEVENT.format(vendor=vendor, product=product))

    def unplug(self, name):
        os.rename(os.path.join(self.names, name), os.path.join(self.folder, "gone-" + name))
        if os.path.exists(os.path.join(self.devices, name)):
            os.remove(os.path.join(self.devices, name))


def written(descriptor):
    try:
        return os.read(descriptor, 65_536)
    except BlockingIOError:
        return b""

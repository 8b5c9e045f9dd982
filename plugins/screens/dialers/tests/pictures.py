#!/usr/bin/python3
"""Takes the picture of the README from a real GNOME Calls: pictures.py [FOLDER]."""
import os
import sys
import unittest

import test_gnome_buttons

FOLDER = test_gnome_buttons.lab.PLUGIN


class Pictures(test_gnome_buttons.ButtonBase):
    def test_take(self):
        self.talks()
        path = os.path.join(FOLDER, "gnome-calls.png")
        self.desk.output("import", "-window", "root", "-crop", "358x638+0+0", "+repage", "-depth",
                         "8", "+dither", "-colors", "64", "PNG8:" + path)
        print(path, os.path.getsize(path))


if __name__ == "__main__":
    if sys.argv[1:]:
        FOLDER = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])

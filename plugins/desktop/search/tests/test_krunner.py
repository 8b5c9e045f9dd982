"""The real KRunner, its library without its window: it reads the file that is installed for it, asks
over D-Bus, and runs what was found."""
import os
import shutil
import unittest

from searching import HERE, PLUGIN, Searching

ADA = "+15550100"


class KRunnerTests(unittest.TestCase):
    def test_krunner_loads_the_plugin_by_its_file_finds_a_contact_and_calls_it(self):
        place = Searching(self)
        place.app()
        place.contact("Ada Lovelace", ADA)
        place.start_search()
        folder = os.path.join(place.folder, ".local", "share", "krunner", "dbusplugins")
        os.makedirs(folder)
        shutil.copy(os.path.join(PLUGIN, "org.callbroker.search.desktop"), folder)
        place.environment.update(QT_QPA_PLATFORM="offscreen", QT_QUICK_BACKEND="software",
                                 QT_LOGGING_RULES="kf.runner=true")
        krunner = place.program("krunner", "qmlscene", os.path.join(HERE, "krunner.qml"))
        krunner.wait_for('Loaded: "org.callbroker.search"')
        krunner.wait_for("found Ada Lovelace 1")
        place.wait_for_dialed(ADA)


if __name__ == "__main__":
    unittest.main()

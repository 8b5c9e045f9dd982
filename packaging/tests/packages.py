"""The Debian packages: of this release, and of a later one."""
import glob
import os
import tempfile

from machine import PROGRAM, ROOT, SCREENS, output

LATER = "99.0"


def build_packages(folder):
    """The paths of the packages, built into a folder."""
    output(os.path.join(ROOT, "Scripts/deb"), PROGRAM, folder, env={**os.environ, "SCREENS": SCREENS})
    return glob.glob(f"{folder}/*.deb")


def later_release(packages, folder):
    """The paths of the same packages with a higher version, below a folder."""
    return [renumbered(package, folder) for package in packages]


def renumbered(package, folder):
    name, version, architecture = os.path.basename(package).split("_")
    with tempfile.TemporaryDirectory() as parts:
        output("dpkg-deb", "--raw-extract", package, parts)
        with open(f"{parts}/DEBIAN/control", "r+", encoding="utf-8") as file:
            text = file.read().replace(f"Version: {version}", f"Version: {LATER}")
            file.seek(0)
            file.write(text.replace(f"(= {version})", f"(= {LATER})"))
            file.truncate()
        target = f"{folder}/later/{name}_{LATER}_{architecture}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        output("dpkg-deb", "-Znone", "--root-owner-group", "--build", parts, target)
        return target

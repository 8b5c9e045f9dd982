"""A Firefox of its own for a test."""
import json
import os


def write_profile(folder, preferences):
    """Makes the folder a profile with these preferences."""
    os.makedirs(folder)
    with open(os.path.join(folder, "user.js"), "w", encoding="utf-8") as file:
        for name, value in preferences.items():
            file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")

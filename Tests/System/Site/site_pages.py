"""The built site: its pages with their links, and a web server and a browser to look at them with."""

import contextlib
import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "plugins/sdk/python/tests"))  # behind the tests of the site, of the same names

from chromium_driver import quit_driver, start_driver  # noqa: E402

PLACE = ROOT / ".build/site"


@functools.cache
def built():
    """Builds the site once in a process."""
    subprocess.run([ROOT / "Scripts/setup-site"], check=True)
    subprocess.run([ROOT / "Scripts/site", PLACE], check=True)
    return PLACE


class Page(HTMLParser):
    """What a page links to, what a browser loads for it, and its anchors."""

    LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if attributes.get("id"):
            self.anchors.add(attributes["id"])
        for name, value in attrs:
            if (tag, name) in self.LOADED and attributes.get("rel") not in ("prev", "next", "canonical"):
                self.loads.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


@functools.cache
def page(path):
    return Page(path.read_text(encoding="utf-8"))


def dead_links(path, top):
    """The links of a page to files and anchors that are not there."""
    return [link for link in page(path).links | page(path).loads if not leads_somewhere(link, path, top)]


def leads_somewhere(link, path, top):
    if ":" in link.split("/")[0]:
        return True
    address, anchor = urldefrag(link)
    target = Path(unquote(urljoin(path.as_uri(), address))[len("file://"):]) if address else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or top not in target.parents:
        return False
    # Below swift/ anchors are made by scripts; the pages' data have them.
    if not anchor or target.suffix != ".html" or top / "swift" in target.parents:
        return True
    return unquote(anchor) in page(target).anchors or anchor in ("__search", "__drawer")


def loads_of_style(text):
    """What a style sheet loads."""
    return [part.split(")")[0].strip("'\"") for part in text.split("url(")[1:]]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Browser:
    """A Chromium without a window, which reports each address that it has loaded from."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for option in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-background-networking"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = start_driver(options, log_path=os.devnull)
        self.driver.set_script_timeout(60)

    def close(self):
        quit_driver(self.driver)

    def show(self, address, width=1400, height=1000, is_dark=False):
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.get(address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """The first value of a script that counts as true."""
        return WebDriverWait(self.driver, 60, 0.05).until(lambda _: self.run(script, *arguments))

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def loaded(self):
        """The addresses that were requested since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

"""A Chromium under Debian's driver for it, for a test."""
import contextlib

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service

DRIVER = "/usr/bin/chromedriver"


def start_driver(options, **service):
    """Starts both. Selenium looks for a free port, which another program may take before the driver does."""
    for tries in range(3):
        try:
            return webdriver.Chrome(options=options, service=Service(DRIVER, **service))
        except WebDriverException:
            if tries == 2:
                raise


def quit_driver(driver):
    """Ends both; the driver may be gone before it has replied."""
    with contextlib.suppress(OSError):
        driver.quit()

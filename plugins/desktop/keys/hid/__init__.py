"""USB and Bluetooth devices for telephony (HID), by hidraw."""

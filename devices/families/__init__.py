"""One folder a family of devices: wire format, driver, set-up and twin side by side."""

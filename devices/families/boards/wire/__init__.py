"""Messages of Footlight's boards; packaging/wiring/protocols.md specifies them."""

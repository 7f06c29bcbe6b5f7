"""Messages of Footlight's own boards; packaging/wiring/protocols.md is for who builds one."""

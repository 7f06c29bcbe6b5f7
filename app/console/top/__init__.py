"""The parts that an operator must see at all times: state, health, alarms."""

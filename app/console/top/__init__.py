"""What an operator must see at all times: state, health, alarms."""

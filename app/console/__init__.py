"""The operator's console: draws what the core says and asks it for what the operator wants."""

from app.console.immortal import keep_alive

keep_alive()

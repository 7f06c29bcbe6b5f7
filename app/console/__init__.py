"""The operator's console: draws what the core says and asks it for what the operator wants."""

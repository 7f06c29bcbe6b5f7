"""The console's help: manual, keys, about."""

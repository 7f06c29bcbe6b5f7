"""The commands of `footlight`: each module has the arguments of one command and runs it."""

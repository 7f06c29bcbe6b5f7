"""A robot whose base does not move: arms on a table, a talking head."""

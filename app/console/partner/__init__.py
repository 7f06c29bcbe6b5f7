"""The panel Partner: the source of a person's motion, following, mimesis and teaching."""

"""Editing motions: a recipe of steps over a raw take, its curves, and saving it as a gesture."""

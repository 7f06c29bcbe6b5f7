"""The record of a run: rows, file, reader."""

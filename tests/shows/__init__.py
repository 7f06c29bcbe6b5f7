"""Tests of the show document, its files and its checks."""

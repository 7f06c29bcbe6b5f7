"""Tests of the processing of motions."""

"""Tests of what keeps robot and people safe."""

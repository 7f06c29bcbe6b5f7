"""Footlight's own handset with its sealed radio frames."""

"""Footlight's own boards: contacts, hands, battery monitors and the power supervisor."""

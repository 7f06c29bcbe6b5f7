"""The operator's handset: from its buttons and sticks to commands."""

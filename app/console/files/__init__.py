"""The document's storage: opening, saving, the journal, and the copies for the core."""

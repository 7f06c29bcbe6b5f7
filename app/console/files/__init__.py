"""The document's storage: opening, saving, the journal, and what the core is given to play."""

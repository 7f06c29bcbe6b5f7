"""Every sentence of the core and its siblings, by subject; `core.link.wording` renders them."""

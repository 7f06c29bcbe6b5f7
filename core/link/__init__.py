"""The link between the core and its operators and sibling processes."""

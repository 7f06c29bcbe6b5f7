"""The parts that all panels share: link, document, lock, notices."""

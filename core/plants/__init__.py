"""Plants: from samples and references to joint commands, one package for each kind of body."""

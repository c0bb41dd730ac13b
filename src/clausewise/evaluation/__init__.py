"""Measures retrieval, reading and asking the way the field's papers do."""

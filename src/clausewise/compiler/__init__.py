"""Compilers: rule text -> rule tree."""

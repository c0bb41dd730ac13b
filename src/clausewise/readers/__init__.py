"""Readers: from retrieved rule texts and a dialogue to what is known of each condition."""

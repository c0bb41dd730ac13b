"""Samples to measure with and to train on: OR-ShARC's files, and dialogues simulated from trees."""

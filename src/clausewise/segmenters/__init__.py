"""Segmenters: rule text -> the spans of its conditions."""

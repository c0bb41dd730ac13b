"""Measurements that stand behind the figures in the docs; run as `python -m benchmarks.NAME`."""

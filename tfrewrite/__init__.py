"""Rewrites TensorFlow code so that it needs less memory, and says why."""

__version__ = "0.1.0"

"""Reads every page of every programme PDF once into one SQLite file."""

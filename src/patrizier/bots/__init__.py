"""Bots: the interface, the registry, the levels. They see a View and nothing else."""

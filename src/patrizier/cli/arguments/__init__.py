"""Arguments that several commands share, and how a command fails."""

"""Files that commands read and write: downloads, game records, reports."""

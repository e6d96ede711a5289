"""The command line: one file per command; `browser` is `patrizier` without a command.

`arguments/` and `files/` are shared by commands, `terminal/` draws and prompts.
"""

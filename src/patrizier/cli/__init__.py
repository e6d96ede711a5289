"""The command line: one file per command; `browser` is `patrizier` without a command.

`arguments/` and `files/` are shared by commands, `terminal/` draws and prompts. A command reads its
arguments, calls the package and shows the result; what could be of use without a terminal is not
computed here.
"""

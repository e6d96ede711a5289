"""Handlers: each turns a command, or a passed deadline, into events or a refusal.

`dispatch` finds the handler: `preparation` before the game, `turns` during it; `budgets` limits
what one person may do. Handlers read the state and never change it.
"""

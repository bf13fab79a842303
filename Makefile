# Every target does its own set-up from a bare clone; second runs reuse .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CPP    := $(wildcard $(addsuffix .?pp,native/src/*/* native/src/*/*/*))
NATIVE := native/CMakeLists.txt $(CPP)

.DEFAULT_GOAL := help
.PHONY: help demo studio test lint types layers unit test-slow test-nightly bench-mutants sanitize sanitize-threads browser coq proofs docs setup peers bench-accuracy bench-accuracy-page bench-sat bench-minds bench-random bench-first-second bench-growth bench-lazy-rows bench-symmetry bench-predict bench-exact bench-second bench-ablations bench-stopping bench-fronts bench-front-speed bench-limits bench-big bench-certificates bench-verified bench-fuzz bench-report bench-paper format clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "laconic needs Python 3.11 or newer; try: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

# Tools and libraries, at the versions of constraints.txt.
$(VENV)/.deps: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install -q --upgrade -c constraints.txt pip
	$(BIN)/python -m pip install -q -c constraints.txt --group dev
	@touch $@

$(VENV)/.built: $(VENV)/.deps $(NATIVE)
	$(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -C cmake.define.LACONIC_TESTING=ON -e .
	@touch $@

setup: $(VENV)/.built ## make the environment and build the native code

studio: setup ## open the studio on a table that scikit-learn ships
	@$(BIN)/laconic studio --example "breast cancer"

demo: setup ## fit decision sets on iris, breast cancer and wine
	@$(BIN)/python examples/demo.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

# The report is tested in a real browser. Only root may install one here; others are told what is skipped.
browser:
	@for one in $$LACONIC_BROWSER chromium chromium-browser google-chrome google-chrome-stable chrome; do \
		command -v $$one >/dev/null && exit 0; done; \
	[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing chromium for the tests of the report" \
		&& { apt-get install -y chromium || { apt-get update && apt-get install -y chromium; }; } >/dev/null 2>&1 && exit 0; \
	echo "*** NO BROWSER: the report's tests in one will be SKIPPED; install chromium ***"

# The random examples of property tests change with every commit; SEED=… asks for others.
SEED ?= $(shell printf %d 0x0$$(git rev-parse HEAD 2>/dev/null | cut -c1-8))

unit: setup browser
	$(BIN)/python -m pytest -n 2 -m "not slow" --hypothesis-seed=$(SEED)

test-nightly: SEED := $(shell date -u +%Y%m%d)
test-nightly: unit ## the tests of every day, with the random examples of the date

# Tables by the hundred against the oracle, and the rival packages, which are installed first.
test-slow: peers ## run the tests that are too long for every day
	$(BIN)/python -m pytest -n 2 -m slow

# Warnings are errors; the gallery's scripts run. The page to open: docs/_build/html/index.html
docs: setup ## build the documentation
	$(BIN)/python -m sphinx -W --keep-going -q -a -b html docs docs/_build/html

test: lint types layers unit docs ## lint, type-check, check the layering, run all tests, build the documentation

# The proof is in Coq, its program in OCaml. Only root may install them here; others are told how, and no more happens.
COQ_PACKAGES := coq ocaml-findlib libzarith-ocaml-dev
coq:
	@has() { command -v coqc && command -v coqchk && ocamlfind ocamlopt -version && ocamlfind query zarith; }; \
	has >/dev/null 2>&1 && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Coq, OCaml and Zarith, to build the verified checker: $(COQ_PACKAGES)"; \
		install="apt-get install -y --no-install-recommends $(COQ_PACKAGES)"; \
		{ $$install || { apt-get update && $$install; }; } >/dev/null 2>&1; \
		has >/dev/null 2>&1 && exit 0; \
	fi; \
	echo "*** NO COQ: install Coq 8.16 or newer, OCaml, ocamlfind and Zarith, then run make proofs again. On Debian and Ubuntu: ***"; \
	echo "***   apt-get install $(COQ_PACKAGES) ***"; \
	exit 1

# The kernel looks at every step of the proof again (coqchk), what it assumes is compared with proof/assumptions.txt, and both
# checkers have to agree.
proofs: setup coq ## build the verified checker and check its proof
	$(MAKE) -C proof
	$(MAKE) -C proof check
	LACONIC_REQUIRE_CHECK=1 LACONIC_CHECK=proof/build/laconic-check \
		$(BIN)/python -m pytest -n 2 tests/checking/test_verified_agreement.py
	@echo "the verified checker is proof/build/laconic-check: laconic verify --certificate … --verified uses it"

# Rival packages, each in an environment of its own outside the project: laconic bench peers
peers: setup ## install the rival packages, for comparison
	$(BIN)/laconic bench peers install all

# A package that cannot be installed does not keep the others from being compared.
bench-accuracy: setup ## accuracy on new rows against size, beside ten other learners; stop and resume at will
	-$(BIN)/laconic bench peers install ripper cn2 figs brcg streed contree gosdt ebm
	$(BIN)/python -m benchmarks.accuracy
	$(BIN)/python -m benchmarks.accuracy --page

bench-accuracy-page: setup ## make docs/accuracy.md and its picture anew from the committed results
	$(BIN)/python -m benchmarks.accuracy --page

bench-sat: setup ## time opt and sp against MinDS; stop and resume at will
	$(BIN)/laconic bench peers install minds
	$(BIN)/python -m benchmarks.sat_vs_minds

bench-minds: setup ## time the exact engine against MinDS on the paper's first folds; stop and resume at will
	$(BIN)/laconic bench peers install minds
	$(BIN)/python -m benchmarks.exact_vs_minds
	$(BIN)/python -m benchmarks.exact_vs_minds --summary

bench-random: setup ## the exact engine against exhaustive search and MaxSAT on random tables; stop and resume at will
	$(BIN)/python -m benchmarks.random_agreement

bench-first-second: setup ## the exact engine after a second beside greedy covering; stop and resume at will
	$(BIN)/python -m benchmarks.first_second
	$(BIN)/python -m benchmarks.first_second --summary

bench-growth: setup ## time, gap and memory of the exact engine against rows and columns; stop and resume at will
	$(BIN)/python -m benchmarks.growth

bench-lazy-rows: setup ## a million unique rows in a minute of processor time; stop and resume at will
	$(BIN)/python -m benchmarks.lazy_rows

bench-symmetry: setup ## measure symmetry breaking, cardinality encodings and solvers
	$(BIN)/python -m benchmarks.symmetry

bench-front-speed: setup ## the front to size 20 beside single fits at its own prices; stop and resume at will
	$(BIN)/python -m benchmarks.front_speed
	$(BIN)/python -m benchmarks.front_speed --summary

bench-limits: setup ## a 5 s limit on the paper's 71 datasets at 4 bins, every engine; stop and resume at will
	$(BIN)/python -m benchmarks.limits_suite

bench-stopping: setup ## how soon the exact engine stops when its time is over or on Ctrl-C; stop and resume at will
	$(BIN)/python -m benchmarks.stopping
	$(BIN)/python -m benchmarks.stopping --summary

bench-certificates: setup ## certificates for the paper's training sets, checked and attacked; stop and resume at will
	$(BIN)/python -m benchmarks.certificates
	$(BIN)/python -m benchmarks.certificates --summary

bench-verified: setup coq ## the same certificates and their edits by both checkers; stop and resume at will
	$(MAKE) -C proof
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.verified
	$(BIN)/python -m benchmarks.verified --summary

# FUZZ_SECONDS=60 for a quick look; a trial is named by its number, so FUZZ_FIRST=… asks for others.
FUZZ_SECONDS ?= 1800
FUZZ_FIRST   ?= 0
bench-fuzz: setup ## broken files through every command, then random calls of the API
	$(BIN)/python -m tests.fuzz.run --seconds $(FUZZ_SECONDS) --first $(FUZZ_FIRST)
	$(BIN)/python -m tests.fuzz.extremes
	$(BIN)/python -m tests.fuzz.calls --seconds $(FUZZ_SECONDS)

# MUTANTS="near 'lazy rows'" for some areas (or names) of tools/mutant_table.py. It needs cmake and ninja.
bench-mutants: setup ## put errors into the code, one after another, and see that the tests notice them
	$(BIN)/python tools/mutants.py $(MUTANTS)

bench-predict: setup ## time prediction on a million rows against scikit-learn's tree
	$(BIN)/python -m benchmarks.predict_speed

bench-exact: setup ## the exact engine on the paper's 1065 training sets; stop and resume at will
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.5
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.5 --every-class
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.05
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.05 --every-class
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.005
	$(BIN)/python -m benchmarks.exact_suite --objective perfect
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.05 --counting per_row --folds 1 --seconds 10
	$(BIN)/python -m benchmarks.exact_suite --regularization 0.005 --counting per_row --folds 1 --seconds 10
	$(BIN)/python -m benchmarks.exact_curves

bench-second: setup ## the exact engine on raw tables and generated families; stop and resume at will
	$(BIN)/python -m benchmarks.second_suite
	$(BIN)/python -m benchmarks.second_suite --summary

bench-ablations: setup ## one option of the exact engine changed at a time, and docs/ablations.md; stop and resume at will
	$(BIN)/python -m benchmarks.ablations

bench-fronts: setup ## size against errors of the paper's 71 datasets, with proofs; stop and resume at will
	$(BIN)/python -m benchmarks.fronts
	$(BIN)/python -m benchmarks.fronts --summary
	$(BIN)/python -m benchmarks.fronts --gallery

# Needs some 15 GB of disk; BIG_ROWS=1000000 for a quick look.
BIG_ROWS ?= 100000000
bench-big: setup ## a hundred million rows within 4 GiB, and a dask cluster that loses a worker
	$(BIN)/python -m benchmarks.big_data --rows $(BIG_ROWS)
	$(BIN)/python -m benchmarks.dask_killed_worker

# The native code with every access, sum and lock checked, in builds of their own (they need cmake, ninja and GCC).
# Python itself is not instrumented: the sanitizer is loaded first, leaks (Python's own) are not looked for, and only our
# code is watched. Both builds of the native code have the same sources, so the portable one is enough.
# $(call sanitized,name,libraries to load first,tests,tests to leave out), with FLAGS and OPTIONS set.
define sanitized
	cmake -S native -B build/$(1) -G Ninja -DCMAKE_BUILD_TYPE=None -DLACONIC_OPTIMISATION=-O1 \
		-DCMAKE_CXX_FLAGS="-g1 -fno-omit-frame-pointer $(FLAGS)" -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
		-DLACONIC_TESTING=ON
	cmake --build build/$(1) --target _native _native_testing
	LACONIC_PORTABLE=1 $(OPTIONS) LD_PRELOAD="$(foreach one,$(2),$$($(CXX) -print-file-name=$(one)))" \
		$(BIN)/python tools/sanitized_tests.py build/$(1) -m "not slow" -p no:cacheprovider --capture=sys --timeout=3600 \
		-k "not portable_and_the_avx2 and not both_builds $(4)" $(3)
endef

sanitize: FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
sanitize: OPTIONS := ASAN_OPTIONS=detect_leaks=0
sanitize: setup ## run the native tests under the address and undefined-behaviour sanitizers
	$(call sanitized,sanitize,libasan.so libstdc++.so,tests/engines/test_exact_cover_parts.py \
		tests/engines/test_exact_perfect.py tests/engines/test_exact_sparse.py tests/engines/test_incumbent.py \
		tests/engines/test_rebuilt_covers.py tests/engines/test_rule_listing.py tests/engines/test_greedy_coverings.py \
		tests/engines/test_rule_pricer.py tests/engines/test_schedule.py tests/problem/test_objective.py \
		tests/engines/test_front.py tests/engines/test_near.py tests/checking/test_certificate.py \
		tests/model/test_decide.py tests/data/test_table.py tests/promises/test_threads.py tests/promises/test_numbers.py,\
		and not multiplying_the_weights)

sanitize-threads: FLAGS := -fsanitize=thread
sanitize-threads: OPTIONS := TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1"
sanitize-threads: setup ## run the tests of threads and turns under the thread sanitizer
	$(call sanitized,sanitize-threads,libtsan.so,tests/promises/test_threads.py tests/engines/test_schedule.py,and not process)

bench-report: setup ## make docs/reproduction.md and its figures anew from the committed records
	$(BIN)/python -m benchmarks.paper optima benchmarks/results/cp20_*.jsonl.gz
	$(BIN)/python -m benchmarks.paper report benchmarks/results/cp20_*.jsonl.gz -o docs/reproduction.md --notes benchmarks/reproduction_notes.md

# All that the paper compares, on its training sets with its limits: weeks. BENCH="--sample 100 --time-limit 30" for a part,
# BENCH="--jobs 8" or BENCH="--scheduler tcp://…" to share the work. The tables: LACONIC_DATA.
bench-paper: setup ## run the paper's experiments and set its numbers beside yours; stop and resume at will
	$(BIN)/laconic bench peers install ripper cn2
	$(BIN)/laconic bench run --suite cp20 -m paper --time-limit 1800 --memory 16384 -o build/paper/records.jsonl $(BENCH)
	$(BIN)/python -m benchmarks.paper report build/paper/records.jsonl -o build/paper/reproduction.md

format: setup ## rewrite the sources in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CPP)

clean: ## remove the environment and everything built
	$(MAKE) -s -C proof clean
	rm -rf $(VENV) build dist docs/_build docs/gallery docs/api/generated .mypy_cache .ruff_cache .pytest_cache .hypothesis

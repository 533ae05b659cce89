# Callboard. Two commands do everything: make run, make test.

GO      ?= go
TAGS    := migrated_fynedo
LINT    := $(GO) tool -modfile=.ci/tools.mod golangci-lint
PURE    := CGO_ENABLED=0
# Everything but the program itself builds without cgo and without a window.
CORE    := ./app/... ./assets/... ./crypto/... ./storage/...
FUZZTIME ?= 20s

.PHONY: run build check test lint vet unit race pictures window fuzz bench bench-smoke

run: ## Build and start the window
	@$(MAKE) --no-print-directory build
	@./bin/callboard

build: ## Build bin/callboard
	@.ci/setup run
	@echo "build: bin/callboard (the first build takes about three minutes)"
	@$(GO) build -tags $(TAGS) -o bin/callboard .

check: ## The fast loop: vet, lint, import rules, tests without cgo or race
	@echo "check: vet, lint and tests without cgo"
	@$(PURE) $(GO) vet -tags ci ./...
	@$(MAKE) --no-print-directory lint
	@$(PURE) $(GO) test -tags ci ./...

test: ## Everything; installs what is missing
	@.ci/setup test
	@$(MAKE) --no-print-directory vet lint race pictures window fuzz bench-smoke
	@echo "test: all passed"

lint:
	@echo "lint: golangci-lint and formatting"
	@$(PURE) $(LINT) run --build-tags ci ./...
	@$(PURE) $(LINT) fmt --diff >/dev/null || { echo "lint: run '$(LINT) fmt'"; exit 1; }

vet:
	@echo "vet: this platform, then macOS and Windows without cgo"
	@$(PURE) $(GO) vet -tags ci ./...
	@$(PURE) GOOS=darwin GOARCH=arm64 $(GO) vet $(CORE)
	@$(PURE) GOOS=windows GOARCH=amd64 $(GO) vet $(CORE)

race:
	@echo "race: packages without a window, under the race detector"
	@CGO_ENABLED=1 $(GO) test -race -timeout 15m $(CORE)

pictures:
	@echo "pictures: the window drawn in software"
	@$(PURE) $(GO) test -tags ci ./ui/...

window: ## The real program under Xvfb
	@echo "window: the real program under Xvfb"
	@$(GO) build -o bin/callboard-checked .
	@$(GO) build -o bin/bare ./ui/e2e/testdata/bare
	@CALLBOARD_BIN=$(CURDIR)/bin/callboard-checked CALLBOARD_BARE=$(CURDIR)/bin/bare $(PURE) \
		$(GO) test -tags ci,xvfb -count 1 -timeout 10m -bench . -benchtime 1x ./ui/e2e

fuzz:
	@.ci/fuzz $(FUZZTIME)

bench: ## Benchmarks with their baselines, as ratios
	@echo "bench: figures beside their baseline from the same run"
	@$(PURE) $(GO) test -tags ci -run '^$$' -bench . -benchtime 2s $(CORE) ./ui/...
	@.ci/setup test
	@$(GO) build -tags $(TAGS) -o bin/callboard .
	@$(GO) build -tags $(TAGS) -o bin/bare ./ui/e2e/testdata/bare
	@CALLBOARD_BIN=$(CURDIR)/bin/callboard CALLBOARD_BARE=$(CURDIR)/bin/bare $(PURE) \
		$(GO) test -tags ci,xvfb -run '^$$' -bench . -benchtime 20x ./ui/e2e

bench-smoke:
	@echo "bench-smoke: every benchmark once"
	@$(PURE) $(GO) test -tags ci -run '^$$' -bench . -benchtime 1x $(CORE) ./ui/... >/dev/null

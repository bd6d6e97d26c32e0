# comus: what one does with it. `make run` and `make test` need nothing but Go and
# install the rest (Debian and its relatives).

GO          ?= go
BIN         := bin/comus
DEBS        ?= bin
PREFIX      ?= /usr/local
# What git describe says, "v0-COMMITS-gHASH" where there is no tag yet; nothing outside of git.
VERSION     ?= $(shell git describe --tags --match 'v[0-9]*' --dirty 2>/dev/null || \
	git log -1 --format="v0-$$(git rev-list --count HEAD)-g%h" 2>/dev/null)
FUZZTIME    ?= 30s
PROGRAMS    ?= 2000
SEQUENTIAL  ?= 500
ORDINARY    ?= 500
SEED        ?= 1000000
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

export CGO_ENABLED := 1

.PHONY: all deps testdeps build run test test-long short quick race vet lint fuzz bench install deb debcheck clean

all: build

# A C compiler, and the headers of libz3; what is missing is installed.
deps:
	@command -v $(GO) >/dev/null || { echo "Go is missing: see https://go.dev/doc/install"; exit 1; }
	@missing=""; \
	cc="$$($(GO) env CC)"; \
	if ! command -v "$$cc" >/dev/null; then \
		missing="gcc libc6-dev"; echo "missing: a C compiler ($$cc), which Go needs to call libz3"; \
	elif ! printf '#include <stdlib.h>\n' | "$$cc" -E - >/dev/null 2>&1; then \
		missing="libc6-dev"; echo "missing: the headers of the C library"; \
	fi; \
	if [ -z "$$missing" ]; then \
		printf '#include <z3.h>\nint main(void) { Z3_get_full_version(); return 0; }\n' | \
			"$$cc" -x c - -o /dev/null $$CGO_CFLAGS $$CGO_LDFLAGS -lz3 2>/dev/null || missing="libz3-dev"; \
	else \
		missing="$$missing libz3-dev"; \
	fi; \
	case "$$missing" in *libz3-dev) echo "missing: libz3, the solver comus calls";; esac; \
	[ -n "$$missing" ] || exit 0; \
	if ! command -v apt-get >/dev/null; then \
		echo "There is no apt-get to install them with. Please install by hand: a C compiler, and Z3 4.8.12 or newer with its headers."; exit 1; \
	fi; \
	sudo=""; \
	if [ "$$(id -u)" != 0 ]; then \
		command -v sudo >/dev/null || { echo "Please install as root: apt-get install $$missing"; exit 1; }; sudo=sudo; \
	fi; \
	echo "installing with apt-get: $$missing"; \
	$$sudo apt-get update -q >/dev/null || true; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null

# What tests need beside it: bear, which captures how make compiles a program, the scheduler Slurm, and chromium, which opens pages.
testdeps: deps
	@missing=""; \
	command -v bear >/dev/null || missing="bear"; \
	command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null || missing="$$missing slurm-wlm munge"; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	[ -n "$$missing" ] || exit 0; \
	echo "missing, for tests: $$missing"; \
	sudo=""; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	$$sudo apt-get update -q >/dev/null || true; \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing >/dev/null

build: deps
	$(GO) build -ldflags '-X main.release=$(VERSION)' -o $(BIN) ./cmd/comus

# Verifies Peterson's algorithm and checks the certificate in a process of its own.
run: build
	$(BIN) --strategy modular --certificate bin/peterson.json examples/peterson.c
	$(BIN) check examples/peterson.c bin/peterson.json

# What is tested before each change lands: all packages, of long tests a part (docs/testing.md).
test: testdeps vet short

# All of all tests, which takes an hour; before a release.
test-long: testdeps vet race
	GOGC=$${GOGC:-400} $(GO) test -vet=off -ldflags=-w -timeout 120m ./comus ./check ./...

# The tests alone. The package that takes longest begins, so that the second core is not idle at the end. To collect garbage
# less often than is usual saves a third of the time of many. vet has looked at all already, and debuggers are not for these binaries.
short: testdeps
	GOGC=$${GOGC:-400} $(GO) test -short -vet=off -ldflags=-w -timeout 30m ./comus ./cmd/comus ./...

# The tests of the packages that differ from the last commit.
quick: deps
	@packages="$$(git status --porcelain -- '*.go' '*/testdata/*' | sed 's/^...//; s/.* -> //; s,/testdata/.*,/x,' | xargs -r -n1 dirname | sort -u | sed 's,^,./,')"; \
	[ -n "$$packages" ] || { echo "no package differs from the last commit"; exit 0; }; \
	GOGC=$${GOGC:-400} $(GO) test -short -vet=off -timeout 30m $$packages

# The packages with concurrency under the race detector, as far as that is quick.
race: deps
	$(GO) test -race -short ./z3
	$(GO) test -race -short -run '^TestPeterson' ./query
	$(GO) test -race -short -run '^TestAgainstExplorer' ./comus -comus.programs=20
	$(GO) test -race -run '^Test(Watchdog|Crash|Memory|Progress)$$' ./cmd/comus

vet: deps
	@bad="$$(gofmt -l .)"; [ -z "$$bad" ] || { echo "gofmt is needed for:"; echo "$$bad"; exit 1; }
	$(GO) vet ./...

lint: vet
	$(GO) run $(STATICCHECK) ./...

# PROGRAMS random programs from SEED on against the explorer: each in the default
# configuration and one more in turn; what each decided is printed at the end. What
# somebody is wrong about is made small and stored in comus/testdata/fuzz, which `make
# test` verifies from then on. Then the C that backends are given, of 500 programs in all
# combinations of switches, to the compilers, ORDINARY programs of many constructs against runs of gcc's program and of the
# interpreter (what somebody is wrong about is stored in the folder FINDINGS), twice as many random programs as two front ends
# read them, ours and cc's, SEQUENTIAL programs against gcc, and each fuzz target for FUZZTIME.
fuzz: deps
	$(GO) test ./comus -run TestAgainstExplorer -v -timeout 0 -comus.all -comus.programs=$(PROGRAMS) -comus.seed=$(SEED)
	$(GO) test ./comus -run 'TestPrinted$$' -v -timeout 0 -comus.printed=500 -comus.printedruns=16 -comus.printedmost=40 -comus.seed=$(SEED)
	$(GO) test ./internal/observe -run 'TestOrdinary$$' -v -timeout 0 -ordinary.programs=$(ORDINARY) -ordinary.seed=$(SEED) \
		-ordinary.limit 10s -ordinary.findings $(or $(FINDINGS),.)
	COMUS_WITNESS_ALL=1 $(GO) test ./comus -run 'Test(WitnessesOfSuites|MutatedWitnesses)$$' -v -timeout 0
	$(GO) test ./cfront/sema -run 'TestSecondReader$$' -v -timeout 0 -second.programs=$(ORDINARY) -second.seed=$(SEED)
	COMUS_RANDOM=$(SEQUENTIAL) COMUS_SEED=$(SEED) $(GO) test ./cfront/build -run 'TestRandom$$' -v -timeout 0
	@for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s $$pkg || exit 1; \
		done; \
	done

bench: deps
	$(GO) test -run '^$$' -bench . -benchmem ./...

# The command, a manual page for each of its commands, and what bash, zsh and fish need to complete them.
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BIN) $(DESTDIR)$(PREFIX)/bin/comus
	SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct 2>/dev/null)" $(GO) run -tags man -ldflags '-X main.release=$(VERSION)' ./cmd/comus man $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/comus
	$(BIN) completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_comus
	$(BIN) completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/comus.fish

# comus_VERSION_ARCHITECTURE.deb, in the folder DEBS; debcheck installs and runs it in a new Debian.
deb: build
	MAKE="$(MAKE) BIN=$(BIN)" VERSION="$(VERSION)" DEBFLAGS="$(DEBFLAGS)" packaging/deb.sh $(DEBS)

debcheck: deb
	packaging/debcheck.sh "$$(ls -t $(DEBS)/comus_*.deb | head -n 1)"

clean:
	rm -rf bin

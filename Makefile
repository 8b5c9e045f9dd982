# The two commands a newcomer needs are `make demo` and `make test`; `make help` lists the rest.

PREFIX ?= /usr/local
# Not every shell replaces the tilde of PREFIX=~/.local.
PLACE := $(abspath $(patsubst ~/%,$(HOME)/%,$(PREFIX)))
SECONDS_OF_FUZZING ?= 600
EVENTS ?= 1000000
NUMBERS ?= 10000000
SEED ?= 1
DEPTH ?= 8
CHECKED := --explicit-target-dependency-import-check error
# What debug builds and their tests check at run time, one class member at a time.
OPTIMIZED := -Xswiftc -enforce-exclusivity=unchecked
# 1.4 MB less of relocations, for the loader of glibc 2.36 or later; and 1 MB less of symbols, which
# the toolchain would export for libraries that are loaded later. Functions with the same instructions are
# one, 0.35 MB; nothing compares their addresses. Nothing throws C++ exceptions through it, so the table to
# search for their handlers is left out, 0.6 MB; debuggers read the frames themselves.
PACKED := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
	-Xlinker --icf=all -Xlinker --no-eh-frame-hdr
SANITIZED := SWIFT_BACKTRACE=enable=no BROKER_TURN_LIMIT_MS=2000 ASAN_OPTIONS=detect_leaks=0 \
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.txt \
	CALLBROKER_TEST_SEED=$(or $(CALLBROKER_TEST_SEED),new)
# These measure the process, and would measure the sanitizer; the random worlds, and a broker for each
# section of each story, would take an hour.
UNMEASURED := --skip LoadTests --skip "memory behind" --skip "leaves nothing behind" \
	--skip "cost their bound" --skip "descriptor behind" --skip RandomWorldTests --skip StorySocketTests
# One thread from beginning to end.
THREADLESS := --skip '^(CallArbitrationTests|CallSimulationTests|CallTranscriptTests|NaiveArbiterTests)\.'
# Apps run in real time, and want a thread when they ask for one: not beside tests that block theirs.
APPS := ^(CallClientTests|CallKitTests)\.
# Over real sockets: it waits more than it computes.
DAEMON := ^DaemonTests\.
# Many worlds, many processes, and load: `make test-system`. Targets and suites.
LOAD := LoadTests
# Those that start the tool most often.
STARTS := BackupVerbTests|GuideTests|HistoryVerbTests|HostVerbTests|OutputTests|WhatIfTests
SYSTEM := ^StorySocketTests\.|^CallSimulationTests\.|^NaiveArbiterTests\.|RandomWorldTests|HostileBrokerTests|$(LOAD)|$(STARTS)
STAGE := Scripts/stage
# The program that is installed and packed.
STATIC := .build-static/release/callbroker
# The terminal screen, which is a package of its own: its build and its tests.
PHONE := Scripts/phone
# The screens that are programs of their own, for browsers and for terminals.
SCREENS := plugins/screens/web/.build-static/release/callbroker-screen .build-phone/release/callbroker-phone
# Two may run beside each other: none of them builds.
TESTS := swift test --skip-build --ignore-lock
# Stages that do not disturb each other, two at a time.
BESIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target
# What the SDKs for Go and Rust are built with. rustfmt and rust-clippy are for their own check.
GO_AND_RUST := cargo golang-go librust-serde-json-dev rust-clippy rustc rustfmt
PHONES := baresip-core gnome-keyring kamailio kamailio-tls-modules libsecret-tools linphone-cli openssl pulseaudio \
	sip-tester tcpdump tshark
MODEM := dbus modemmanager-dev ofono python3-dbus-fast
DIALERS := at-spi2-core bluez dbus-daemon dbus-bin gcc gir1.2-atspi-2.0 gnome-calls libasound2-plugins \
	libspa-0.2-bluetooth modemmanager pipewire pipewire-pulse plasma-dialer pulseaudio-utils systemd \
	wireplumber x11-apps xdotool xvfb
DESKTOP := python3-jeepney pulseaudio pulseaudio-utils dunst xvfb dbus-daemon dbus-bin pipewire pipewire-pulse \
	wireplumber python3-pytest python3-fastjsonschema python3-yaml python3-venv python3-setuptools python3-wheel \
	desktop-file-utils libglib2.0-bin systemd imagemagick librsvg2-common openbox x11-utils xdotool xfce4-panel \
	at-spi2-core fonts-dejavu-core gir1.2-atspi-2.0 gir1.2-gtk-4.0 python3-gi
# A desktop around the plugin keys.
PORTAL := xdg-desktop-portal
# What searches and opens links, and what vibrates.
SEARCH := qml-module-org-kde-runnermodel qmlscene xdg-utils python3-gi feedbackd
# Swift code of screens, each a package of its own.
SCREEN_CODE := $(addprefix plugins/screens/,terminal/Package.swift terminal/Sources terminal/tests web/Package.swift web/Sources)
TERMINAL := libncurses-dev tmux procps
DEBIAN := build-essential debhelper dh-python liblinphone-dev libxml2-dev patchelf
ARCHIVES := debootstrap patchelf python3-setuptools python3-wheel umoci
# Players that the plugin media-pause pauses, and that keys stands beside.
PLAYERS := mpv mpv-mpris playerctl vlc-bin vlc-plugin-base
# Programs that the adapters watcher and twinkle stand for.
APPS_MORE := mumble firefox-esr python3-jsonschema twinkle-console libasound2-plugins
BROWSER := chromium chromium-driver python3-selenium python3-jeepney dbus-daemon
BROWSERS := $(BROWSER) openssl
MONO := libnewtonsoft-json5.0-cil mono-devel
# What servers push through.
GATEWAYS := dbus-daemon libglib2.0-bin mosquitto mosquitto-clients openssl python3-cryptography python3-dbus-fast \
	python3-jeepney python3-paho-mqtt
PRESENCE := mosquitto openssl python3-dbus-fast python3-dbusmock python3-paho-mqtt
# The desktop of demo-desktop.
SESSION := dbus-bin dbus-daemon dunst mpv mpv-mpris pipewire pipewire-pulse playerctl pulseaudio-utils python3-dbus-fast \
	python3-jeepney python3-paho-mqtt wireplumber xbindkeys xdotool xvfb
OPERATIONS := prometheus fish zsh librsvg2-bin python3-venv dbus-daemon libglib2.0-bin python3-jeepney
RELIABILITY := strace xfsprogs btrfs-progs
SITE := $(BROWSER) python3-yaml nodejs $(MONO)
PACKING := $(DEBIAN) $(ARCHIVES) lintian systemd-container

.PHONY: help messages reference setup build release static demo test test-system test-plugins test-costs test-reliability test-load test-attacks test-all simulate simulate-all second-opinion bench bench-arbiter bench-directory transcripts types mutate fuzz format lint install uninstall site

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: ## install what is missing
	@Scripts/setup

build: setup ## build for development
	@$(STAGE) build swift build $(CHECKED) --build-tests

release: setup ## build for use
	@$(STAGE) release swift build $(CHECKED) $(OPTIMIZED) -c release --product callbroker

static: setup ## build for installing: no Swift runtime needed
	@CALLBROKER_COMPACT=1 $(STAGE) static swift build $(OPTIMIZED) $(PACKED) -c release --static-swift-stdlib --product callbroker \
		--scratch-path .build-static

demo: release ## three telephones, one broker: what happens between them
	@examples/demo/demo.py .build/release/callbroker

.PHONY: demo-phones demo-desktop demo-callkit may-capture test-phones
demo-phones: may-capture release ## two real telephones, one broker, and what the packets say (installs them)
	@$(MAKE) --no-print-directory -s -C plugins/adapters/linphone
	@examples/demo-phones/demo_phones.py .build/release/callbroker

demo-desktop: may-capture release ## music, keys, notes and a light during calls of two real telephones (WITHOUT=PLUGIN; installs them)
	@Scripts/setup $(SESSION)
	@$(MAKE) --no-print-directory -s -C plugins/adapters/linphone
	@examples/demo-desktop/demo_desktop.py .build/release/callbroker $(if $(WITHOUT),--without $(WITHOUT))

demo-callkit: build ## four apps written for iPhones, one broker (installs mono)
	@Scripts/setup $(MONO)
	@examples/demo-callkit/demo_callkit.py .build/debug/callbroker

# Said before anything is built.
may-capture:
	@Scripts/setup $(PHONES)
	@tcpdump -i lo -L >/dev/null 2>&1 || { echo "make: this user may not capture packets on lo: be" \
		"root, or: sudo setcap cap_net_raw,cap_net_admin+ep $$(command -v tcpdump || echo tcpdump)" >&2; \
		exit 1; }

test: build ## the fast gate: lint, the units, the stories, a broker over real sockets, the Python SDK
	@$(BESIDE) run-units run-daemon run-lint run-python run-corpus run-openrpc run-graph
	@$(STAGE) apps $(TESTS) --filter '$(APPS)'

.PHONY: run-units run-daemon run-lint run-corpus run-openrpc run-python run-graph run-worlds run-plugins suites-ready
.PHONY: run-operations run-reliability run-site
run-lint:
	@$(STAGE) lint $(MAKE) --no-print-directory lint
run-units:
	@$(STAGE) units $(TESTS) --skip '$(SYSTEM)' --skip '$(DAEMON)' --skip '$(APPS)'
run-daemon:
	@$(STAGE) daemon $(TESTS) --filter '$(DAEMON)' --skip '$(SYSTEM)'
run-corpus:
	@$(STAGE) corpus env SWIFT_BACKTRACE=enable=no .build/debug/Fuzzer Tests/Fuzzing/Inputs/corpus/*/*
run-openrpc:
	@$(STAGE) openrpc Scripts/check-openrpc .build/debug/callbroker
run-graph:
	@Scripts/setup graphviz
	@$(STAGE) graph python3 -m unittest discover -s Tests/Graph
run-python:
	@$(STAGE) python python3 -m unittest discover -s plugins/sdk/python/tests

test-system: build ## the rest: many worlds, real telephones and desktops, kills and load (installs them)
	@$(BESIDE) run-worlds static screens
	@$(STAGE) load $(TESTS) --filter '$(LOAD)'
	@$(MAKE) --no-print-directory suites-ready
	@$(LANES_BESIDE) run-site run-reliability run-operations $(SUITES)
	@$(MAKE) --no-print-directory run-instructions

test-plugins: build ## the plugins, with real telephones and desktops (installs them)
	@$(MAKE) --no-print-directory run-plugins

run-worlds:
	@$(STAGE) worlds $(TESTS) --filter '$(SYSTEM)' --skip '$(LOAD)'

run-plugins: static screens suites-ready
	@$(LANES_BESIDE) $(SUITES)

# Whatever the suites want is installed before they begin: two installers disturb each other.
suites-ready:
	@Scripts/setup $(PHONES) $(MODEM) $(DIALERS) $(TERMINAL) $(BROWSERS) $(APPS_MORE) $(PLAYERS) $(PORTAL) $(PRESENCE) $(GATEWAYS) $(SEARCH) $(DESKTOP) $(SESSION) $(PACKING) $(GO_AND_RUST) $(MONO) $(OPERATIONS) $(RELIABILITY) $(SITE) g++ liblinphone-dev libxml2-dev nodejs node-typescript strace
	@Scripts/setup-site
	@$(STAGE) terminal-build $(PHONE) build --build-tests
	@$(STAGE) web-build swift build --package-path plugins/screens/web

# The suites of the plugins, each with everything of its own (folders, ports, buses, sound servers), so that
# some run beside each other, the longest first: they wait more than they compute. LANES=1 on a busy machine.
LANES := 3
LANES_BESIDE = $(MAKE) --no-print-directory --jobs=$(LANES) --output-sync=target
TELEPHONES := $(addprefix suite-,liblinphone linphone baresip twinkle phones)
UNITTEST := python3 -m unittest discover -s
SYSTEM_UNITTEST := /usr/bin/python3 -m unittest discover -s
define suite
SUITES += suite-$(1)
.PHONY: suite-$(1)
suite-$(1):
	@$$(STAGE) $(1) $(2)
endef
$(eval $(call suite,c,$(MAKE) --no-print-directory -s -C plugins/sdk/c check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,browsers,$(SYSTEM_UNITTEST) plugins/adapters/web-calls/tests))
$(eval $(call suite,packaging,$(UNITTEST) packaging/tests))
$(eval $(call suite,liblinphone,$(MAKE) --no-print-directory -s -C plugins/adapters/liblinphone check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,linphone,$(MAKE) --no-print-directory -s -C plugins/adapters/linphone check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,baresip,$(UNITTEST) plugins/adapters/baresip/tests))
$(eval $(call suite,twinkle,$(UNITTEST) plugins/adapters/twinkle/tests))
$(eval $(call suite,phones,$(UNITTEST) Tests/System/Phones -p 'test_[hpr]*.py'))
$(eval $(call suite,samples,$(UNITTEST) plugins/testing/tests))
$(eval $(call suite,web,$(SYSTEM_UNITTEST) plugins/screens/web/tests))
$(eval $(call suite,ofono,$(SYSTEM_UNITTEST) plugins/adapters/ofono/tests))
$(eval $(call suite,notify,$(SYSTEM_UNITTEST) plugins/screens/notify/tests))
$(eval $(call suite,gallery,$(UNITTEST) Tests/System/Gallery))
$(eval $(call suite,dialers,$(SYSTEM_UNITTEST) plugins/screens/dialers/tests))
$(eval $(call suite,watcher,$(SYSTEM_UNITTEST) plugins/adapters/watcher/tests))
$(eval $(call suite,pulse-guard,$(UNITTEST) plugins/guards/pulse-guard/tests))
$(eval $(call suite,media-pause,$(SYSTEM_UNITTEST) plugins/desktop/media-pause/tests))
$(eval $(call suite,presence,$(SYSTEM_UNITTEST) plugins/desktop/presence/tests))
$(eval $(call suite,rust,$(MAKE) --no-print-directory -s -C plugins/sdk/rust check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,keys,$(SYSTEM_UNITTEST) plugins/desktop/keys/tests))
$(eval $(call suite,terminal-screens,$(UNITTEST) plugins/screens/terminal/tests))
$(eval $(call suite,csharp,$(MAKE) --no-print-directory -s -C plugins/sdk/csharp check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,node,node --test plugins/sdk/node/tests/*.test.js))
$(eval $(call suite,go,$(MAKE) --no-print-directory -s -C plugins/sdk/go check BROKER=$(CURDIR)/.build/debug/callbroker))
$(eval $(call suite,terminal,$(PHONE) test --skip-build))
$(eval $(call suite,links,$(SYSTEM_UNITTEST) plugins/desktop/links/tests))
$(eval $(call suite,search,$(SYSTEM_UNITTEST) plugins/desktop/search/tests))
$(eval $(call suite,hooks,$(UNITTEST) plugins/desktop/hooks/tests))
$(eval $(call suite,mqtt,$(SYSTEM_UNITTEST) plugins/gateways/mqtt/tests))
$(eval $(call suite,unifiedpush,$(SYSTEM_UNITTEST) plugins/gateways/unifiedpush/tests))
$(eval $(call suite,pulse-endpoints,$(UNITTEST) plugins/audio/pulse-endpoints/tests))
$(eval $(call suite,system-mute,$(UNITTEST) plugins/desktop/system-mute/tests))
$(eval $(call suite,gnome-calls,$(SYSTEM_UNITTEST) plugins/adapters/gnome-calls/tests))
$(eval $(call suite,pytest,/usr/bin/python3 -m pytest -q -p no:cacheprovider plugins/testing/pytest))
# It uses what this builds, which is the first of all: make returns to what has to wait once all others run.
suite-samples: suite-c
# Telephones of accounts begin at SIP's port, 5060: one suite after the other; the last uses what others build.
.PHONY: suite-telephones
suite-telephones:
	@status=0; for each in $(TELEPHONES); do $(MAKE) --no-print-directory $$each || status=1; done; exit $$status
SUITES := $(filter-out $(TELEPHONES),$(SUITES:suite-liblinphone=suite-telephones))

run-operations:
	@Scripts/setup $(OPERATIONS)
	@$(STAGE) operations python3 -m unittest discover -s Tests/System/Operations

run-site:
	@Scripts/setup $(SITE)
	@Scripts/setup-site
	@$(STAGE) site /usr/bin/python3 -m unittest discover -s Tests/System/Site

test-phones: build ## everything that may happen between real telephones (installs them)
	@Scripts/setup $(PHONES) $(MODEM) liblinphone-dev libxml2-dev
	@$(MAKE) --no-print-directory -s -C plugins/adapters/linphone
	@$(MAKE) --no-print-directory -s -C plugins/adapters/liblinphone
	@$(STAGE) all-phones env CALLBROKER_ROUNDS=200 python3 -m unittest discover -s Tests/System/Phones

test-reliability: build ## kill the broker under load, let its system calls fail, let it live for a while
	@$(MAKE) --no-print-directory run-reliability

run-reliability:
	@Scripts/setup $(RELIABILITY)
	@$(STAGE) reliability python3 -m unittest discover -s Tests/System/Reliability

test-attacks: release ## be hostile to the broker, and measure what a good client sees of it
	@$(STAGE) measuring env CALLBROKER=.build/release/callbroker python3 -m unittest discover -s Tests/System/Attacks
	@$(STAGE) attacks env CALLBROKER=.build/release/callbroker Tests/System/Attacks/run.py

test-costs: build ## look whether anything costs more, the more there is of something else (counted instructions)
	@test -e /usr/include/valgrind/callgrind.h || { Scripts/setup valgrind && touch Tests/System/CCallgrind/callgrind.c \
		&& swift build --product CostMeter; }
	@$(STAGE) costs python3 -m unittest discover -s Tests/System/Costs

test-load: release ## 10,000 connections and 100,000 calls; how soon it is back with them after a kill
	@$(STAGE) load-all env CALLBROKER=.build/release/callbroker Tests/System/Reliability/load.py

test-all: test test-system ## both, then for longer, under AddressSanitizer and ThreadSanitizer, then a minute of fuzzing
	@$(STAGE) address env $(SANITIZED) swift test --sanitize=address --scratch-path .build-asan \
		$(UNMEASURED) --skip '$(APPS)'
	@$(STAGE) address-apps env $(SANITIZED) swift test --sanitize=address --scratch-path .build-asan \
		--skip-build $(UNMEASURED) --filter '$(APPS)'
	@$(STAGE) thread env $(SANITIZED) swift test --sanitize=thread --scratch-path .build-tsan \
		$(UNMEASURED) $(THREADLESS) --skip '$(APPS)'
	@$(STAGE) thread-apps env $(SANITIZED) swift test --sanitize=thread --scratch-path .build-tsan \
		--skip-build $(UNMEASURED) --filter '$(APPS)'
	@$(MAKE) --no-print-directory fuzz SECONDS_OF_FUZZING=60
	@$(MAKE) --no-print-directory test-phones
	@$(MAKE) --no-print-directory test-reliability KILLS=200 FAULTS=200 IMAGES=10000 SOAK=300
	@$(MAKE) --no-print-directory test-load test-attacks test-costs

bench: static ## measure, beside the floor and the D-Bus brokers
	@Scripts/setup-bench
	@Benchmarks/run.py --daemon $(STATIC)

.PHONY: instructions run-instructions
instructions: static ## count the instructions of the commonest work, and compare them (ACCEPT=1: keep the counts)
	@Scripts/setup valgrind
	@Benchmarks/instructions.py --daemon $(STATIC) $(if $(ACCEPT),--accept)

# With a toolchain other than that of the kept counts it compares nothing, and says so.
run-instructions: static
	@Scripts/setup valgrind
	@$(STAGE) instructions Benchmarks/instructions.py --daemon $(STATIC)
	@$(STAGE) instructions-judged python3 -m unittest discover -s Benchmarks/tests

second-opinion: setup ## compare the arbiter with a naive one, and tell where they differ
	@$(STAGE) release swift build -c release --product SecondOpinion
	@.build/release/SecondOpinion

transcripts: build ## write anew what the arbiter does in Tests/Unit/CallArbitrationTests/Transcripts
	@CALLBROKER_REGENERATE=1 swift test --skip-build --filter StoryTests
	@git diff --stat -- Tests/Unit/CallArbitrationTests/Transcripts

reference: build ## write anew plugins/REFERENCE.md and plugins/MANIFEST.md, from the broker's schemas
	@.build/debug/callbroker reference >plugins/REFERENCE.md
	@.build/debug/callbroker reference --manifest >plugins/MANIFEST.md
	@git diff --stat -- plugins/REFERENCE.md plugins/MANIFEST.md

messages: ## write anew what is made of messages/en.json: the English texts of the tool
	@Scripts/messages
	@git diff --stat -- Sources/CallBrokerTool/Messages

types: build reference ## write anew what is made of the method table: the reference, and the types of plugins/sdk/node and csharp
	@Scripts/setup nodejs
	@Scripts/with-broker .build/debug/callbroker env CALLBROKER=.build/debug/callbroker plugins/sdk/node/make-types.js
	@Scripts/with-broker .build/debug/callbroker env CALLBROKER=.build/debug/callbroker plugins/sdk/csharp/make-requests.py

mutate: setup ## break the arbiter in small ways, and see whether the tests notice (half an hour)
	@Scripts/mutate

bench-arbiter: setup ## what a decision costs with 10, 1,000 and 100,000 held calls, and storing
	@$(STAGE) release swift build -c release --product ArbiterBenchmark
	@.build/release/ArbiterBenchmark
	@.build/release/ArbiterBenchmark stored

bench-directory: setup ## what a caller directory of 10 million numbers costs (NUMBERS=10000000)
	@$(STAGE) release swift build $(OPTIMIZED) -c release --product DirectoryBenchmark
	@.build/release/DirectoryBenchmark $(NUMBERS)

fuzz: setup ## feed every reader what nobody would write (SECONDS_OF_FUZZING=600)
	@Scripts/fuzz $(SECONDS_OF_FUZZING)

simulate: setup ## let the arbiter live in random worlds (EVENTS=1000000 SEED=1)
	@$(STAGE) release swift build -c release --product Simulate
	@.build/release/Simulate --events $(EVENTS) --seed $(SEED)

simulate-all: setup ## let it live through all states of a small world (DEPTH=8)
	@$(STAGE) release swift build -c release --product Simulate
	@.build/release/Simulate --exhaustive --depth $(DEPTH)

format: ## bring the code into shape
	swift format --in-place --recursive Sources Tests Package.swift $(SCREEN_CODE)

lint:
	@swift format lint --strict --recursive Sources Tests Package.swift $(SCREEN_CODE)
	@Scripts/mutate --list >/dev/null

.PHONY: screens
screens: setup ## build the call screens for browsers and terminals, for installing
	@Scripts/setup libncurses-dev
	@$(STAGE) screen swift build $(PACKED) -c release --static-swift-stdlib --package-path plugins/screens/web \
		--scratch-path plugins/screens/web/.build-static
	@$(STAGE) phone $(PHONE) build $(PACKED) -c release --static-swift-stdlib --product callbroker-phone

install: static screens ## install into PREFIX (default /usr/local)
	@SCREENS="$(SCREENS)" Scripts/install $(STATIC) "$(DESTDIR)" "$(PLACE)"

site: build ## write the documentation as a site with search, into .build/site
	@Scripts/setup-site
	@$(STAGE) site Scripts/site .build/site
	@echo "open .build/site/index.html; the Swift libraries want a web server:" \
		"python3 -m http.server --directory .build/site"

uninstall: ## remove what `make install` has put into PREFIX
	@Scripts/uninstall "$(DESTDIR)" "$(PLACE)"

.PHONY: deb dist
dist: static ## pack an archive and an OCI image for other people's CI, into .build/packages (as root)
	@Scripts/setup $(ARCHIVES)
	@$(STAGE) dist Scripts/dist $(STATIC) .build/packages

deb: static screens ## build the Debian packages, into .build/packages
	@Scripts/setup $(DEBIAN)
	@SCREENS="$(SCREENS)" $(STAGE) deb Scripts/deb $(STATIC) .build/packages
	@ls .build/packages/*.deb

.PHONY: graph
graph: ## draw the references between targets and folders, and write Tests/arrows.txt (CHECK=1: compare; INSIDE=TARGET)
	@Scripts/graph --is-current $(if $(INSIDE),--inside $(INSIDE)) \
		|| $(if $(INSIDE),swift build $(CHECKED) --target $(INSIDE),$(MAKE) --no-print-directory build)
ifdef CHECK
	@Scripts/graph --check $(if $(INSIDE),--inside $(INSIDE))
else
	@Scripts/setup graphviz
	@Scripts/graph --write $(if $(INSIDE),--inside $(INSIDE))
	@git diff --stat -- Tests/arrows.txt Sources/CallBroker/Documentation.docc
endif

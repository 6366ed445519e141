# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: detect test install format libraries

# What it is for: the objects in a few pictures, with the models of the package.
detect: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/*.jpg Models/samples/*.png --annotate .build/detected

# In release, so that the tests exercise what ships: the program is built once for both.
test: libraries
	swift test -c release --disable-testable-imports --parallel

# The program, which needs no Swift to run, and the models that it finds beside itself.
PREFIX ?= /usr/local
install: libraries
	swift build -c release --product ocellus
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/ocellus/models
	install -s .build/release/ocellus $(DESTDIR)$(PREFIX)/bin/ocellus
	cp -RL Models/scenes-detector* Models/scenes-labeler* Models/catalog.json \
	  $(DESTDIR)$(PREFIX)/share/ocellus/models

# The system's libraries, installed when one is missing: that needs root, or sudo.
libraries:
	@.ci/libraries

format:
	swift format format --in-place --recursive Package.swift Sources Tests
	swift format lint --strict --recursive Package.swift Sources Tests

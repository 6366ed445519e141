# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: detect test format libraries

# What it is for: the objects in a few pictures, with the models of the package.
detect: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/*.jpg Models/samples/*.png --annotate .build/detected

# In release, so that the tests exercise what ships: the program is built once for both.
test: libraries
	swift test -c release --disable-testable-imports --parallel

# The system's libraries, installed when one is missing: that needs root, or sudo.
libraries:
	@.ci/libraries

format:
	swift format format --in-place --recursive Package.swift Sources Tests
	swift format lint --strict --recursive Package.swift Sources Tests

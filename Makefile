# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: test format libraries

# In release, so that the tests exercise what ships: the program is built once for both.
test: libraries
	swift test -c release --disable-testable-imports --parallel

# The system's libraries, installed when one is missing: that needs root, or sudo.
libraries:
	@.ci/libraries

format:
	swift format format --in-place --recursive Package.swift Sources Tests
	swift format lint --strict --recursive Package.swift Sources Tests

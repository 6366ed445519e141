# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: test format

# In release, so that the tests exercise what ships: the program is built once for both.
test:
	swift test -c release --disable-testable-imports --parallel

format:
	swift format format --in-place --recursive Package.swift Sources Tests
	swift format lint --strict --recursive Package.swift Sources Tests

# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: test format

# Builds in release, so that the tests exercise what ships.
test:
	swift build -c release --product ocellus
	swift test -c release --parallel

format:
	swift format format --in-place --recursive Package.swift Sources Tests
	swift format lint --strict --recursive Package.swift Sources Tests

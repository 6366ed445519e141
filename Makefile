# The two commands that a newcomer needs; both install missing libraries.

.PHONY: detect serve test install uninstall wheel picture format libraries

# Finds and names the things in two drawn pictures, with the package's models for such pictures.
detect: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/sunflower.jpg Models/samples/strawberry.jpg \
	  -m Models/scenes-detector.tflite --classifier Models/scenes-labeler --annotate .build/detected

# Builds the server, which needs libmicrohttpd; `make install` installs it then.
serve: libraries
	@.ci/libraries server
	swift build -c release --product ocellus
	OCELLUS_SERVER=1 swift build -c release --product ocellus-serve

# Tests in release, which is what ships; the program is built once for this and `detect`.
test:
	@.ci/libraries tests
	@OCELLUS_SERVER=1 .ci/test

# Installs the program, its models, manual page and shell completions, and the C library with its
# headers, under its own name and as a drop-in replacement of the official library. None of them
# needs an installed Swift.
PREFIX ?= /usr/local
share = $(DESTDIR)$(PREFIX)/share
lib = $(DESTDIR)$(PREFIX)/lib
include = $(DESTDIR)$(PREFIX)/include
install: libraries
	swift build -c release --product ocellus
	swift build -c release --product OcellusC
	swift build -c release --product OcellusVisionC
	install -d $(DESTDIR)$(PREFIX)/bin $(share)/ocellus/models $(share)/man/man1 \
	  $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	install -s .build/release/ocellus $(DESTDIR)$(PREFIX)/bin/ocellus
	[ ! -x .build/release/ocellus-serve ] \
	  || install -s .build/release/ocellus-serve $(DESTDIR)$(PREFIX)/bin/ocellus-serve
	cp -RL Models/scenes-detector* Models/scenes-labeler* Models/catalog.json $(share)/ocellus/models
	install -m 644 Sources/Umbrella/Ocellus.docc/Resources/results.schema.json $(share)/ocellus
	.build/release/ocellus help --man > $(share)/man/man1/ocellus.1
	.build/release/ocellus completion bash > $(share)/bash-completion/completions/ocellus
	.build/release/ocellus completion zsh > $(share)/zsh/site-functions/_ocellus
	.build/release/ocellus completion fish > $(share)/fish/vendor_completions.d/ocellus.fish
	install -d $(lib)/pkgconfig $(include)/ocellus
	install -s -m 644 .build/release/libOcellusC.so $(lib)/libocellus_c.so
	install -s -m 644 .build/release/libOcellusVisionC.so $(lib)/libocellus_vision_c.so
	Sources/OcellusC/make_linked_name $(lib)
	cp -R Sources/OcellusC/include/*.h Sources/OcellusC/include/tensorflow $(include)/ocellus
	ln -sfn tensorflow/lite $(include)/ocellus/tflite
	for name in ocellus_c ocellus_vision_c; do \
	  printf '%s\n' "Name: $$name" 'Description: Runs TensorFlow Lite models' \
	    "Version: $$(.build/release/ocellus --version | cut -d ' ' -f 2)" \
	    'Cflags: -I$(PREFIX)/include/ocellus' "Libs: -L$(PREFIX)/lib -l$$name" \
	    > $(lib)/pkgconfig/$$name.pc || exit; \
	done

# Removes what `make install` installed with the same PREFIX.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/ocellus $(DESTDIR)$(PREFIX)/bin/ocellus-serve \
	  $(share)/man/man1/ocellus.1 $(share)/bash-completion/completions/ocellus $(share)/zsh/site-functions/_ocellus \
	  $(share)/fish/vendor_completions.d/ocellus.fish
	rm -f $(lib)/libocellus_c.so $(lib)/libocellus_vision_c.so $(lib)/libtensorflowlite_c.so \
	  $(lib)/pkgconfig/ocellus_c.pc $(lib)/pkgconfig/ocellus_vision_c.pc
	rm -rf $(share)/ocellus $(include)/ocellus

# Builds the Python package, for Python 3.9 and later: a wheel in .build for pip.
wheel: libraries
	@.ci/libraries wheel
	swift build -c release --product OcellusPython
	python3 Sources/Python/make_wheel.py

# Installs missing system libraries, which needs root or sudo.
libraries:
	@.ci/libraries

# Draws the picture at the top of the README again, for instance with better models.
picture: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/sunflower.jpg --classifier Models/scenes-labeler \
	  --annotate Sources/Umbrella/Ocellus.docc/Resources/found.jpg

format:
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

# The two commands a newcomer needs. Everything they want is installed when it is missing.

.PHONY: detect test install uninstall wheel picture format libraries

# What it is for: the objects in a few pictures, with the models of the package.
detect: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/*.jpg Models/samples/*.png --annotate .build/detected

# In release, so that the tests exercise what ships: the program is built once for both.
test:
	@.ci/libraries tests
	@.ci/test

# The program, which needs no Swift to run, the models that it finds beside itself, its page of the
# manual, and what shells complete its command lines with; and the C library with its headers, by its own
# name and by that of the official one, in whose place it stands.
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
	cp -RL Models/scenes-detector* Models/scenes-labeler* Models/catalog.json $(share)/ocellus/models
	install -m 644 Sources/Umbrella/Ocellus.docc/Resources/results.schema.json $(share)/ocellus
	.build/release/ocellus help --man > $(share)/man/man1/ocellus.1
	.build/release/ocellus completion bash > $(share)/bash-completion/completions/ocellus
	.build/release/ocellus completion zsh > $(share)/zsh/site-functions/_ocellus
	.build/release/ocellus completion fish > $(share)/fish/vendor_completions.d/ocellus.fish
	install -d $(lib)/pkgconfig $(include)/ocellus
	install -s -m 644 .build/release/libOcellusC.so $(lib)/libocellus_c.so
	install -s -m 644 .build/release/libOcellusVisionC.so $(lib)/libocellus_vision_c.so
	ln -sf libocellus_c.so $(lib)/libtensorflowlite_c.so
	cp -R Sources/OcellusC/include/*.h Sources/OcellusC/include/tensorflow $(include)/ocellus
	for name in ocellus_c ocellus_vision_c; do \
	  printf '%s\n' "Name: $$name" 'Description: Runs TensorFlow Lite models' \
	    "Version: $$(.build/release/ocellus --version | cut -d ' ' -f 2)" \
	    'Cflags: -I$(PREFIX)/include/ocellus' "Libs: -L$(PREFIX)/lib -l$$name" \
	    > $(lib)/pkgconfig/$$name.pc || exit; \
	done

# Takes away what `make install` brought, with the same PREFIX.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/ocellus $(share)/man/man1/ocellus.1 \
	  $(share)/bash-completion/completions/ocellus $(share)/zsh/site-functions/_ocellus \
	  $(share)/fish/vendor_completions.d/ocellus.fish
	rm -f $(lib)/libocellus_c.so $(lib)/libocellus_vision_c.so $(lib)/libtensorflowlite_c.so \
	  $(lib)/pkgconfig/ocellus_c.pc $(lib)/pkgconfig/ocellus_vision_c.pc
	rm -rf $(share)/ocellus $(include)/ocellus

# The Python package, for every Python since 3.9: a file in .build, which pip installs.
wheel: libraries
	@.ci/libraries wheel
	swift build -c release --product OcellusPython
	python3 Sources/Python/make_wheel.py

# The system's libraries, installed when one is missing: that needs root, or sudo.
libraries:
	@.ci/libraries

# The picture at the top of the README, to be made again when the models are better.
picture: libraries
	swift build -c release --product ocellus
	.build/release/ocellus detect Models/samples/sunflower.jpg --classifier Models/scenes-labeler \
	  --annotate Sources/Umbrella/Ocellus.docc/Resources/found.jpg

format:
	swift format format --in-place --recursive Package.swift Sources Tests Benchmarks
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

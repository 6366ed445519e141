# The two commands that a newcomer needs; both install missing libraries.

.PHONY: detect serve test install stage uninstall deb tarball wheel site release picture format libraries

# Finds and names the things in two drawn pictures, with the package's models for such pictures.
detect: libraries
	@.ci/detect

# Builds the server, which needs libmicrohttpd; `make install` installs it then.
serve: libraries
	@.ci/libraries server
	swift build -c release --product ocellus
	OCELLUS_SERVER=1 swift build -c release --product ocellus-serve

# Tests in release, which is what ships.
test:
	@.ci/libraries tests
	@OCELLUS_SERVER=1 .ci/test

# Installs the program, its models, manual page and shell completions, and the C library with its
# headers, under its own name and as a drop-in replacement of the official library. None of them
# needs an installed Swift. LIBDIR is the folder of libraries below PREFIX.
PREFIX ?= /usr/local
LIBDIR ?= lib
root = $(DESTDIR)$(PREFIX)
share = $(root)/share
lib = $(root)/$(LIBDIR)
include = $(root)/include
install: libraries
	swift build -c release --product ocellus
	if grep -q '"ocellus-serve"' Package.swift; then swift build -c release --product ocellus-serve; fi
	swift build -c release --product OcellusC
	swift build -c release --product OcellusVisionC
	$(MAKE) stage

# Installs what is built, for `install` and for packages. OCELLUS is a program that runs here, BUILT
# the folder of what is installed, which in a cross build does not, and STRIP removes its debug
# information.
BUILT ?= .build/release
OCELLUS ?= .build/release/ocellus
STRIP ?= strip
stage:
	install -d $(root)/bin $(share)/ocellus/models $(share)/man/man1 \
	  $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	install -s --strip-program=$(STRIP) $(BUILT)/ocellus $(root)/bin/ocellus
	if [ -e $(BUILT)/ocellus-serve ]; then \
	  install -s --strip-program=$(STRIP) $(BUILT)/ocellus-serve $(root)/bin; \
	fi
	cp -RL Models/scenes-detector* Models/scenes-labeler* Models/catalog.json $(share)/ocellus/models
	install -m 644 Sources/Umbrella/Ocellus.docc/Resources/results.schema.json $(share)/ocellus
	$(OCELLUS) help --man > $(share)/man/man1/ocellus.1
	if [ -e $(BUILT)/ocellus-serve ]; then \
	  echo '.so man1/ocellus.1' > $(share)/man/man1/ocellus-serve.1; \
	fi
	$(OCELLUS) completion bash > $(share)/bash-completion/completions/ocellus
	$(OCELLUS) completion zsh > $(share)/zsh/site-functions/_ocellus
	$(OCELLUS) completion fish > $(share)/fish/vendor_completions.d/ocellus.fish
	install -d $(lib)/pkgconfig $(include)/ocellus
	Sources/OcellusC/install_libraries $(BUILT) $(lib)
	cp -R Sources/OcellusC/include/*.h Sources/OcellusC/include/tensorflow $(include)/ocellus
	ln -sfn tensorflow/lite $(include)/ocellus/tflite
	for name in ocellus_c ocellus_vision_c; do \
	  printf '%s\n' 'prefix=$(PREFIX)' "Name: $$name" 'Description: Runs TensorFlow Lite models' \
	    "Version: $$(.ci/packages/version)" 'Cflags: -I$${prefix}/include/ocellus' \
	    'Libs: -L$${prefix}/$(LIBDIR) -l'"$$name" > $(lib)/pkgconfig/$$name.pc || exit; \
	done

# Removes what `make install` installed with the same PREFIX.
uninstall:
	rm -f $(root)/bin/ocellus $(root)/bin/ocellus-serve $(share)/man/man1/ocellus.1 \
	  $(share)/man/man1/ocellus-serve.1 \
	  $(share)/bash-completion/completions/ocellus $(share)/zsh/site-functions/_ocellus \
	  $(share)/fish/vendor_completions.d/ocellus.fish
	rm -f $(lib)/libocellus_c.so* $(lib)/libocellus_vision_c.so* $(lib)/libtensorflowlite_c.so \
	  $(lib)/pkgconfig/ocellus_c.pc $(lib)/pkgconfig/ocellus_vision_c.pc
	rm -rf $(share)/ocellus $(include)/ocellus

# Packages of the program, the C libraries and the models, in .build/packages: for Debian and Ubuntu,
# and to unpack anywhere.
deb: libraries
	@.ci/libraries packages
	@.ci/packages/deb

tarball: libraries
	@.ci/libraries packages
	@.ci/packages/tarball

# The documentation as static pages, in .build/site.
site:
	@.ci/site

# All packages of a commit, the documentation, a bill of materials and checksums; built from
# the commit alone.
release: libraries
	@.ci/libraries packages
	@.ci/libraries wheel
	@.ci/release

# Builds the Python package, for Python 3.9 and later: a wheel in .build for pip. After a cross build,
# OCELLUS_BUILT is the folder with its product, and WHEEL_OPTIONS say where the other system's
# libraries and licences are (Sources/Python/make_wheel.py --help).
wheel: libraries
	@.ci/libraries wheel
	$(if $(OCELLUS_BUILT),,swift build -c release --product OcellusPython)
	python3 Sources/Python/make_wheel.py --library $(or $(OCELLUS_BUILT),.build/release)/libOcellusPython.so \
	  $(WHEEL_OPTIONS)

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

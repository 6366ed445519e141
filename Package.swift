// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The targets as data; Sources/Engine/Engine.docc/Architecture.md describes their purposes. Folders
// have short names; target names have a prefix because they must be unique in a consumer's package
// graph.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Settings for targets whose internals tests use, in release builds, too.
///
/// Calls of these targets are rare, so keeping unused code costs no time.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// Disables the dynamic exclusivity checks in release builds, because they would take a tenth of
/// the time of steps that last microseconds.
let engineSettings: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

// `#if arch` in a manifest means the machine that builds.
#if arch(arm64)
  let builder = "arm64"
#else
  let builder = "x86_64"
#endif
/// The architecture to build for: this machine's, unless the environment names another.
let architecture = Context.environment["OCELLUS_ARCHITECTURE"] ?? builder

/// Links the Swift runtime statically into the program, which then runs without Swift, starts in
/// half the time, and touches less memory.
///
/// Cross builds link it dynamically, because many SDKs have no static runtime; for those that have
/// one, use `--static-swift-stdlib` at the command line.
let runtimeLinking = architecture == builder ? ["-static-stdlib"] : []
let programLinking: [LinkerSetting] =
  runtimeLinking.isEmpty ? [] : [.unsafeFlags(runtimeLinking)]

/// Returns linker settings for the C libraries, which contain the runtime and export only the
/// functions of their headers: the default linker does not hide all other symbols.
///
/// The number in the name that the loader looks for changes when programs must be compiled again.
func sharedLibraryLinking(_ name: String) -> [LinkerSetting] {
  [
    .unsafeFlags(
      runtimeLinking + [
        "-use-ld=lld", "-Xlinker", "-soname=lib\(name).so.0", "-Xlinker",
        "--version-script=\(Context.packageDirectory)/Sources/OcellusC/exports.map",
      ])
  ]
}

/// Disables optimization in release builds, too: for code that computes little, which compiles in a
/// quarter of the time.
///
/// The other option keeps the compiler from reading such modules twice.
let unoptimized: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])
]

/// Whether only the kernels and what is called for pixels are optimized, for a first look.
///
/// The environment variable `OCELLUS_QUICK_BUILD` says so with 1. Optimizing the rest takes most of a
/// build.
let isQuick = Context.environment["OCELLUS_QUICK_BUILD"] == "1"

/// When the code of a library is optimized in release builds.
enum Optimization {
  /// Always, because it is called for pixels or numbers.
  case always
  /// Unless the build is a quick one.
  case unlessQuick
  /// Never, because it leaves all loops over elements to other libraries.
  case never
}

/// Returns a library target in Sources/`folder`.
func library(
  _ folder: String, name: String? = nil, needs: [String] = [],
  optimized: Optimization = .unlessQuick, settings: [SwiftSetting] = []
) -> Target {
  let isOptimized = optimized == .always || optimized == .unlessQuick && !isQuick
  return .target(
    name: name ?? "Ocellus\(folder.split(separator: "/").last ?? "")",
    dependencies: needs.map { .byName(name: $0) },
    path: "Sources/\(folder)",
    swiftSettings: strict + settings + (isOptimized ? [] : unoptimized))
}

/// Returns a system library's target in Sources/`folder`: a module map and a header.
func systemLibrary(_ folder: String, package: String, apt: String) -> Target {
  .systemLibrary(
    name: folder, path: "Sources/\(folder)", pkgConfig: package, providers: [.apt([apt])])
}

/// Returns a benchmark's target in Benchmarks/`folder`.
func benchmark(
  _ folder: String, name: String, needs: [String], linking: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: needs.map { .byName(name: $0) }, path: "Benchmarks/\(folder)",
    exclude: folder == "Imaging" ? ["side_by_side.py"] : [], swiftSettings: strict,
    linkerSettings: linking)
}

/// Returns a target's test target in Tests/`folder`Tests.
///
/// Tests that compute much themselves, such as the expected elements of pictures and tensors, are
/// optimized. Compiling the others with optimization takes far longer than running them without it,
/// and the modules that they test are optimized.
func tests(
  _ folder: String, needs: [String], computesMuch: Bool = false, settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: "\(folder)Tests", dependencies: needs.map { .byName(name: $0) },
    path: "Tests/\(folder)Tests",
    swiftSettings: strict + (computesMuch ? [] : unoptimized) + settings)
}

/// Settings for tests that import modules with the names of Apple's beside Swift Testing.
///
/// The compiler looks for what Testing adds to those, which exists on Apple's systems only.
let withoutOverlays: [SwiftSetting] = [
  .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])
]

/// An instruction set with its own target, whose folder holds ISA.swift and a symlink to
/// Kernels/Shared: every instruction set compiles the same source.
struct InstructionSet {
  var name: String
  var clangFlags: [String] = []
  var defines: [String] = []
  /// The modules of intrinsics that Swift cannot import.
  var needs: [String] = []
  /// The instruction set some of whose kernels it replaces, if it has not all of its own.
  var basis: String?

  var target: Target { target(name: "OcellusKernels\(name)", path: "Sources/Kernels/\(name)") }

  func target(name: String, path: String) -> Target {
    .target(
      name: name, dependencies: (["OcellusKernelABI"] + needs).map { .byName(name: $0) },
      path: path,
      swiftSettings: strict + defines.map { .define($0) } + [
        // For `llvm.prefetch`.
        .enableExperimentalFeature("BuiltinModule"),
        // -Ounchecked in debug builds too, so that tests exercise the real kernels;
        // -disable-cmo because a kernel inlined into its caller loses its instruction set. Debuggers
        // see lines but no variables, whose description takes a tenth of the compile time.
        .unsafeFlags(
          clangFlags.flatMap { ["-Xcc", $0] }
            + ["-Ounchecked", "-disable-cmo", "-Xfrontend", "-gline-tables-only"]),
      ])
  }
}

/// The conditions for kernels that every 64-bit Arm processor can run.
let arm = ["FMA", "FAST_PATHS", "HIGH_PRODUCTS", "LANE_PRODUCTS", "LONG_TABLES"]

/// The instruction sets of the architecture; each ISA.swift states what the processor must support.
let allInstructionSets: [InstructionSet] =
  switch architecture {
  case "x86_64":
    [
      InstructionSet(name: "Baseline", clangFlags: ["-march=x86-64-v2"]),
      InstructionSet(
        name: "AVX2", clangFlags: ["-march=x86-64-v3"],
        defines: [
          "FMA", "FAST_PATHS", "MASKED_LOADS", "DIRECT_WINDOWS", "RECIPROCAL_ESTIMATES",
          "SHORT_VECTORS", "WINOGRAD",
        ]),
      InstructionSet(
        name: "AVXVNNI", clangFlags: ["-march=x86-64-v3", "-mavxvnni"],
        defines: ["FMA", "BYTE_DOTS", "FAST_PATHS", "MASKED_LOADS", "SHORT_VECTORS"],
        basis: "AVX2"),
      InstructionSet(
        name: "AVX512", clangFlags: ["-march=x86-64-v4", "-mavx512vnni"],
        defines: [
          "FMA", "BYTE_DOTS", "FAST_PATHS", "MASKS", "TRANSPOSED_OPERANDS", "ROOT_ESTIMATES",
          "SHORT_VECTORS", "WINDOW_QUADS",
        ]),
      InstructionSet(
        name: "AMX",
        clangFlags: [
          "-march=x86-64-v4", "-mavx512vnni", "-mamx-tile", "-mamx-int8", "-mamx-bf16",
        ],
        defines: ["FMA", "BYTE_DOTS", "FAST_PATHS", "MASKS", "MATRIX_TILES"],
        needs: ["CMatrixTiles"], basis: "AVX512"),
      InstructionSet(
        name: "AVX512VBMI", clangFlags: ["-march=x86-64-v4", "-mavx512vbmi"], basis: "AVX512"),
    ]
  case "arm64":
    [
      InstructionSet(name: "Baseline", defines: ["FMA"]),
      InstructionSet(
        name: "NEON", clangFlags: ["-march=armv8-a"], defines: arm + ["PLANAR_PAIRS"]),
      InstructionSet(
        name: "DotProd", clangFlags: ["-march=armv8-a+dotprod"], defines: arm + ["BYTE_DOTS"],
        basis: "NEON"),
      InstructionSet(
        name: "I8MM", clangFlags: ["-march=armv8-a+dotprod+i8mm"],
        defines: arm + ["BYTE_DOTS", "BLOCK_PRODUCTS"], basis: "DotProd"),
    ]
  default: [InstructionSet(name: "Baseline", defines: ["FMA"])]
  }

/// The instruction set that all processors of the architecture run.
///
/// For 64-bit Arm that is NEON; the baseline in plain Swift, which takes longest to compile, is for
/// other architectures, and is built there only to be tested.
let universal = architecture == "arm64" ? "NEON" : "Baseline"

/// The instruction sets to build, because each takes minutes: all, or those that the environment
/// variable `OCELLUS_INSTRUCTION_SETS` lists with commas, and the universal one unless it lists
/// `no-baseline`.
let instructionSets: [InstructionSet] = {
  guard let text = Context.environment["OCELLUS_INSTRUCTION_SETS"] else {
    return allInstructionSets.filter { $0.name != "Baseline" || $0.name == universal }
  }
  let names = text.lowercased().split(separator: ",")
  var chosenNames: Set = names.contains("no-baseline") ? [] : [universal]
  for prefix in names where prefix != "no-baseline" {
    let sets = allInstructionSets.filter { $0.name.lowercased().hasPrefix(prefix) }
    if sets.isEmpty {
      let known = allInstructionSets.map { $0.name.lowercased() }.joined(separator: ", ")
      fatalError("OCELLUS_INSTRUCTION_SETS: no \(prefix) here (known: \(known))")
    }
    chosenNames.formUnion(sets.map(\.name))
  }
  // From the last to the first, because one is built on one before it.
  for set in allInstructionSets.reversed() where chosenNames.contains(set.name) {
    if let basis = set.basis { chosenNames.insert(basis) }
  }
  let chosen = allInstructionSets.filter { chosenNames.contains($0.name) }
  guard !chosen.isEmpty else {
    fatalError("OCELLUS_INSTRUCTION_SETS: no-baseline needs another instruction set beside it")
  }
  return chosen
}()

/// The kernels for AVX-VNNI and AMX with products that are computed by AVX2: tests run them where the
/// processor does not have the instructions.
let emulatedKernels = instructionSets.compactMap { set -> Target? in
  guard ["AVXVNNI", "AMX"].contains(set.name) else { return nil }
  let defines = set.defines.filter { $0 != "MASKS" } + ["MASKED_LOADS", "EMULATED_DOTS"]
  return InstructionSet(name: set.name, clangFlags: ["-march=x86-64-v3"], defines: defines)
    .target(name: "Emulated\(set.name)", path: "Tests/EmulatedKernels/\(set.name)")
}

/// Settings for the platform, which reads an x86 processor's enabled registers with XSAVE.
let platformSettings: [SwiftSetting] =
  architecture == "x86_64" ? [.unsafeFlags(["-Xcc", "-mxsave"])] : []

/// Flags for the instructions for SHA-256, which not all processors have.
let hashFlags =
  ["x86_64": ["-msha", "-msse4.1"], "arm64": ["-march=armv8-a+sha2"]][architecture] ?? []

/// Settings for the tables: they see the built instruction sets as `BUILDS_AVX2` and so on.
let tableSettings: [SwiftSetting] = instructionSets.map {
  .define("BUILDS_\($0.name.uppercased())")
}

/// The kernels, which whatever is linked needs, and nothing that is compiled: they take longest, and
/// all modules compile beside them.
let kernels = "OcellusKernelTables"

/// Returns a product that links the kernels.
func libraryProduct(
  _ name: String, type: Product.Library.LibraryType? = nil, targets: [String]
) -> Product {
  .library(name: name, type: type, targets: targets + [kernels])
}

/// Returns a module with another system's name, in Sources/Compatibility/Modules.
///
/// It exports its names one by one, so they win over the names of `import Ocellus` in a file with
/// both.
func module(_ name: String, exports: [String]) -> Target {
  library("Compatibility/Modules/\(name)", name: name, needs: exports)
}

let mlKitModules = [
  "MLImage", "MLKit", "MLKitCommon", "MLKitImageLabeling", "MLKitImageLabelingAutoML",
  "MLKitImageLabelingCommon", "MLKitImageLabelingCustom", "MLKitLinkFirebase",
  "MLKitObjectDetection", "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom",
  "MLKitVision",
]
let firebaseModules = [
  "Firebase", "FirebaseCore", "FirebaseMLCommon", "FirebaseMLModelDownloader",
  "FirebaseMLModelInterpreter", "FirebaseMLVision", "FirebaseMLVisionAutoML",
  "FirebaseMLVisionObjectDetection",
]
/// Modules with the names of Apple's frameworks.
///
/// They are a product of their own, because `#if canImport(UIKit)` in another package would see
/// them in the build of each program that uses them.
let appleModules = [
  "AVFoundation", "Accelerate", "CoreGraphics", "CoreImage", "CoreMedia", "CoreVideo", "UIKit",
  "os",
]
let compatibilityModules = [
  module("TensorFlowLite", exports: ["OcellusTensorFlowLite"]),
  module(
    "MLImage",
    exports: ["OcellusCompatibility", "OcellusGraphics", "OcellusImaging", "OcellusMLKit"]),
  module("MLKitCommon", exports: ["OcellusCompatibility"]),
  module("MLKitLinkFirebase", exports: ["MLKitCommon", "OcellusCompatibility"]),
  module(
    "MLKitVision",
    exports: [
      "MLImage", "OcellusCompatibility", "OcellusGraphics", "OcellusImaging", "OcellusMLKit",
    ]),
  module(
    "MLKitObjectDetectionCommon",
    exports: ["MLKitCommon", "MLKitVision", "OcellusMLKit", "OcellusVision"]),
  module("MLKitObjectDetection", exports: ["MLKitObjectDetectionCommon", "OcellusMLKit"]),
  module("MLKitObjectDetectionCustom", exports: ["MLKitObjectDetectionCommon", "OcellusMLKit"]),
  module("MLKitImageLabelingCommon", exports: ["MLKitCommon", "MLKitVision", "OcellusMLKit"]),
  module("MLKitImageLabeling", exports: ["MLKitImageLabelingCommon", "OcellusMLKit"]),
  module("MLKitImageLabelingCustom", exports: ["MLKitImageLabelingCommon", "OcellusMLKit"]),
  module("MLKitImageLabelingAutoML", exports: ["MLKitImageLabelingCommon", "OcellusMLKit"]),
  module(
    "MLKit",
    exports: [
      "MLKitImageLabeling", "MLKitImageLabelingAutoML", "MLKitImageLabelingCustom",
      "MLKitLinkFirebase", "MLKitObjectDetection", "MLKitObjectDetectionCustom",
    ]),
  module("FirebaseCore", exports: ["OcellusFirebase"]),
  module("FirebaseMLCommon", exports: ["FirebaseCore", "OcellusCompatibility"]),
  module(
    "FirebaseMLModelInterpreter",
    exports: ["FirebaseMLCommon", "OcellusCompatibility", "OcellusFirebase"]),
  module(
    "FirebaseMLVision",
    exports: [
      "FirebaseMLCommon", "OcellusCompatibility", "OcellusFirebase", "OcellusGraphics",
      "OcellusImaging", "OcellusVision",
    ]),
  module("FirebaseMLVisionAutoML", exports: ["FirebaseMLVision"]),
  module("FirebaseMLVisionObjectDetection", exports: ["FirebaseMLVision"]),
  module("Firebase", exports: ["FirebaseMLModelInterpreter", "FirebaseMLVision"]),
]

let package = Package(
  name: "ocellus",
  products: [
    libraryProduct("Ocellus", targets: ["Ocellus"]),
    libraryProduct("OcellusEngine", targets: ["OcellusEngine"]),
    libraryProduct("OcellusImaging", targets: ["OcellusImaging"]),
    libraryProduct("OcellusVision", targets: ["OcellusVision"]),
    libraryProduct("OcellusAudit", targets: ["OcellusAudit"]),
    libraryProduct("OcellusProfile", targets: ["OcellusProfile"]),
    .library(name: "OcellusModelFile", targets: ["OcellusModelFile"]),
    libraryProduct("OcellusStore", targets: ["OcellusStore"]),
    libraryProduct("OcellusStoreNetwork", targets: ["OcellusStoreNetwork"]),
    libraryProduct("TensorFlowLite", targets: ["TensorFlowLite"]),
    libraryProduct("MLKit", targets: mlKitModules),
    libraryProduct("Firebase", targets: firebaseModules),
    libraryProduct("FirebaseMLVision", targets: ["FirebaseMLVision"]),
    libraryProduct("AppleModules", targets: appleModules),
    libraryProduct("OcellusC", type: .dynamic, targets: ["OcellusC"]),
    libraryProduct("OcellusVisionC", type: .dynamic, targets: ["OcellusVisionC"]),
    // One file for the wheel of the Python package, with both libraries and one copy of the
    // runtime.
    libraryProduct("OcellusPython", type: .dynamic, targets: ["OcellusC", "OcellusVisionC"]),
    .executable(name: "ocellus", targets: ["OcellusProgram"]),
  ],
  targets: [
    library(
      "HashInstructions", optimized: .always,
      settings: [.unsafeFlags(hashFlags.flatMap { ["-Xcc", $0] } + ["-disable-cmo"])]),
    library(
      "Platform", needs: ["OcellusHashInstructions"], optimized: .always,
      settings: platformSettings),
    library("JSON", needs: ["OcellusPlatform"]),
    library("ModelFile", needs: ["OcellusPlatform"]),
    library("KernelABI", optimized: .always),
    library(
      "KernelDispatch", needs: ["OcellusKernelABI", "OcellusPlatform"], settings: testable),
    library(
      "KernelTables",
      needs: ["OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform"]
        + instructionSets.map { "OcellusKernels\($0.name)" },
      settings: tableSettings),
    library(
      "Engine",
      needs: ["OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform"],
      settings: engineSettings),
    .systemLibrary(name: "CMatrixTiles", path: "Sources/CMatrixTiles"),
    systemLibrary("CPNG", package: "libpng", apt: "libpng-dev"),
    systemLibrary("CTurboJPEG", package: "libturbojpeg", apt: "libturbojpeg0-dev"),
    library("Arrays", needs: ["OcellusPlatform"]),
    library(
      "Imaging",
      needs: [
        "CPNG", "CTurboJPEG", "OcellusArrays", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusPlatform",
      ],
      optimized: .always),
    .executableTarget(
      name: "embed-models", path: "Sources/EmbeddedModels/Tool", swiftSettings: strict),
    .plugin(
      name: "EmbedModels", capability: .buildTool(), dependencies: ["embed-models"],
      path: "Sources/EmbeddedModels/Plugin"),
    .target(
      name: "OcellusEmbeddedModels", dependencies: ["OcellusPlatform"],
      path: "Sources/EmbeddedModels/Library", swiftSettings: strict, plugins: ["EmbedModels"]),
    library(
      "Vision",
      needs: [
        "OcellusEmbeddedModels", "OcellusEngine", "OcellusImaging", "OcellusJSON",
        "OcellusModelFile", "OcellusPlatform", "OcellusStore",
      ]),
    library(
      "Audit",
      needs: [
        "OcellusArrays", "OcellusEngine", "OcellusJSON", "OcellusKernelABI",
        "OcellusKernelDispatch", "OcellusModelFile", "OcellusPages", "OcellusPlatform",
        "OcellusProfile",
      ],
      settings: engineSettings),
    library(
      "Proof",
      needs: [
        "OcellusAudit", "OcellusEngine", "OcellusJSON", "OcellusKernelABI",
        "OcellusKernelDispatch", "OcellusModelFile", "OcellusPlatform",
      ]),
    library("Pages", needs: ["OcellusJSON", "OcellusPlatform"]),
    library(
      "Profile",
      needs: [
        "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusPages", "OcellusPlatform",
      ]),
    library(
      "Store", needs: ["OcellusEngine", "OcellusJSON", "OcellusPlatform"], settings: testable),
    library("StoreNetwork", needs: ["OcellusStore"]),
    library(
      "Umbrella", name: "Ocellus", needs: ["OcellusEngine", "OcellusImaging", "OcellusVision"]),
    library("Compatibility/TensorFlowLite", needs: ["OcellusEngine", "OcellusModelFile"]),
    library("Compatibility/Graphics", needs: ["OcellusImaging", "OcellusPlatform"]),
    library(
      "Compatibility/Shared", name: "OcellusCompatibility",
      needs: [
        "OcellusGraphics", "OcellusImaging", "OcellusPlatform", "OcellusStore", "OcellusVision",
      ]),
    library(
      "Compatibility/MLKit",
      needs: ["OcellusCompatibility", "OcellusGraphics", "OcellusImaging", "OcellusVision"]),
    library(
      "Compatibility/Firebase",
      needs: [
        "OcellusCompatibility", "OcellusEngine", "OcellusImaging", "OcellusStore",
        "OcellusVision",
      ]),
    library(
      "Compatibility/ModelDownloader", name: "FirebaseMLModelDownloader",
      needs: [
        "OcellusCompatibility", "OcellusFirebase", "OcellusPlatform", "OcellusStore",
      ]),
    .systemLibrary(name: "CTensorFlowLite", path: "Sources/OcellusC/include"),
    .target(
      name: "OcellusC",
      dependencies: [
        "CTensorFlowLite", "OcellusAudit", "OcellusEngine", "OcellusHandles", "OcellusJSON",
        "OcellusModelFile", "OcellusPlatform", "OcellusProfile",
      ],
      path: "Sources/OcellusC",
      exclude: ["include", "exports.map", "install_libraries", "make_linked_name"],
      swiftSettings: strict + engineSettings,
      linkerSettings: sharedLibraryLinking("ocellus_c")),
    .target(
      name: "OcellusVisionC",
      dependencies: [
        "CTensorFlowLite", "OcellusHandles", "OcellusImaging", "OcellusJSON", "OcellusPlatform",
        "OcellusVision",
      ],
      path: "Sources/OcellusVisionC", swiftSettings: strict,
      linkerSettings: sharedLibraryLinking("ocellus_vision_c")),
    library("Handles"),
    library(
      "Commands",
      needs: [
        "OcellusArrays", "OcellusEngine", "OcellusModelFile", "OcellusKernelDispatch",
        "OcellusKernelABI", "OcellusAudit", "OcellusImaging", "OcellusJSON", "OcellusPlatform",
        "OcellusProfile", "OcellusProof", "OcellusStore", "OcellusVision",
      ],
      optimized: .never, settings: testable),
    .executableTarget(
      // Not "ocellus": on a case-insensitive file system it would collide with the library's
      // module.
      name: "OcellusProgram", dependencies: ["OcellusCommands"], path: "Sources/ocellus",
      swiftSettings: strict, linkerSettings: programLinking),
    benchmark(
      "Allocations", name: "allocation-count", needs: ["OcellusEngine"],
      linking: [.unsafeFlags(["-Xlinker", "--defsym=malloc=counted_malloc"])]),
    benchmark("Imaging", name: "imaging-bench", needs: ["OcellusImaging"]),
    benchmark("Tracking", name: "tracking-bench", needs: ["OcellusImaging", "OcellusVision"]),
    benchmark(
      "Tracing", name: "tracing-bench",
      needs: ["OcellusAudit", "OcellusEngine", "OcellusPlatform"]),
    benchmark(
      "Vision", name: "vision-bench",
      needs: [
        "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusPlatform", "OcellusVision",
      ]),
    .target(
      name: "OcellusTestSupport",
      dependencies: [
        "OcellusEngine", "OcellusJSON", "OcellusModelFile", "OcellusKernelABI", "OcellusPlatform",
        "OcellusStore",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .executableTarget(
      // Writes the models for the programs of Tests/CAPI.
      name: "c-api-models", dependencies: ["OcellusModelFile", "OcellusTestSupport"],
      path: "Tests/CAPI/Models", swiftSettings: strict),
    .executableTarget(
      // Checks that budgets hold for one-operator models as large as memory allows.
      name: "limit-check",
      dependencies: [
        "OcellusEngine", "OcellusModelFile", "OcellusPlatform", "OcellusTestSupport",
      ],
      path: "Tests/Limits", swiftSettings: strict),
    tests("Platform", needs: ["OcellusPlatform", "OcellusTestSupport"]),
    tests("ModelFile", needs: ["OcellusModelFile", "OcellusTestSupport"]),
    tests(
      "Kernel",
      needs: [
        "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform", "OcellusTestSupport",
      ] + emulatedKernels.map(\.name),
      computesMuch: true),
    tests(
      "Engine",
      needs: [
        "OcellusEngine", "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusPlatform", "OcellusTestSupport",
      ]),
    tests(
      "Commands",
      needs: [
        "OcellusArrays", "OcellusAudit", "OcellusCommands", "OcellusEngine", "OcellusImaging",
        "OcellusJSON", "OcellusKernelDispatch", "OcellusModelFile", "OcellusPlatform",
        "OcellusProfile", "OcellusProof", "OcellusStore", "OcellusTestSupport", "OcellusVision",
      ]),
    tests(
      "Audit",
      needs: [
        "OcellusArrays", "OcellusAudit", "OcellusEngine", "OcellusImaging", "OcellusJSON",
        "OcellusModelFile", "OcellusPlatform", "OcellusProfile", "OcellusTestSupport",
      ],
      computesMuch: true),
    tests(
      "Proof",
      needs: [
        "OcellusArrays", "OcellusAudit", "OcellusEngine", "OcellusJSON", "OcellusKernelABI",
        "OcellusKernelDispatch", "OcellusModelFile", "OcellusPlatform", "OcellusProof",
        "OcellusTestSupport",
      ]),
    tests(
      "Profile",
      needs: [
        "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusModelFile", "OcellusPlatform", "OcellusProfile", "OcellusTestSupport",
      ]),
    tests(
      "Imaging",
      needs: ["OcellusArrays", "OcellusImaging", "OcellusPlatform", "OcellusTestSupport"],
      computesMuch: true),
    tests(
      "Vision",
      needs: [
        "OcellusVision", "OcellusImaging", "OcellusEngine", "OcellusJSON", "OcellusModelFile",
        "OcellusTestSupport",
      ]),
    // Tests of threads are a target of their own, so that the thread sanitizer's build needs no
    // other tests of vision.
    tests(
      "ViewerPool",
      needs: [
        "OcellusEngine", "OcellusImaging", "OcellusPlatform", "OcellusTestSupport", "OcellusVision",
      ]),
    tests(
      "TensorFlowLite", needs: ["TensorFlowLite", "FirebaseMLVision", "OcellusTestSupport"]),
    tests(
      "Graphics",
      needs: [
        "Accelerate", "CoreGraphics", "CoreImage", "CoreMedia", "CoreVideo", "OcellusGraphics",
        "OcellusImaging", "OcellusTestSupport", "UIKit",
      ],
      settings: withoutOverlays),
    tests(
      "MLKit", needs: ["MLKit", "OcellusCompatibility", "OcellusImaging", "OcellusTestSupport"]),
    tests(
      "Firebase",
      needs: [
        "Firebase", "FirebaseMLModelDownloader", "OcellusCompatibility", "OcellusImaging",
        "OcellusStore", "OcellusTestSupport",
      ]),
    // The guides' own code, compiled in its language mode and without its warnings.
    .testTarget(
      name: "GuidesTests",
      dependencies: [
        "Firebase", "FirebaseMLVisionAutoML", "FirebaseMLVisionObjectDetection", "MLKit", "Ocellus",
        "OcellusImaging", "OcellusModelFile", "OcellusPlatform", "OcellusStore",
        "OcellusTestSupport", "OcellusVision", "TensorFlowLite",
      ] + appleModules.map { .byName(name: $0) },
      path: "Tests/GuidesTests",
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]
        + withoutOverlays + unoptimized),
    tests(
      "Store",
      needs: [
        "OcellusEngine", "OcellusModelFile", "OcellusPlatform", "OcellusStore",
        "OcellusStoreNetwork", "OcellusTestSupport",
      ]),
    tests("Tidy", needs: []),
  ] + instructionSets.map(\.target) + emulatedKernels + compatibilityModules
    + appleModules.map { module($0, exports: ["OcellusGraphics"]) },
  swiftLanguageModes: [.v6])

/// Whether to build the server, which alone needs libmicrohttpd.
///
/// The environment variable `OCELLUS_SERVER` says so with 1 or 0; otherwise it is built if the
/// library's header is there.
let buildsServer =
  Context.environment["OCELLUS_SERVER"].map { $0 == "1" }
  ?? FileManager.default.fileExists(atPath: "/usr/include/microhttpd.h")
if buildsServer {
  package.products.append(.executable(name: "ocellus-serve", targets: ["OcellusServeProgram"]))
  package.targets += [
    systemLibrary("CMicrohttpd", package: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library(
      "Server",
      needs: [
        "CMicrohttpd", "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile",
        "OcellusPlatform", "OcellusVision",
      ],
      settings: testable),
    .executableTarget(
      name: "OcellusServeProgram",
      dependencies: ["OcellusCommands", "OcellusJSON", "OcellusPlatform", "OcellusServer"],
      path: "Sources/ocellus-serve", swiftSettings: strict, linkerSettings: programLinking),
    tests(
      "Server",
      needs: [
        "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile", "OcellusPlatform",
        "OcellusServer", "OcellusTestSupport", "OcellusVision",
      ]),
  ]
}

// Programs and tests link the kernels if anything in them computes.
for target in package.targets
where [.executable, .test].contains(target.type) && !target.dependencies.isEmpty {
  target.dependencies.append(.byName(name: kernels))
}

/// Builds only some test targets and their dependencies, for instance for sanitizers: the
/// environment variable `OCELLUS_TESTS` lists them with commas.
if let names = Context.environment["OCELLUS_TESTS"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var kept: Set = ["embed-models", "EmbedModels"]
  func keep(_ name: String) {
    guard let target = targets[name] else {
      fatalError("OCELLUS_TESTS: there is no target \(name)")
    }
    guard kept.insert(name).inserted else { return }
    for case .byNameItem(let dependency, _) in target.dependencies { keep(dependency) }
  }
  for name in names.split(separator: ",") { keep("\(name)Tests") }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let needed = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets
    return !(needed ?? []).allSatisfy(kept.contains)
  }
}

// swift-tools-version: 6.2
import PackageDescription

// The targets as data: Sources/Engine/Engine.docc/Architecture.md says what each is for. Folders have short names; target names
// carry the prefix because they must be unique in the whole package graph of a consumer.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// For targets whose tests look inside, in release too.
///
/// They are called rarely, so that it costs nothing to keep what nobody else uses.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// Debug builds watch that no two accesses to a variable overlap; in release, steps of microseconds
/// would spend a tenth of their time on it.
let engineSettings: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

// A manifest runs on the machine that builds, which `#if arch` is about here.
#if arch(arm64)
  let builder = "arm64"
#else
  let builder = "x86_64"
#endif
/// The processors to build for: those of this machine, unless the environment names others.
let architecture = Context.environment["OCELLUS_ARCHITECTURE"] ?? builder

/// The program carries the Swift runtime in itself: it runs where there is no Swift, starts in half
/// the time, and touches less memory.
///
/// What is built for other machines finds the runtime there, as many SDKs have no static one; those
/// that do take `--static-swift-stdlib` at the command line.
let runtimeLinking = architecture == builder ? ["-static-stdlib"] : []
let programLinking: [LinkerSetting] =
  runtimeLinking.isEmpty ? [] : [.unsafeFlags(runtimeLinking)]

/// The C libraries carry the runtime in themselves too, and show nothing but the functions of their
/// headers: the default linker does not hide everything that the script wants hidden.
func sharedLibraryLinking(_ name: String) -> [LinkerSetting] {
  [
    .unsafeFlags(
      runtimeLinking + [
        "-use-ld=lld", "-Xlinker", "-soname=lib\(name).so", "-Xlinker",
        "--version-script=\(Context.packageDirectory)/Sources/OcellusC/exports.map",
      ])
  ]
}

/// A library target in Sources/`folder`.
func library(
  _ folder: String, name: String? = nil, needs: [String] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name ?? "Ocellus\(folder.split(separator: "/").last ?? "")",
    dependencies: needs.map { .byName(name: $0) },
    path: "Sources/\(folder)", swiftSettings: strict + settings)
}

/// A library of the system, in Sources/`folder`: a module map and a header that includes the library's.
func systemLibrary(_ folder: String, package: String, apt: String) -> Target {
  .systemLibrary(
    name: folder, path: "Sources/\(folder)", pkgConfig: package, providers: [.apt([apt])])
}

/// A program that measures, in Benchmarks/`folder`.
func benchmark(
  _ folder: String, name: String, needs: [String], linking: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: needs.map { .byName(name: $0) }, path: "Benchmarks/\(folder)",
    exclude: folder == "Imaging" ? ["side_by_side.py"] : [], swiftSettings: strict,
    linkerSettings: linking)
}

/// The tests of one target, in Tests/`folder`Tests.
func tests(_ folder: String, needs: [String]) -> Target {
  .testTarget(
    name: "\(folder)Tests", dependencies: needs.map { .byName(name: $0) },
    path: "Tests/\(folder)Tests", swiftSettings: strict)
}

/// One instruction set is one target: its folder holds ISA.swift and a symlink to
/// Kernels/Shared, so that every instruction set compiles the same source.
struct InstructionSet {
  var name: String
  var clangFlags: [String] = []
  var defines: [String] = []

  var target: Target {
    .target(
      name: "OcellusKernels\(name)", dependencies: ["OcellusKernelABI"],
      path: "Sources/Kernels/\(name)",
      swiftSettings: strict + defines.map { .define($0) } + [
        // For `llvm.prefetch`.
        .enableExperimentalFeature("BuiltinModule"),
        // -Ounchecked in debug builds too, so that tests exercise the real kernels;
        // -disable-cmo because a kernel inlined into its caller loses its instruction set.
        .unsafeFlags(clangFlags.flatMap { ["-Xcc", $0] } + ["-Ounchecked", "-disable-cmo"]),
      ])
  }
}

/// What every 64-bit Arm processor can do.
let arm = ["FMA", "HIGH_PRODUCTS", "LANE_PRODUCTS", "LONG_TABLES"]

/// What there is for the processors that are built for; ISA.swift says what each of them needs.
let allInstructionSets: [InstructionSet] =
  switch architecture {
  case "x86_64":
    [
      InstructionSet(name: "Baseline", clangFlags: ["-march=x86-64-v2"]),
      InstructionSet(
        name: "AVX2", clangFlags: ["-march=x86-64-v3"],
        defines: [
          "FMA", "MASKED_LOADS", "DIRECT_WINDOWS", "RECIPROCAL_ESTIMATES", "SHORT_VECTORS",
          "WINOGRAD",
        ]),
      InstructionSet(
        name: "AVX512", clangFlags: ["-march=x86-64-v4", "-mavx512vnni"],
        defines: [
          "FMA", "BYTE_DOTS", "MASKS", "TRANSPOSED_OPERANDS", "ROOT_ESTIMATES", "SHORT_VECTORS",
          "WINDOW_QUADS",
        ]),
      // No instruction set of its own, but a few kernels that take the place of AVX-512's.
      InstructionSet(name: "AVX512VBMI", clangFlags: ["-march=x86-64-v4", "-mavx512vbmi"]),
    ]
  case "arm64":
    [
      InstructionSet(name: "Baseline", defines: ["FMA"]),
      InstructionSet(
        name: "NEON", clangFlags: ["-march=armv8-a"], defines: arm + ["PLANAR_PAIRS"]),
      InstructionSet(
        name: "DotProd", clangFlags: ["-march=armv8-a+dotprod"], defines: arm + ["BYTE_DOTS"]),
      InstructionSet(
        name: "I8MM", clangFlags: ["-march=armv8-a+dotprod+i8mm"],
        defines: arm + ["BYTE_DOTS", "BLOCK_PRODUCTS"]),
    ]
  default: [InstructionSet(name: "Baseline", defines: ["FMA"])]
  }

/// Those to build: all, or what the environment names as `OCELLUS_ISA` does, with commas, besides the one that
/// runs everywhere: each of them takes minutes.
let instructionSets: [InstructionSet] = {
  guard let names = Context.environment["OCELLUS_INSTRUCTION_SETS"] else {
    return allInstructionSets
  }
  let prefixes = (names.uppercased() + ",BASELINE").split(separator: ",")
  for prefix in prefixes
  where !allInstructionSets.contains(where: { $0.name.uppercased().hasPrefix(prefix) }) {
    let known = allInstructionSets.map { $0.name.lowercased() }.joined(separator: ", ")
    fatalError("OCELLUS_INSTRUCTION_SETS: no \(prefix.lowercased()) here (known: \(known))")
  }
  return allInstructionSets.filter { set in
    prefixes.contains { set.name.uppercased().hasPrefix($0) }
  }
}()

/// Dispatch knows what is built, as `BUILDS_AVX2`, and asks an x86 processor which registers are switched on,
/// with an instruction of its own.
let dispatchSettings: [SwiftSetting] =
  instructionSets.map { .define("BUILDS_\($0.name.uppercased())") }
  + (architecture == "x86_64" ? [.unsafeFlags(["-Xcc", "-mxsave"])] : [])

/// A module by a name of other systems, in Sources/Compatibility/Modules: it exports what it is known for, name by
/// name, so that these win over the same names of `import Ocellus` in a file that has both.
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
  "FirebaseMLModelInterpreter", "FirebaseMLVision",
]
let compatibilityModules = [
  module("TensorFlowLite", exports: ["OcellusTensorFlowLite"]),
  module("MLImage", exports: ["OcellusCompatibility", "OcellusImaging", "OcellusMLKit"]),
  module("MLKitCommon", exports: ["OcellusCompatibility"]),
  module("MLKitLinkFirebase", exports: ["MLKitCommon", "OcellusCompatibility"]),
  module("MLKitVision", exports: ["MLImage", "OcellusCompatibility", "OcellusImaging"]),
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
      "FirebaseMLCommon", "OcellusCompatibility", "OcellusFirebase", "OcellusImaging",
      "OcellusVision",
    ]),
  module("Firebase", exports: ["FirebaseMLModelInterpreter", "FirebaseMLVision"]),
]

let package = Package(
  name: "ocellus",
  products: [
    .library(name: "Ocellus", targets: ["Ocellus"]),
    .library(name: "OcellusEngine", targets: ["OcellusEngine"]),
    .library(name: "OcellusImaging", targets: ["OcellusImaging"]),
    .library(name: "OcellusVision", targets: ["OcellusVision"]),
    .library(name: "OcellusAudit", targets: ["OcellusAudit"]),
    .library(name: "OcellusProfile", targets: ["OcellusProfile"]),
    .library(name: "OcellusModelFile", targets: ["OcellusModelFile"]),
    .library(name: "OcellusStore", targets: ["OcellusStore"]),
    .library(name: "OcellusStoreNetwork", targets: ["OcellusStoreNetwork"]),
    .library(name: "TensorFlowLite", targets: ["TensorFlowLite"]),
    .library(name: "MLKit", targets: mlKitModules),
    .library(name: "Firebase", targets: firebaseModules),
    .library(name: "FirebaseMLVision", targets: ["FirebaseMLVision"]),
    .library(name: "OcellusC", type: .dynamic, targets: ["OcellusC"]),
    .library(name: "OcellusVisionC", type: .dynamic, targets: ["OcellusVisionC"]),
    // Both in one file, which holds the runtime once, for the wheel of the Python package.
    .library(name: "OcellusPython", type: .dynamic, targets: ["OcellusC", "OcellusVisionC"]),
    .executable(name: "ocellus", targets: ["OcellusProgram"]),
  ],
  targets: [
    library("Platform"),
    library("JSON", needs: ["OcellusPlatform"]),
    library("ModelFile", needs: ["OcellusPlatform"]),
    library("KernelABI"),
    library(
      "KernelDispatch",
      needs: ["OcellusKernelABI", "OcellusPlatform"]
        + instructionSets.map { "OcellusKernels\($0.name)" },
      settings: dispatchSettings + testable),
    library(
      "Engine",
      needs: ["OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform"],
      settings: engineSettings),
    systemLibrary("CPNG", package: "libpng", apt: "libpng-dev"),
    systemLibrary("CTurboJPEG", package: "libturbojpeg", apt: "libturbojpeg0-dev"),
    library("Arrays", needs: ["OcellusPlatform"]),
    library(
      "Imaging",
      needs: [
        "CPNG", "CTurboJPEG", "OcellusArrays", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusPlatform",
      ]),
    .executableTarget(
      name: "embed-models", dependencies: ["OcellusPlatform"], path: "Sources/EmbeddedModels/Tool",
      swiftSettings: strict),
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
        "OcellusModelFile", "OcellusPlatform",
      ]),
    library(
      "Audit",
      needs: [
        "OcellusArrays", "OcellusEngine", "OcellusJSON", "OcellusKernelABI",
        "OcellusKernelDispatch", "OcellusModelFile", "OcellusPages", "OcellusPlatform",
      ],
      settings: engineSettings),
    library("Pages", needs: ["OcellusJSON"]),
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
    library(
      "Compatibility/Shared", name: "OcellusCompatibility",
      needs: ["OcellusImaging", "OcellusPlatform", "OcellusStore", "OcellusVision"]),
    library(
      "Compatibility/MLKit", needs: ["OcellusCompatibility", "OcellusImaging", "OcellusVision"]),
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
      path: "Sources/OcellusC", exclude: ["include", "exports.map"],
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
        "OcellusProfile",
        "OcellusStore",
        "OcellusVision",
      ],
      settings: testable),
    .executableTarget(
      // Not "ocellus": a file system that ignores case would take it for the library's module.
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
      // The models that the programs of Tests/CAPI run.
      name: "c-api-models", dependencies: ["OcellusModelFile", "OcellusTestSupport"],
      path: "Tests/CAPI/Models", swiftSettings: strict),
    .executableTarget(
      // What budgets promise, with one-operator models that are as large as memory admits.
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
      ]),
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
        "OcellusProfile",
        "OcellusStore",
        "OcellusTestSupport", "OcellusVision",
      ]),
    tests(
      "Audit",
      needs: [
        "OcellusAudit", "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile",
        "OcellusPlatform", "OcellusTestSupport",
      ]),
    tests(
      "Profile",
      needs: [
        "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
        "OcellusModelFile", "OcellusPlatform", "OcellusProfile", "OcellusTestSupport",
      ]),
    tests(
      "Imaging",
      needs: ["OcellusArrays", "OcellusImaging", "OcellusPlatform", "OcellusTestSupport"]),
    tests(
      "Vision",
      needs: [
        "OcellusVision", "OcellusImaging", "OcellusEngine", "OcellusJSON", "OcellusModelFile",
        "OcellusTestSupport",
      ]),
    tests(
      "TensorFlowLite", needs: ["TensorFlowLite", "FirebaseMLVision", "OcellusTestSupport"]),
    tests(
      "MLKit", needs: ["MLKit", "OcellusCompatibility", "OcellusImaging", "OcellusTestSupport"]),
    tests(
      "Firebase",
      needs: [
        "Firebase", "FirebaseMLModelDownloader", "OcellusCompatibility", "OcellusImaging",
        "OcellusStore", "OcellusTestSupport",
      ]),
    // The guides' own code, with the warnings that it has, as it was compiled in its time.
    .testTarget(
      name: "GuidesTests",
      dependencies: [
        "Firebase", "MLKit", "Ocellus", "OcellusImaging", "OcellusModelFile", "OcellusPlatform",
        "OcellusStore", "OcellusTestSupport", "OcellusVision", "TensorFlowLite",
      ],
      path: "Tests/GuidesTests",
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
    tests(
      "Store",
      needs: [
        "OcellusEngine", "OcellusModelFile", "OcellusPlatform", "OcellusStore",
        "OcellusStoreNetwork", "OcellusTestSupport",
      ]),
    tests("Tidy", needs: []),
  ] + instructionSets.map(\.target) + compatibilityModules,
  swiftLanguageModes: [.v6])

/// Builds of some tests alone, such as those that sanitizers watch: the targets of tests that the environment names, with
/// commas, and what they need.
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

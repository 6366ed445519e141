import Foundation
import Testing

/// The names of the C library on all platforms; only `OcellusPlatform` imports it.
private let cLibraries: Set<String> = ["Glibc", "Musl", "Android", "Darwin"]

/// The allowed imports of each module, as Sources/Engine/Engine.docc/Architecture.md describes.
private let allowedImports: [String: Set<String>] = [
  "HashInstructions": ["_Builtin_intrinsics.arm.neon", "_Builtin_intrinsics.intel"],
  "Platform": cLibraries.union([
    "OcellusHashInstructions", "_Builtin_intrinsics.intel", "_Builtin_intrinsics.intel.cpuid",
  ]),
  "ModelFile": ["OcellusPlatform", "Synchronization"],
  "KernelABI": [],
  "Kernels": [
    "Builtin", "CMatrixTiles", "OcellusKernelABI", "_Builtin_intrinsics.arm.neon",
    "_Builtin_intrinsics.intel",
  ],
  "KernelDispatch": ["OcellusKernelABI", "OcellusPlatform"],
  // Linked by what computes, and imported by nothing.
  "KernelTables": [
    "OcellusKernelABI", "OcellusKernelDispatch", "OcellusKernelsAMX", "OcellusKernelsAVX2",
    "OcellusKernelsAVX512", "OcellusKernelsAVX512VBMI", "OcellusKernelsAVXVNNI",
    "OcellusKernelsBaseline", "OcellusKernelsDotProd", "OcellusKernelsI8MM", "OcellusKernelsNEON",
    "OcellusPlatform",
  ],
  "Engine": [
    "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform",
    "Synchronization",
  ],
  "CMatrixTiles": [],
  "CMicrohttpd": [],
  "CPNG": [],
  "CTurboJPEG": [],
  "JSON": ["OcellusPlatform"],
  "Arrays": ["OcellusPlatform"],
  "Imaging": [
    "CPNG", "CTurboJPEG", "OcellusArrays", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusPlatform",
    "Synchronization",
  ],
  // The tool that writes the models as Swift source is built before all modules of the package.
  "EmbeddedModels": ["FoundationEssentials", "OcellusPlatform", "PackagePlugin"],
  "Vision": [
    "OcellusEmbeddedModels", "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile",
    "OcellusPlatform", "OcellusStore",
    "Synchronization",
  ],
  "Audit": [
    "OcellusArrays", "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusModelFile", "OcellusPages", "OcellusPlatform", "OcellusProfile",
  ],
  "Proof": [
    "OcellusAudit", "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusModelFile", "OcellusPlatform",
  ],
  "Pages": ["OcellusJSON", "OcellusPlatform"],
  "Profile": [
    "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPages",
    "OcellusPlatform",
  ],
  "Store": ["OcellusEngine", "OcellusJSON", "OcellusPlatform", "Synchronization"],
  // The only folder that needs Foundation's networking; programs without it do not link it.
  "StoreNetwork": ["OcellusStore", "Foundation", "FoundationNetworking"],
  "Umbrella": ["OcellusEngine", "OcellusImaging", "OcellusVision"],
  "Compatibility/TensorFlowLite": ["OcellusEngine", "OcellusModelFile", "Foundation"],
  "Compatibility/Graphics": [
    "OcellusImaging", "OcellusPlatform", "Foundation", "Synchronization",
  ],
  "Compatibility/Shared": [
    "OcellusGraphics", "OcellusImaging", "OcellusPlatform", "OcellusStore", "OcellusVision",
    "Foundation",
    "Synchronization",
  ],
  "Compatibility/MLKit": [
    "OcellusCompatibility", "OcellusGraphics", "OcellusImaging", "OcellusVision", "Foundation",
  ],
  "Compatibility/Firebase": [
    "OcellusCompatibility", "OcellusEngine", "OcellusImaging", "OcellusStore", "OcellusVision",
    "Foundation", "Synchronization",
  ],
  "Compatibility/ModelDownloader": [
    "OcellusCompatibility", "OcellusFirebase", "OcellusPlatform", "OcellusStore", "Foundation",
  ],
  // Modules with the names of other systems' modules, which only re-export.
  "Compatibility/Modules": [
    "OcellusCompatibility", "OcellusFirebase", "OcellusGraphics", "OcellusImaging", "OcellusMLKit",
    "OcellusTensorFlowLite", "OcellusVision", "Foundation", "FirebaseCore", "FirebaseMLCommon",
    "FirebaseMLModelInterpreter", "FirebaseMLVision", "MLImage", "MLKitCommon",
    "MLKitImageLabeling", "MLKitImageLabelingAutoML", "MLKitImageLabelingCommon",
    "MLKitImageLabelingCustom", "MLKitLinkFirebase", "MLKitObjectDetection",
    "MLKitObjectDetectionCommon", "MLKitObjectDetectionCustom", "MLKitVision",
  ],
  "Handles": [],
  "OcellusC": [
    "CTensorFlowLite", "OcellusAudit", "OcellusEngine", "OcellusHandles", "OcellusJSON",
    "OcellusModelFile", "OcellusPlatform", "OcellusProfile", "Synchronization",
  ],
  "OcellusVisionC": [
    "CTensorFlowLite", "OcellusHandles", "OcellusImaging", "OcellusJSON", "OcellusPlatform",
    "OcellusVision", "Synchronization",
  ],
  // Contains no Swift.
  "Python": [],
  "Commands": [
    "OcellusEngine", "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusArrays", "OcellusAudit", "OcellusImaging", "OcellusJSON", "OcellusProfile",
    "OcellusProof", "OcellusVision",
    "OcellusPlatform", "OcellusStore", "Synchronization",
  ],
  "Server": [
    "CMicrohttpd", "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile",
    "OcellusPlatform", "OcellusVision", "Synchronization",
  ],
  "ocellus": ["OcellusCommands"],
  "ocellus-serve": ["OcellusCommands", "OcellusJSON", "OcellusPlatform", "OcellusServer"],
]

@Suite struct ImportTests {
  @Test(arguments: allowedImports.keys.sorted())
  func importsAreAllowed(folder: String) throws {
    let allowed = try #require(allowedImports[folder])
    for file in try Repository.swiftFiles(in: "Sources/\(folder)") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let module = importedModule(line) else { continue }
        #expect(allowed.contains(module), "\(file.lastPathComponent) imports \(module)")
      }
    }
  }

  @Test(arguments: ["Tests", "Benchmarks"])
  func cLibraryHasOneName(folder: String) throws {
    for file in try Repository.swiftFiles(in: folder) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let module = importedModule(line) else { continue }
        #expect(!cLibraries.contains(module), "\(file.lastPathComponent) imports \(module)")
      }
    }
  }

  private func importedModule(_ line: Substring) -> String? {
    // Most lines are not searched, because the expression takes long.
    guard line.contains("import ") else { return nil }
    let pattern =
      /^\s*(?:@\w+ )?(?:public |package |internal )?import (class |enum |protocol |struct |typealias )?(\S+)/
    return line.firstMatch(of: pattern).map { match in
      // For `import class Module.Name` the module counts.
      String(match.1 == nil ? match.2 : match.2.prefix { $0 != "." })
    }
  }

  @Test func everySourceFolderIsInTheTable() throws {
    let folders = try Repository.folders(in: "Sources").flatMap { folder in
      folder == "Compatibility"
        ? try Repository.folders(in: "Sources/Compatibility").map { "Compatibility/\($0)" }
        : [folder]
    }
    #expect(folders.sorted() == allowedImports.keys.sorted())
  }
}

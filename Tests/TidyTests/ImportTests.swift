import Foundation
import Testing

/// What the C library is called on the platforms that there are; `OcellusPlatform` stands for them.
private let cLibraries: Set<String> = ["Glibc", "Musl", "Android", "Darwin"]

/// Who may import whom: the whole architecture in one table (ARCHITECTURE.md, section 2).
private let allowedImports: [String: Set<String>] = [
  "Platform": cLibraries,
  "ModelFile": ["OcellusPlatform", "Synchronization"],
  "KernelABI": [],
  "Kernels": ["OcellusKernelABI", "_Builtin_intrinsics.arm.neon", "_Builtin_intrinsics.intel"],
  "KernelDispatch": [
    "OcellusKernelABI", "OcellusKernelsBaseline", "OcellusKernelsAVX2", "OcellusKernelsAVX512",
    "OcellusKernelsDotProd", "OcellusKernelsI8MM", "OcellusKernelsNEON",
    "_Builtin_intrinsics.intel", "_Builtin_intrinsics.intel.cpuid", "OcellusPlatform",
  ],
  "Engine": [
    "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform",
    "Synchronization",
  ],
  "CPNG": [],
  "CTurboJPEG": [],
  "JSON": ["OcellusPlatform"],
  "Imaging": [
    "CPNG", "CTurboJPEG", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPlatform",
    "Synchronization",
  ],
  "Vision": [
    "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile", "OcellusPlatform",
    "Synchronization",
  ],
  "Audit": [
    "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusModelFile", "OcellusPages", "OcellusPlatform", "OcellusVision",
  ],
  "Pages": ["OcellusJSON"],
  "Profile": [
    "OcellusEngine", "OcellusJSON", "OcellusKernelABI", "OcellusKernelDispatch", "OcellusPages",
    "OcellusPlatform",
  ],
  "Store": ["OcellusEngine", "OcellusJSON", "OcellusPlatform", "Synchronization"],
  // The one folder that needs the network's part of Foundation: programs without it carry none.
  "StoreNetwork": ["OcellusStore", "Foundation", "FoundationNetworking"],
  "Umbrella": ["OcellusEngine", "OcellusImaging", "OcellusVision"],
  "Compatibility/TensorFlowLite": ["OcellusEngine", "OcellusModelFile", "Foundation"],
  "Compatibility/Shared": [
    "OcellusImaging", "OcellusPlatform", "OcellusStore", "OcellusVision", "Foundation",
    "Synchronization",
  ],
  "Compatibility/MLKit": [
    "OcellusCompatibility", "OcellusImaging", "OcellusStore", "OcellusVision", "Foundation",
  ],
  "Compatibility/FirebaseMLVision": [
    "OcellusCompatibility", "OcellusImaging", "OcellusStore", "OcellusVision", "Foundation",
    "Synchronization",
  ],
  "Handles": [],
  "OcellusC": [
    "CTensorFlowLite", "OcellusEngine", "OcellusHandles", "OcellusModelFile", "OcellusPlatform",
    "Synchronization",
  ],
  "OcellusVisionC": [
    "CTensorFlowLite", "OcellusHandles", "OcellusImaging", "OcellusVision", "Synchronization",
  ],
  "Commands": [
    "OcellusEngine", "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusAudit", "OcellusImaging", "OcellusJSON", "OcellusProfile", "OcellusVision",
    "OcellusPlatform", "OcellusStore", "Synchronization",
  ],
  "ocellus": ["OcellusCommands"],
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
    line.firstMatch(of: /^\s*(?:@\w+ )?(?:public |package |internal )?import (\S+)/).map {
      String($0.1)
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

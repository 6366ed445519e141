import Foundation
import Testing

/// Who may import whom: the whole architecture in one table (ARCHITECTURE.md, section 2).
private let allowedImports: [String: Set<String>] = [
  "ModelFile": ["Glibc", "Synchronization"],
  "KernelABI": [],
  "Kernels": ["OcellusKernelABI", "_Builtin_intrinsics.intel"],
  "KernelDispatch": [
    "OcellusKernelABI", "OcellusKernelsBaseline", "OcellusKernelsAVX2", "OcellusKernelsAVX512",
    "_Builtin_intrinsics.intel", "_Builtin_intrinsics.intel.cpuid", "Glibc",
  ],
  "Engine": [
    "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch", "Glibc", "Synchronization",
  ],
  "CPNG": [],
  "CTurboJPEG": [],
  "JSON": [],
  "Imaging": [
    "CPNG", "CTurboJPEG", "OcellusKernelABI", "OcellusKernelDispatch", "Glibc", "Synchronization",
  ],
  "Vision": [
    "OcellusEngine", "OcellusImaging", "OcellusJSON", "OcellusModelFile", "Glibc",
    "Synchronization",
  ],
  "Umbrella": ["OcellusEngine", "OcellusImaging", "OcellusVision"],
  "Compatibility/TensorFlowLite": ["OcellusEngine", "OcellusModelFile", "Foundation"],
  "Compatibility/Shared": ["OcellusImaging", "OcellusVision", "Foundation", "Synchronization"],
  "Compatibility/MLKit": [
    "OcellusCompatibility", "OcellusImaging", "OcellusVision", "Foundation",
  ],
  "Compatibility/FirebaseMLVision": [
    "OcellusCompatibility", "OcellusImaging", "OcellusVision", "Foundation", "Synchronization",
  ],
  "Commands": [
    "OcellusEngine", "OcellusModelFile", "OcellusKernelABI", "OcellusKernelDispatch",
    "OcellusImaging", "OcellusJSON", "OcellusVision", "Glibc", "Synchronization",
  ],
  "ocellus": ["OcellusCommands"],
]

@Suite struct ImportTests {
  @Test(arguments: allowedImports.keys.sorted())
  func importsAreAllowed(folder: String) throws {
    let allowed = try #require(allowedImports[folder])
    for file in try Repository.swiftFiles(in: "Sources/\(folder)") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard
          let module = line.firstMatch(
            of: /^(?:@\w+ )?(?:public |package |internal )?import (\S+)/)?.1
        else { continue }
        #expect(
          allowed.contains(String(module)), "\(file.lastPathComponent) imports \(module)")
      }
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

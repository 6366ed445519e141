import Foundation
import Testing

/// No code of one instruction set may answer to a name that another one uses too.
///
/// A generic function of the standard library which the optimiser did not inline becomes a weak
/// symbol, with the same name in every module. The linker keeps one of them, and an old processor
/// may meet AVX-512. Seen in release builds, where functions are merged and outlined most.
@Suite struct KernelSymbolTests {
  static let objects: [URL] = {
    let build = Repository.root.appending(path: ".build/release").resolvingSymlinksInPath()
    let files = FileManager.default.enumerator(at: build, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "o"
        && $0.deletingLastPathComponent().lastPathComponent.hasPrefix("OcellusKernels")
    }
  }()

  @Test(.enabled(if: !objects.isEmpty, "there is no release build"), arguments: objects)
  func weakFunctionsBelongToTheirModule(object: URL) throws {
    let module = object.deletingLastPathComponent().deletingPathExtension().lastPathComponent
    let symbols = try Repository.output(of: "nm", [object.path]).split(separator: "\n")
    let shared = symbols.filter { $0.contains(" W ") && !$0.contains(module) }
    #expect(shared.isEmpty, "\(object.lastPathComponent): \(shared)")
  }
}

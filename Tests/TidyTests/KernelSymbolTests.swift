import Foundation
import Testing

/// Object files for different instruction sets define no symbol of the same name.
///
/// A generic function of the standard library that was not inlined becomes a weak symbol with the
/// same name in every module. The linker keeps one copy, and an old processor may run AVX-512 code.
/// Release builds show this best, because they merge and outline most functions.
@Suite struct KernelSymbolTests {
  /// The folders of the modules' object files.
  static let modules: [URL] = {
    let build = Repository.root.appending(path: ".build/release").resolvingSymlinksInPath()
    let folders = try? FileManager.default.contentsOfDirectory(
      at: build, includingPropertiesForKeys: nil)
    return (folders ?? []).filter {
      let name = $0.deletingPathExtension().lastPathComponent
      return $0.pathExtension == "build"
        && (name.hasPrefix("OcellusKernels") || name == "OcellusHashInstructions")
    }
  }()

  @Test(.enabled(if: !modules.isEmpty, "there is no release build"), arguments: modules)
  func weakFunctionsBelongToTheirModule(module: URL) throws {
    let objects = try FileManager.default.contentsOfDirectory(
      at: module, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "o" }
    let lines = try Repository.output(of: "nm", objects.map(\.path)).split(separator: "\n")
    let weak = lines.filter { $0.contains(" W ") }
    // In extensions of the interface's types, the mangled name repeats the first word by a digit.
    let name = module.deletingPathExtension().lastPathComponent.dropFirst("Ocellus".count)
    #expect(lines.contains { $0.contains(" T ") && $0.contains(name) }, "nm shows no symbols")
    #expect(weak.filter { !$0.contains(name) }.isEmpty)
  }
}

import Foundation
import Testing

/// Object files for different instruction sets define no symbol of the same name.
///
/// A generic function of the standard library that was not inlined becomes a weak symbol with the
/// same name in every module. The linker keeps one copy, and an old processor may run AVX-512 code.
/// Release builds show this best, because they merge and outline most functions.
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
    // In extensions of the interface's types, the mangled name repeats the first word by a digit.
    let name = module.dropFirst("Ocellus".count)
    let shared = symbols.filter { $0.contains(" W ") && !$0.contains(name) }
    #expect(shared.isEmpty, "\(object.lastPathComponent): \(shared)")
  }
}

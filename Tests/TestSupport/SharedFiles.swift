package import Foundation

/// Models and expected results that are too large for the repository, or belong to others.
///
/// They are in `../shared` beside the package; without them, tests that need them are skipped.
package enum SharedFiles {
  package static let missing = "no ../shared beside the package"

  package static let folder = PackageFiles.folder.deletingLastPathComponent()
    .appending(path: "shared")

  package static var arePresent: Bool {
    FileManager.default.fileExists(atPath: folder.path)
  }

  /// Returns the paths of those of the named models that the zoo contains.
  package static func models(_ names: [String]) -> [String] {
    names.map { folder.appending(path: "zoo/models/\($0).tflite").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the sorted paths of the files in a folder of `../shared` and its subfolders.
  package static func paths(in subfolder: String, withExtension fileExtension: String) -> [String] {
    let root = folder.appending(path: subfolder)
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".\(fileExtension)") }.sorted()
      .map { root.appending(path: $0).path }
  }
}

package import Foundation

/// Models and expected results that are too large, or not ours, to be kept in the repository.
///
/// They lie beside the package, in `../shared`. Tests that need them are skipped without them.
package enum SharedFiles {
  package static let missing = "no ../shared beside the package"

  package static let folder = PackageFiles.folder.deletingLastPathComponent()
    .appending(path: "shared")

  package static var arePresent: Bool {
    FileManager.default.fileExists(atPath: folder.path)
  }

  /// The paths of those models of the zoo that are there, by their names.
  package static func models(_ names: [String]) -> [String] {
    names.map { folder.appending(path: "zoo/models/\($0).tflite").path }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// The paths of the files in a folder of `../shared`, subfolders included, sorted.
  package static func paths(in subfolder: String, withExtension fileExtension: String) -> [String] {
    let root = folder.appending(path: subfolder)
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".\(fileExtension)") }.sorted()
      .map { root.appending(path: $0).path }
  }
}

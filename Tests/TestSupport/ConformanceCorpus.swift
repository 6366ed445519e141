import Foundation
package import OcellusModelFile

/// The models of one operator with the results of the official runtime that come with the package.
package struct ConformanceCorpus {
  /// Where it is.
  package static let path = PackageFiles.path("Tests/Conformance/cases.tar.gz")

  /// Its files, such as `ADD/err_types.json`.
  package let archive: TarArchive

  package init() throws {
    archive = try TarArchive(path: Self.path)
  }

  /// The names of the files of one kind, such as `tflite`; of one operator or of all.
  package func names(of fileExtension: String, in group: String? = nil) -> [String] {
    archive.names.filter { name in
      name.hasSuffix(".\(fileExtension)") && group.map { name.hasPrefix("\($0)/") } != false
    }
  }

  package func contents(of name: String) throws -> [UInt8] {
    guard let contents = archive.contents(of: name) else { throw CocoaError(.fileNoSuchFile) }
    return contents
  }

  /// Writes one of its files into a folder, and says where.
  package func unpack(_ name: String, into folder: TemporaryDirectory) throws -> String {
    let path = "\(folder.path)/\(name.split(separator: "/").last ?? "")"
    try Data(contents(of: name)).write(to: URL(filePath: path))
    return path
  }
}

import Foundation
package import OcellusModelFile

/// The package's one-operator models with the results of the official runtime.
package struct ConformanceCorpus {
  /// The path of the corpus.
  package static let path = PackageFiles.path("Tests/Conformance/cases.tar.gz")
  /// The cases of what LiteRT computes by default on a processor with AVX2.
  package static let pathOfLiteRT = PackageFiles.path("Tests/Conformance/litert.tar.gz")
  /// The cases of what it computes otherwise with AVX-512.
  package static let pathOfLiteRTWithAVX512 = PackageFiles.path(
    "Tests/Conformance/litert-avx512.tar.gz")
  /// The cases of what it computes otherwise on 64-bit Arm.
  package static let pathOfLiteRTOnArm = PackageFiles.path("Tests/Conformance/litert-neon.tar.gz")

  /// The files of the corpus, such as `ADD/err_types.json`.
  package let archive: TarArchive

  package init() throws {
    archive = try TarArchive(path: Self.path)
  }

  /// Returns the names of files with an extension, such as `tflite`, of one operator or of all.
  package func names(of fileExtension: String, in group: String? = nil) -> [String] {
    archive.names.filter { name in
      name.hasSuffix(".\(fileExtension)") && group.map { name.hasPrefix("\($0)/") } != false
    }
  }

  package func contents(of name: String) throws -> [UInt8] {
    guard let contents = archive.contents(of: name) else { throw CocoaError(.fileNoSuchFile) }
    return contents
  }

  /// Writes a file of the corpus into a folder and returns its path.
  package func unpack(_ name: String, into folder: TemporaryDirectory) throws -> String {
    let path = "\(folder.path)/\(name.split(separator: "/").last ?? "")"
    try Data(contents(of: name)).write(to: URL(filePath: path))
    return path
  }
}

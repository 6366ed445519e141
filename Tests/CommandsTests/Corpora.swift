import Foundation

/// The test data beside the package, which may be missing.
enum Corpora {
  /// The directory `shared` beside the package.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared").path

  static var areHere: Bool { FileManager.default.fileExists(atPath: root + "/conformance/cases") }

  /// The .json files of all conformance cases and golden results.
  static func cases() throws -> [String] {
    try ["/conformance/cases", "/zoo/golden"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root + folder)
        .filter { $0.hasSuffix(".json") }.map { root + folder + "/" + $0 }
    }
  }
}

package import Foundation

/// Files of the package other than code.
package enum PackageFiles {
  /// The package's folder.
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent()  // TestSupport
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()

  /// Returns the path of a file in the package, such as `Models/catalog.json`.
  package static func path(_ place: String) -> String { folder.appending(path: place).path }

  /// The package's models, for tests on real models: a quantized detector, a float one, and a
  /// labeler.
  package static let models = ["scenes-detector", "scenes-detector-float", "scenes-labeler"].map {
    path("Models/\($0).tflite")
  }
}

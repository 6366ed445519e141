package import Foundation

/// What comes with the package and is no code.
package enum PackageFiles {
  /// The package's folder.
  package static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent()  // TestSupport
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()

  /// Where something in the package is, such as `Models/catalog.json`.
  package static func path(_ place: String) -> String { folder.appending(path: place).path }

  /// The models that others are tried beside: a quantized detector, a float one, and a labeler.
  package static let models = ["scenes-detector", "scenes-detector-float", "scenes-labeler"].map {
    path("Models/\($0).tflite")
  }
}

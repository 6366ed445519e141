import OcellusImaging
import OcellusVision

/// Ocellus' detector, in a file without the imports that would hide its name.
enum VisionNames {
  /// Returns the labels that the package's detector finds, called as an app without the guides
  /// would.
  static func found(in picture: OcellusImaging.Image, above threshold: Float) throws -> [String] {
    try ObjectDetector(options: .init(scoreThreshold: threshold)).detect(in: picture)
      .compactMap { $0.categories.first?.label }
  }
}

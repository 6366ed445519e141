import OcellusImaging
import OcellusVision

/// Our own detector, by its own names, which those of the guides would hide.
enum VisionNames {
  /// The categories of what the package's detector finds, as an app without the guides would ask.
  static func found(in picture: OcellusImaging.Image, above threshold: Float) throws -> [String] {
    try ObjectDetector(options: .init(scoreThreshold: threshold)).detect(in: picture)
      .compactMap { $0.categories.first?.label }
  }
}

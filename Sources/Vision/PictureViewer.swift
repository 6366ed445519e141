package import OcellusImaging

/// A type that applies a model to pictures, whatever the model's task is.
package protocol PictureViewer: Sendable {
  /// The decisions about how the model is used, each with its source.
  var explanation: Explanation { get }
  /// The conversion of pictures to the model's input.
  var input: PictureInput { get }
  /// Returns the model's input tensor for a picture, or for a region of it.
  func inputTensor(for image: Image, region: BoundingBox?) throws(VisionError) -> [UInt8]
}

extension ObjectDetector: PictureViewer {}

extension ObjectRecognizer: PictureViewer {
  package var explanation: Explanation { detector.explanation }

  package var input: PictureInput { detector.input }

  package func inputTensor(
    for image: Image, region: BoundingBox?
  ) throws(VisionError) -> [UInt8] {
    try detector.inputTensor(for: image, region: region)
  }
}

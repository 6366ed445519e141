package import OcellusImaging

/// What looks at pictures with a model, whatever it sees in them.
package protocol PictureViewer: Sendable {
  /// What was found out about the model, and from what.
  var explanation: Explanation { get }
  /// How the model is shown a picture.
  var input: PictureInput { get }
  /// The tensor that the model is shown for a picture or a region of it.
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

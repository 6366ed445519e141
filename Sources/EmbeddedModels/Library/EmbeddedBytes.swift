import OcellusPlatform

/// The files of the models that the package brings along, inside of every program that uses them: there is
/// nothing to be installed, found, or forgotten in a container.
///
/// `EmbeddedText` is written by `Tool` while the package is built. It is text because that compiles at once;
/// as an array of numbers, or as a resource in code, half a million bytes take minutes.
package enum EmbeddedBytes {
  /// `Models/scenes-detector.tflite`.
  package static var detector: [UInt8] { bytes(of: EmbeddedText.detector) }
  /// `Models/scenes-labeler/model.tflite`.
  package static var labeler: [UInt8] { bytes(of: EmbeddedText.labeler) }

  private static func bytes(of text: StaticString) -> [UInt8] {
    guard let bytes = text.withUTF8Buffer(Base64.bytes(of:)) else {
      preconditionFailure("the text was written by the same code that reads it")
    }
    return bytes
  }
}

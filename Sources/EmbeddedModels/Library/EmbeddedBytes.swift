import OcellusPlatform

/// The files of the models that the package embeds in every program that uses them.
///
/// Nothing therefore needs to be installed or found, even in a container. `Tool` writes
/// `EmbeddedText` while the package is built. It is base64 text because that compiles at once; as
/// an array of numbers, or as an embedded resource, half a million bytes would take minutes.
package enum EmbeddedBytes {
  /// The contents of `Models/scenes-detector.tflite`.
  package static var detector: [UInt8] { bytes(of: EmbeddedText.detector) }
  /// The contents of `Models/scenes-labeler/model.tflite`.
  package static var labeler: [UInt8] { bytes(of: EmbeddedText.labeler) }

  private static func bytes(of text: StaticString) -> [UInt8] {
    guard let bytes = text.withUTF8Buffer(Base64.bytes(of:)) else {
      preconditionFailure("the text was written by the tool, as base64")
    }
    return bytes
  }
}

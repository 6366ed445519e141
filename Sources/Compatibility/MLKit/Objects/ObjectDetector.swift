public import Foundation
public import OcellusCompatibility
import OcellusVision

/// A detector that finds objects in pictures, tracks them in streams, and labels them.
///
/// The models are loaded with the first picture, which fails if they cannot be loaded. A detector
/// can be used on any thread; it processes the pictures one by one, in the order of the calls. In a
/// stream, the times of sample buffers must not decrease. A picture without a time gets the time at
/// which it is processed or, after pictures with times, that of the one before it. Use a separate
/// detector for each stream.
public final class ObjectDetector: NSObject, Sendable {
  private let pictures: PictureQueue<Object>

  private init(_ options: ObjectRecognition.Options) {
    let recognition = ObjectRecognition(options)
    pictures = PictureQueue(isStream: options.mode == .stream) { picture throws(ProcessingError) in
      try recognition.findings(in: picture).map(Object.init)
    }
  }

  /// Creates a detector with the default base model.
  public static func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    objectDetector(options: options, detectorModel: nil)
  }

  /// Creates a detector with a custom base model, an addition to the original API.
  ///
  /// Any detection model that `OcellusVision.ObjectDetector` supports is accepted; `nil` selects
  /// the default base model.
  public static func objectDetector(
    options: CommonObjectDetectorOptions, detectorModel: LocalModel?
  ) -> ObjectDetector {
    ObjectDetector(options.recognition(with: detectorModel))
  }

  /// The numbers of submitted, processed, dropped and waiting pictures, an addition to the original
  /// API.
  ///
  /// If pictures of a stream arrive while one is processed, a newer picture replaces the waiting
  /// one, whose completion gets `ProcessingError.dropped`.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Detects objects asynchronously; blocks while several single pictures are waiting.
  ///
  /// `completion` is called on the main queue, which the app must run, with the objects or an
  /// error. The array is empty if nothing was found.
  public func process(
    _ image: any MLKitCompatibleImage,
    completion: @escaping @MainActor ([Object]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// Detects objects; the async form of the call, as Swift imports it on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: any MLKitCompatibleImage) async throws
    -> [Object]
  {
    try await pictures.process(image.suppliedPicture)
  }

  /// Detects objects synchronously.
  ///
  /// Unlike the original API, this may be called on the main thread.
  ///
  /// - Throws: `ProcessingError`.
  public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try pictures.answers(to: image.suppliedPicture)
  }
}

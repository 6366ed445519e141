public import Foundation
public import OcellusCompatibility
import OcellusVision

/// A detector that finds objects in pictures, tracks them in streams, and assigns categories.
///
/// The model is loaded with the first picture, which fails if the model cannot be loaded. A
/// detector can be used on any thread; it processes the pictures one by one, in the order of the
/// calls. In a stream, the times of sample buffers must not decrease. A picture without a time gets
/// the time at which it is processed or, after pictures with times, that of the one before it. Use a
/// separate detector for each stream.
public final class VisionObjectDetector: NSObject, Sendable {
  private let pictures: PictureQueue<VisionObject>

  init(_ options: ObjectRecognition.Options) {
    let recognition = ObjectRecognition(options)
    pictures = PictureQueue(isStream: options.mode == .stream) { picture throws(ProcessingError) in
      try recognition.findings(in: picture).map(VisionObject.init)
    }
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
    _ image: VisionImage,
    completion: @escaping @MainActor ([VisionObject]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// Detects objects; the async form of the call, as Swift imports it on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: VisionImage) async throws -> [VisionObject] {
    try await pictures.process(image.suppliedPicture)
  }

  /// Detects objects synchronously.
  ///
  /// Unlike the original API, this may be called on the main thread.
  ///
  /// - Throws: `ProcessingError`.
  public func results(in image: VisionImage) throws -> [VisionObject] {
    try pictures.answers(to: image.suppliedPicture)
  }
}

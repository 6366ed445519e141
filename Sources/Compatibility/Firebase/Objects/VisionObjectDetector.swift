public import Foundation
public import OcellusCompatibility
import OcellusVision

/// Finds objects in pictures, follows them through streams, and says what sort they are of.
///
/// The model is read when the first picture comes; what is wrong with it is the error of that picture.
/// A detector can be used from any thread: pictures are looked at one after the other, in the order
/// in which they are given. In streams the times of sample buffers must not go backwards; single
/// pictures count as taken when they are looked at. For another stream make another detector.
public final class VisionObjectDetector: NSObject, Sendable {
  private let pictures: PictureQueue<VisionObject>

  init(_ options: ObjectRecognition.Options) {
    let recognition = ObjectRecognition(options)
    pictures = PictureQueue(isStream: options.mode == .stream) { picture throws(ProcessingError) in
      try recognition.findings(in: picture).map(VisionObject.init)
    }
  }

  /// What became of the pictures so far, which the original does not tell: those of a stream that come while
  /// one is looked at give way to newer ones, with `ProcessingError.dropped` for their completion.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Looks at a picture; returns at once, unless several single pictures wait already.
  ///
  /// `completion` is called on the main queue, which the program has to run: with objects, none when
  /// nothing was found, or with an error.
  public func process(
    _ image: VisionImage,
    completion: @escaping @MainActor ([VisionObject]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// The objects in a picture, as Swift imports the call with a completion on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: VisionImage) async throws -> [VisionObject] {
    try await pictures.process(image.suppliedPicture)
  }

  /// The objects in a picture.
  ///
  /// The original must not be called on the main thread; this may be.
  /// - Throws: `ProcessingError`.
  public func results(in image: VisionImage) throws -> [VisionObject] {
    try pictures.answers(to: image.suppliedPicture)
  }
}

public import Foundation
public import OcellusCompatibility

/// Says what is in a picture as a whole.
///
/// The model is read when the first picture comes; what is wrong with it is the error of that picture.
/// A labeler can be used from any thread: pictures are looked at one after the other, in the order in
/// which they are given.
public final class VisionImageLabeler: NSObject, Sendable {
  /// Where it works: on this machine.
  public var type: VisionImageLabelerType { .onDevice }

  private let pictures: PictureQueue<VisionImageLabel>

  init(_ labeling: PictureLabeling) {
    pictures = PictureQueue { picture throws(ProcessingError) in
      try labeling.categories(in: picture).map(VisionImageLabel.init)
    }
  }

  /// What became of the pictures so far, which the original does not tell.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Looks at a picture; returns at once, unless several pictures wait already.
  ///
  /// `completion` is called on the main queue, which the program has to run: with labels, none when
  /// none has the confidence, or with an error.
  public func process(
    _ image: VisionImage,
    completion: @escaping @MainActor ([VisionImageLabel]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// The labels of a picture, as Swift imports the call with a completion on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: VisionImage) async throws
    -> [VisionImageLabel]
  {
    try await pictures.process(image.suppliedPicture)
  }
}

public import Foundation
public import OcellusCompatibility

/// A labeler that classifies pictures as a whole.
///
/// The model is loaded with the first picture, which fails if the model cannot be loaded. A labeler
/// can be used on any thread; it processes the pictures one by one, in the order of the calls.
public final class VisionImageLabeler: NSObject, Sendable {
  /// The place where the labeler runs: on this machine.
  public var type: VisionImageLabelerType { .onDevice }

  private let pictures: PictureQueue<VisionImageLabel>

  init(_ labeling: PictureLabeling) {
    pictures = PictureQueue { picture throws(ProcessingError) in
      try labeling.categories(in: picture).map(VisionImageLabel.init)
    }
  }

  /// The numbers of submitted, processed and waiting pictures, an addition to the original API.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Labels a picture asynchronously; blocks while several pictures are waiting.
  ///
  /// `completion` is called on the main queue, which the app must run, with the labels or an error.
  /// The array is empty if no label reaches the confidence threshold.
  public func process(
    _ image: VisionImage,
    completion: @escaping @MainActor ([VisionImageLabel]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// Labels a picture; the async form of the call, as Swift imports it on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: VisionImage) async throws
    -> [VisionImageLabel]
  {
    try await pictures.process(image.suppliedPicture)
  }
}

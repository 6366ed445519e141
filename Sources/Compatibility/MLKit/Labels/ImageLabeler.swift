public import Foundation
public import OcellusCompatibility

/// Says what is in a picture as a whole.
///
/// The model is read when the first picture comes; what is wrong with it is the error of that picture.
/// A labeler can be used from any thread: pictures are looked at one after the other, in the order in
/// which they are given.
public final class ImageLabeler: NSObject, Sendable {
  private let pictures: PictureQueue<ImageLabel>

  private init(_ labeling: PictureLabeling) {
    pictures = PictureQueue { picture throws(ProcessingError) in
      try labeling.categories(in: picture).map(ImageLabel.init)
    }
  }

  /// A labeler with the options' model, or the base model that the package brings along.
  public static func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
    imageLabeler(options: options, baseModel: nil)
  }

  /// A labeler with a base model of one's own, which the original does not offer; `nil`: that which
  /// the package brings along.
  ///
  /// Models of `CustomImageLabelerOptions` come before it.
  public static func imageLabeler(
    options: CommonImageLabelerOptions, baseModel: LocalModel?
  ) -> ImageLabeler {
    ImageLabeler(options.labeling(with: baseModel))
  }

  /// What became of the pictures so far, which the original does not tell.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Looks at a picture; returns at once, unless several pictures wait already.
  ///
  /// `completion` is called on the main queue, which the program has to run: with labels, none when
  /// none has the confidence, or with an error.
  public func process(
    _ image: any MLKitCompatibleImage,
    completion: @escaping @MainActor ([ImageLabel]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// The labels of a picture, as Swift imports the call with a completion on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: any MLKitCompatibleImage) async throws
    -> [ImageLabel]
  {
    try await pictures.process(image.suppliedPicture)
  }

  /// The labels of a picture, the most likely first.
  ///
  /// The original must not be called on the main thread; this may be.
  /// - Throws: `ProcessingError`.
  public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try pictures.answers(to: image.suppliedPicture)
  }
}

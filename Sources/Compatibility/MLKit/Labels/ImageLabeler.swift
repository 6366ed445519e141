public import Foundation
public import OcellusCompatibility

/// A labeler that classifies pictures as a whole.
///
/// The model is loaded with the first picture, which fails if the model cannot be loaded. A labeler
/// can be used on any thread; it processes the pictures one by one, in the order of the calls.
public final class ImageLabeler: NSObject, Sendable {
  private let pictures: PictureQueue<ImageLabel>

  private init(_ labeling: PictureLabeling) {
    pictures = PictureQueue { picture throws(ProcessingError) in
      try labeling.categories(in: picture).map(ImageLabel.init)
    }
  }

  /// Creates a labeler with the model of the options, or with the default base model.
  public static func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
    imageLabeler(options: options, baseModel: nil)
  }

  /// Creates a labeler with a custom base model, an addition to the original API.
  ///
  /// `nil` selects the default base model. A model in the options takes precedence.
  public static func imageLabeler(
    options: CommonImageLabelerOptions, baseModel: LocalModel?
  ) -> ImageLabeler {
    ImageLabeler(options.labeling(with: baseModel))
  }

  /// The numbers of submitted, processed and waiting pictures, an addition to the original API.
  public var pictureCounts: PictureCounts { pictures.counts }

  /// Labels a picture asynchronously; blocks while several pictures are waiting.
  ///
  /// `completion` is called on the main queue, which the app must run, with the labels or an error.
  /// The array is empty if no label reaches the confidence threshold.
  public func process(
    _ image: any MLKitCompatibleImage,
    completion: @escaping @MainActor ([ImageLabel]?, (any Error)?) -> Void
  ) {
    pictures.process(image.suppliedPicture, completion: completion)
  }

  /// Labels a picture; the async form of the call, as Swift imports it on Apple's systems.
  ///
  /// - Throws: `ProcessingError`.
  nonisolated(nonsending) public func process(_ image: any MLKitCompatibleImage) async throws
    -> [ImageLabel]
  {
    try await pictures.process(image.suppliedPicture)
  }

  /// Labels a picture synchronously, and returns the most likely label first.
  ///
  /// Unlike the original API, this may be called on the main thread.
  ///
  /// - Throws: `ProcessingError`.
  public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try pictures.answers(to: image.suppliedPicture)
  }
}

import OcellusImaging
package import OcellusVision

/// The implementation of both modules' labelers: a classifier for whole pictures.
package final class PictureLabeling: Sendable {
  private let labeler: LazyLoaded<ImageLabeler>

  /// Creates a labeler with a model, or with the default model if it is `nil`.
  ///
  /// The default threshold is that of the model's metadata, or 0 without one; by default the number
  /// of labels is not limited.
  package init(
    _ model: ModelSource?, threshold: Float?, maximumLabels: Int? = nil, threads: Int? = nil
  ) {
    let options = ImageLabeler.Options(
      scoreThreshold: threshold, maximumResults: maximumLabels, threads: threads?.asResultCount)
    labeler = LazyLoaded { () throws(ProcessingError) in
      let given = try model?.localPath()
      do throws(VisionError) {
        return if let given {
          try ImageLabeler(path: given, options: options)
        } else {
          try ImageLabeler(options: options)
        }
      } catch {
        throw .failedToInitializeLabeler(error.description)
      }
    }
  }

  /// Returns the labels of a picture, the most likely first.
  package func categories(
    in picture: SuppliedPicture
  ) throws(ProcessingError) -> [OcellusVision.Category] {
    let labeler = try labeler.value()
    do throws(VisionError) { return try labeler.labels(in: picture.image) } catch {
      throw .failedToProcess(error.description)
    }
  }
}

import OcellusImaging
package import OcellusVision

/// What the labelers of both modules do: a classifier's answers for whole pictures.
package final class PictureLabeling: Sendable {
  private let labeler: LoadedOnce<ImageLabeler>

  /// A labeler with a model, or without one that which the package brings along.
  ///
  /// Without a threshold that of the model's metadata counts, or 0; without a maximum all labels do.
  package init(
    _ model: ModelSource?, threshold: Float?, maximumLabels: Int? = nil, threads: Int? = nil
  ) {
    let options = ImageLabeler.Options(
      scoreThreshold: threshold, maximumResults: maximumLabels, threads: threads?.asResultCount)
    labeler = LoadedOnce { () throws(ProcessingError) in
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

  /// The labels of a picture, the most likely first.
  package func categories(
    in picture: SuppliedPicture
  ) throws(ProcessingError) -> [OcellusVision.Category] {
    let labeler = try labeler.value()
    do throws(VisionError) { return try labeler.labels(in: picture.image) } catch {
      throw .failedToProcess(error.description)
    }
  }
}

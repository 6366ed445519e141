import OcellusImaging
package import OcellusVision

/// What the labelers of both modules do: a classifier's answers for whole pictures.
package final class PictureLabeling: Sendable {
  private let labeler: LoadedOnce<ImageLabeler>

  /// A labeler with a model, or without one that which the package brings along.
  ///
  /// Without a threshold that of the model's metadata counts, or 0; without a maximum all labels do.
  package init(_ model: ModelSource?, threshold: Float?, maximumLabels: Int? = nil) {
    labeler = LoadedOnce { () throws(ProcessingError) in
      let given = try model?.localPath()
      do throws(VisionError) {
        let path = if let given { given } else { try EmbeddedModel.labeler.path }
        return try ImageLabeler(
          path: path,
          options: .init(scoreThreshold: threshold, maximumResults: maximumLabels))
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

public import Foundation
public import OcellusCompatibility

/// The options of a detector with a custom classifier.
///
/// The base model finds the objects; the classifier labels the region of the picture that an object
/// covers.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The minimum confidence of labels, 0…1.
  ///
  /// `nil` or a value outside that range selects the one in the model's metadata, or 0 without one.
  public var classificationConfidenceThreshold: NSNumber?
  /// The maximum number of labels per object; a value below 1 stands for 10.
  public var maxPerObjectLabelCount = 0

  /// Creates options for a classifier on this machine.
  public init(localModel: LocalModel) {
    super.init(classifier: localModel.source)
  }

  /// Creates options for a hosted classifier.
  public init(remoteModel: CustomRemoteModel) {
    super.init(classifier: remoteModel.source)
  }

  override var naming: ObjectRecognition.Naming {
    classifier.map {
      .classifier(
        $0, threshold: classificationConfidenceThreshold?.floatValue.asConfidence,
        maximumLabels: maxPerObjectLabelCount.asResultCount ?? 10)
    } ?? .none
  }
}

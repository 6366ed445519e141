public import Foundation
public import OcellusCompatibility

/// What to look for, with a classifier of one's own that says what the objects are.
///
/// The classifier looks at the part of the picture that an object covers; where objects are, the base
/// model says.
public final class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
  /// The confidence that labels have at least, 0…1.
  ///
  /// `nil`, and numbers out of that range: what the model's metadata say, or else 0.
  public var classificationConfidenceThreshold: NSNumber?
  /// The largest number of labels of an object; 10 in place of numbers below 1.
  public var maxPerObjectLabelCount = 0

  /// Options for a classifier on this machine.
  public init(localModel: LocalModel) {
    super.init(classifier: localModel.source)
  }

  /// Options for a hosted classifier.
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

import OcellusVision

/// The classes that a model can answer with.
struct AnsweredClasses {
  /// The names; empty if the classes have numbers only.
  let labels: Labels
  /// The number of classes; `nil` if the model does not show it.
  let count: Int?

  /// Takes the classes of the detector or, if there is one, of the classifier that names objects.
  init(of recognizer: ObjectRecognizer) {
    let (detector, classifier) = (recognizer.detector, recognizer.classifier)
    labels = classifier?.labels ?? detector.labels
    count = classifier?.categoryCount ?? detector.decoder.categoryCount
  }

  init(of labeler: ImageLabeler) {
    (labels, count) = (labeler.labels, labeler.categoryCount)
  }

  var areNamed: Bool { labels.names.contains { $0 != nil } }

  /// The number of classes in words, for messages.
  var words: String { count.map { $0 == 1 ? "1 class" : "\($0) classes" } ?? "classes" }
}

import OcellusPlatform
import OcellusVision

/// Finds the class of the annotations that an answer means.
///
/// Classes are matched by name. Numbers are matched only where the annotations have nothing but
/// numbers, or a single class: any other order of classes would be a guess, and a wrong guess looks
/// like a bad model.
struct ClassMatcher {
  private let annotations: Annotations
  private let indexOfName: [String: Int]
  /// The index by name without regard to case, spaces, hyphens and underscores.
  private let indexOfFoldedName: [String: Int]
  /// The index by number, if the annotations have no names but numbers.
  let indexOfNumber: [Int: Int]?

  init(_ annotations: Annotations) {
    self.annotations = annotations
    indexOfName = Self.unique(annotations.categories)
    indexOfFoldedName = Self.unique(annotations.categories.map(Self.folded))
    indexOfNumber = annotations.indexOfCategoryNumber
  }

  /// Returns the positions of the names that occur once.
  private static func unique(_ names: [String]) -> [String: Int] {
    let pairs = names.enumerated().map { ($1, [$0]) }
    return Dictionary(pairs, uniquingKeysWith: +).compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  private static func folded(_ name: String) -> String {
    name.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
  }

  /// The names that several classes of the annotations have, so that they mean none of them.
  var repeatedNames: [String] {
    Set(annotations.categories.filter { indexOfName[$0] == nil }).sorted()
  }

  /// Whether the annotations have one class, which is what a class without a name must be.
  var hasOneClass: Bool { annotations.categories.count == 1 }

  func index(named name: String) -> Int? {
    indexOfName[name] ?? indexOfFoldedName[Self.folded(name)]
  }

  /// Returns the class of an answer that has a number and no name.
  func index(numbered number: Int) -> Int? {
    indexOfNumber.map { $0[number] } ?? (hasOneClass ? 0 : nil)
  }

  // MARK: What a model can answer

  /// Checks that a model's classes and those of the annotations can be matched.
  ///
  /// - Returns: warnings.
  func check(_ classes: AnsweredClasses) throws(RunError) -> [String] {
    guard classes.areNamed else { return [try warningWithoutNames(of: classes)] }
    if let count = classes.count, classes.labels.count != count + classes.labels.offset {
      throw RunError(
        "the model has \(classes.words), but there are \(classes.labels.count) names for them; "
          + Self.wayOut)
    }
    let known = Set(classes.labels.names.compactMap { $0.flatMap { index(named: $0) } })
    guard !known.isEmpty else {
      throw RunError(
        "no class of the model has a name that the annotations have: the model's are "
          + "\(Self.list(classes.labels.names.compactMap(\.self))), the annotations' "
          + "\(Self.list(annotations.categories)); "
          + (indexOfNumber == nil ? Self.wayOut : wayToNames))
    }
    let missed = annotations.annotationCounts.enumerated().filter {
      $1 > 0 && !known.contains($0)
    }
    guard !missed.isEmpty else { return [] }
    let count = missed.reduce(0) { $0 + $1.element }
    return [
      "the model has no class called \(Self.list(missed.map { annotations.categories[$0.offset] })): "
        + "all annotations of such classes (\(count.grouped)) count as missed"
    ]
  }

  /// Returns a warning about how numbers are matched, if they can be.
  private func warningWithoutNames(of classes: AnsweredClasses) throws(RunError) -> String {
    if let indexOfNumber {
      if let count = classes.count, count != (indexOfNumber.keys.max() ?? 0) + 1 {
        throw otherNumbers("the model has \(classes.words), from 0 to \(count - 1)")
      }
      return
        "neither the model nor the annotations have names of classes: their numbers are compared"
    }
    guard hasOneClass, classes.count ?? 1 == 1 else {
      throw missingNames("the model has \(classes.words) without names")
    }
    return oneClassWarning
  }

  /// A warning for answers without names when the annotations have one class.
  var oneClassWarning: String {
    "what is found has no names and counts as \(Self.list(annotations.categories)), "
      + "the only class of the annotations"
  }

  /// An error about answers without names.
  func missingNames(_ subject: String) -> RunError {
    RunError(
      "\(subject), and the annotations have names (\(Self.list(annotations.categories))): "
        + "which class is which would be a guess; \(Self.wayOut)")
  }

  /// An error about numbers of classes that are not those of the annotations.
  func otherNumbers(_ subject: String) -> RunError {
    RunError(
      "\(subject), the annotations have numbers up to \(indexOfNumber?.keys.max() ?? 0), and neither "
        + "has names, so that nothing tells whether these are the same classes; \(Self.wayOut), and "
        + wayToNames)
  }

  /// The remedy for missing or wrong names of answers.
  static let wayOut =
    "give --labels FILE with the name of each class, in the order of the model's classes, called as "
    + "in the annotations"

  /// The remedy for annotations without names.
  private var wayToNames: String {
    annotations.subject == .objects
      ? "name the annotations' classes (YOLO's in data.yaml or classes.txt beside the annotations)"
      : "call the annotations' classes by their names"
  }

  private static func list(_ names: [String]) -> String {
    // Names of ImageNet's classes have commas in them.
    names.prefix(5).map { "'\($0)'" }.joined(separator: ", ").shortened
      + (names.count > 5 ? ", …" : "")
  }
}

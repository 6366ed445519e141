import OcellusImaging
import OcellusVision

/// The answers about each annotated picture, with the annotations' class indices.
struct Predictions {
  let annotations: Annotations
  /// The objects found in each picture.
  private(set) var objects: [[ScoredObject]]
  /// The class names of each picture, best first; `nil` for classes that the annotations lack.
  private(set) var names: [[Int?]]
  /// Warnings about the answers.
  private(set) var warnings: [String] = []

  private let finder: PictureFinder
  private let matcher: ClassMatcher
  /// The names of classes that answers give by number.
  private let labels: Labels?
  private var isAnswered: [Bool]
  private var judgedCount = 0
  /// Whether any answer has a name.
  private var hasNames = false
  /// The numbers of classes of answers without names.
  private var unnamedNumbers: Set<Int> = []
  /// Whether an answer was judged by its number.
  private(set) var isMatchedByNumber = false
  /// The number of answers for each class that the annotations lack.
  private var unknownClasses: [String: Int] = [:]

  init(_ annotations: Annotations, labels: Labels? = nil) {
    self.annotations = annotations
    self.labels = labels
    finder = PictureFinder(annotations.pictures)
    matcher = ClassMatcher(annotations)
    warnings = matcher.repeatedNames.map {
      "several classes of the annotations are called '\($0)': answers of that name count for none"
    }
    objects = Array(repeating: [], count: annotations.pictures.count)
    self.names = Array(repeating: [], count: annotations.pictures.count)
    isAnswered = Array(repeating: false, count: annotations.pictures.count)
  }

  /// Checks that a model's classes can be matched with those of the annotations.
  mutating func check(_ classes: AnsweredClasses) throws(RunError) {
    hasNames = classes.areNamed
    warnings += try matcher.check(classes)
  }

  /// The number of pictures without an answer.
  var unansweredCount: Int { isAnswered.count { !$0 } }

  /// Returns the index of the picture with a path and marks it as answered, which may happen once.
  mutating func beginPicture(at path: String) throws(RunError) -> Int {
    let index = try finder.index(ofPath: path)
    guard !isAnswered[index] else { throw RunError("\(path) is there twice") }
    isAnswered[index] = true
    return index
  }

  /// Returns the index of the picture with an identifier in COCO's format and marks it as answered.
  mutating func picture(_ identifier: String) throws(RunError) -> Int {
    guard let index = finder.indexOfIdentifier[identifier] else {
      throw RunError("the annotations have no picture \(identifier)")
    }
    isAnswered[index] = true
    return index
  }

  /// Adds an object, unless the annotations lack its class.
  mutating func add(_ box: CornerBox, score: Double, _ category: Answer, at index: Int) {
    guard let number = number(of: category) else { return }
    objects[index].append(ScoredObject(category: number, box: box, score: score))
  }

  /// Adds the next class name of a whole picture.
  mutating func add(_ category: Answer, at index: Int) {
    names[index].append(number(of: category))
  }

  mutating func warn(_ message: String) { warnings.append(message) }

  /// A class in an answer.
  enum Answer {
    /// The class's name, or its index if it has no name.
    case named(String?, index: Int)
    /// The class's number in COCO's files.
    case numbered(Int)
  }

  private mutating func number(of answer: Answer) -> Int? {
    let (found, name): (Int?, String)
    switch answer {
    case .named(nil, let index):
      guard let label = labels?[index] else {
        unnamedNumbers.insert(index)
        // Among classes with names, one without a name is none of the annotations'.
        (found, name) = (hasNames ? nil : matcher.index(numbered: index), "class \(index)")
        isMatchedByNumber = isMatchedByNumber || found != nil
        break
      }
      return number(of: .named(label, index: index))
    case .named(let label?, _):
      hasNames = true
      (found, name) = (matcher.index(named: label), label)
    case .numbered(let number):
      (found, name) = (annotations.categoryOfNumber[number], "category \(number)")
      isMatchedByNumber = true
    }
    if found == nil { unknownClasses[name, default: 0] += 1 } else { judgedCount += 1 }
    return found
  }

  /// Checks answers without names, when all answers are known.
  ///
  /// Beside answers with names, they are of classes that have none, and of no class of the
  /// annotations.
  private mutating func finishUnnamed() throws(RunError) {
    guard let largest = unnamedNumbers.max() else { return }
    guard !hasNames else {
      guard isMatchedByNumber else { return }
      throw RunError(
        "some answers have the name of a class and some only its number; \(ClassMatcher.wayOut)")
    }
    if let numbers = matcher.indexOfNumber?.keys {
      guard largest <= numbers.max() ?? 0 else {
        throw matcher.otherNumbers("class \(largest) was found")
      }
      return
    }
    guard matcher.hasOneClass, unnamedNumbers.count == 1 else {
      throw matcher.missingNames("the classes that were found have no names")
    }
    if !warnings.contains(matcher.oneClassWarning) { warn(matcher.oneClassWarning) }
  }

  /// Warns about answers of classes that the annotations lack.
  ///
  /// - Throws: an error if all answers are such answers and have no names, since the numbers may
  ///   then be another list's; or if their classes cannot be matched.
  mutating func finish() throws(RunError) {
    try finishUnnamed()
    guard !unknownClasses.isEmpty else { return }
    let names = unknownClasses.keys.sorted()
    let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    guard judgedCount > 0 || hasNames else {
      let known = annotations.categories.prefix(5).joined(separator: ", ")
      throw RunError(
        "no answer is of a class that the annotations have: \(list); they have \(known), …")
    }
    // Each labelled picture has one right name, so unknown names simply count as wrong.
    guard annotations.subject == .objects else { return }
    let count = unknownClasses.values.reduce(0, +)
    warnings.append(
      (judgedCount == 0 ? "all " : "")
        + "\(count) answers are of classes that the annotations do not have: \(list)")
  }
}

import OcellusImaging
import OcellusVision

/// What was answered about each annotated picture, by the annotations' class numbers.
struct AnswerSheet {
  let annotations: Annotations
  /// The objects that were found in each picture.
  private(set) var objects: [[ScoredObject]]
  /// The names of each picture, best first; `nil` in place of a name that the annotations do not have.
  private(set) var names: [[Int?]]
  /// What is to be said about the answers.
  private(set) var warnings: [String] = []

  private let finder: PictureFinder
  private let categoryOfName: [String: Int]
  private var isAnswered: [Bool]
  private var judgedCount = 0
  /// How often classes were answered that the annotations do not have.
  private var strangers: [String: Int] = [:]

  init(_ annotations: Annotations) {
    self.annotations = annotations
    finder = PictureFinder(annotations.pictures)
    let names = annotations.categories.enumerated().map { ($1, $0) }
    categoryOfName = Dictionary(names) { first, _ in first }
    objects = Array(repeating: [], count: annotations.pictures.count)
    self.names = Array(repeating: [], count: annotations.pictures.count)
    isAnswered = Array(repeating: false, count: annotations.pictures.count)
  }

  /// The pictures that nothing was said about.
  var unansweredCount: Int { isAnswered.count { !$0 } }

  /// The place of the picture that a path leads to, which must not have been answered before.
  mutating func beginPicture(at path: String) throws(RunError) -> Int {
    let place = try finder.place(ofPath: path)
    guard !isAnswered[place] else { throw RunError("\(path) is there twice") }
    isAnswered[place] = true
    return place
  }

  /// The place of the picture that results in COCO's format call so.
  mutating func picture(_ identifier: String) throws(RunError) -> Int {
    guard let place = finder.placeOfIdentifier[identifier] else {
      throw RunError("the annotations have no picture \(identifier)")
    }
    isAnswered[place] = true
    return place
  }

  /// Adds an object of a class that the annotations may have or not.
  mutating func add(_ box: CornerBox, score: Double, _ category: Answer, at place: Int) {
    guard let number = number(of: category) else { return }
    objects[place].append(ScoredObject(category: number, box: box, score: score))
  }

  /// Adds the next name of a picture as a whole.
  mutating func add(_ category: Answer, at place: Int) {
    names[place].append(number(of: category))
  }

  mutating func warn(_ message: String) { warnings.append(message) }

  /// A class as somebody answers it.
  enum Answer {
    /// By name, or by number where there is none.
    case named(String?, index: Int)
    /// By the number that COCO's files have for it.
    case numbered(Int)
  }

  private mutating func number(of answer: Answer) -> Int? {
    let (found, name): (Int?, String) =
      switch answer {
      case .named(let name?, _): (categoryOfName[name], name)
      case .named(nil, let index):
        (annotations.categories.indices.contains(index) ? index : nil, "class \(index)")
      case .numbered(let number): (annotations.categoryOfNumber[number], "category \(number)")
      }
    if found == nil { strangers[name, default: 0] += 1 } else { judgedCount += 1 }
    return found
  }

  /// Ends, and says which answers are not judged.
  ///
  /// - Throws: when that is all of them.
  mutating func finish() throws(RunError) {
    guard !strangers.isEmpty else { return }
    let names = strangers.keys.sorted()
    let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    guard judgedCount > 0 else {
      let known = annotations.categories.prefix(5).joined(separator: ", ")
      throw RunError(
        "no answer is of a class that the annotations have: \(list); they have \(known), …")
    }
    // Pictures have one right name, and all others are wrong.
    guard annotations.subject == .objects else { return }
    let count = strangers.values.reduce(0, +)
    warnings.append("\(count) answers of classes that the annotations do not have: \(list)")
  }
}

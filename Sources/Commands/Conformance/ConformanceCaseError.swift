/// A case that cannot be used, which is a fault of the corpus and not of an engine.
struct ConformanceCaseError: Error, Equatable, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "\(path): \(problem)" }
}

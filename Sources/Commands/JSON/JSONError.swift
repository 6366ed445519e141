/// A text that is not JSON, and where it stops being so.
struct JSONError: Error, Equatable, CustomStringConvertible {
  let byteOffset: Int
  let problem: String

  var description: String { "not JSON at byte \(byteOffset): \(problem)" }
}

/// The reason why a text is not JSON, and the position of the error.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package let byteOffset: Int
  package let problem: String

  package init(byteOffset: Int, problem: String) {
    self.byteOffset = byteOffset
    self.problem = problem
  }

  package var description: String { "not JSON at byte \(byteOffset): \(problem)" }
}

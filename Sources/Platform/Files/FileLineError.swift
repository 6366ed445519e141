/// An error in a line of a text file.
package struct FileLineError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let line: Int
  package let problem: String

  package init(path: String, line: Int, problem: String) {
    self.path = path
    self.line = line
    self.problem = problem
  }

  package var description: String { "\(path), line \(line): \(problem)" }
}

/// A text file that is not what it should be, and the line where it stops being so.
struct FileLineError: Error, Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let problem: String

  var description: String { "\(path), line \(line): \(problem)" }
}

/// What cannot be done with a file, and why.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// What was tried.
  package enum Action: String, Sendable { case opened, read, written }

  /// What stands in its way.
  package enum Problem: Equatable, Sendable {
    /// The system refuses, with one of its codes.
    case system(Int32)
    /// Only files will do, and this is something else.
    case notAFile(FileKind)
    /// It has more bytes than it may have.
    case tooLarge(limit: Int)
  }

  package let path: String
  package let action: Action
  package let problem: Problem

  package init(_ problem: Problem, path: String, action: Action = .opened) {
    self.problem = problem
    self.path = path
    self.action = action
  }

  /// The error of a system call that failed just now.
  package init(failedAt path: String, action: Action = .opened) {
    self.init(.system(errno), path: path, action: action)
  }

  /// The problem without the path.
  package var reason: String {
    switch problem {
    case .system(ENOENT) where action == .written: "there is no folder '\(path.parentPath)'"
    case .system(let code): String(cString: strerror(code))
    case .notAFile(.directory): "this is a directory; name a file in it"
    case .notAFile(.pipe): "this is a pipe, not a file; write to a file first"
    case .notAFile: "this is a device, not a file"
    case .tooLarge(let limit): "the file is larger than the limit of \(limit) bytes"
    }
  }

  package var description: String { "\(path): \(reason)" }
}

/// What a path leads to.
package enum FileKind: Sendable { case file, directory, pipe, device }

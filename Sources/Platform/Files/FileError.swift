/// A failed operation on a file, with its reason.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// The operation that failed.
  package enum Action: String, Sendable { case opened, read, written }

  /// The reason of the failure.
  package enum Problem: Equatable, Sendable {
    /// The system's error code.
    case system(Int32)
    /// A regular file is required, and this is something else.
    case notAFile(FileKind)
    /// The file is larger than the limit.
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

  /// Makes the error of a system call that has just failed.
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

/// The kind of object at a path.
package enum FileKind: Sendable { case file, directory, pipe, device }

import OcellusPlatform

/// A file that cannot be read or written, and the system's reason.
struct FileError: Error, Equatable, CustomStringConvertible {
  let path: String
  let code: Int32

  init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// The error of a system call that failed just now.
  init(failedAt path: String) {
    self.init(path: path, code: errno)
  }

  var description: String {
    "\(path): \(String(cString: strerror(code)))"
  }
}

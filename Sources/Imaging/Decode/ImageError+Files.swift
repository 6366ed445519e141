import OcellusPlatform

extension ImageError {
  /// Converts an error of the file system to an error of this module.
  init(_ error: FileError) {
    switch error.problem {
    case .tooLarge: self.init(.tooLarge, error.reason, path: error.path)
    case .notAFile: self.init(.unreadable, error.reason, path: error.path)
    case .system:
      self.init(
        .unreadable, "cannot be \(error.action.rawValue): \(error.reason)", path: error.path)
    }
  }

  /// Runs `body`, and converts errors of the file system.
  static func translating<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(ImageError) -> Value {
    do throws(FileError) { return try body() } catch { throw ImageError(error) }
  }
}

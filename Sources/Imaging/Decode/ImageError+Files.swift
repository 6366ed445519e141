import OcellusPlatform

extension ImageError {
  /// What cannot be done with a file, as this module says it.
  init(_ error: FileError) {
    switch error.problem {
    case .tooLarge: self.init(.tooLarge, error.reason, path: error.path)
    case .notAFile: self.init(.unreadable, error.reason, path: error.path)
    case .system:
      self.init(
        .unreadable, "cannot be \(error.action.rawValue): \(error.reason)", path: error.path)
    }
  }

  /// Does something with files, and says in this module's way what cannot be done with them.
  static func translating<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(ImageError) -> Value {
    do throws(FileError) { return try body() } catch { throw ImageError(error) }
  }
}

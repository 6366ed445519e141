import Foundation

/// A reporter of error details, which writes where the official runtime does.
struct ErrorReporter {
  /// Whether options were given, in which case the official runtime writes to standard output.
  let isCustom: Bool

  func report(_ message: String) {
    if isCustom {
      print(InterpreterError.tensorFlowLiteError(message).description)
    } else {
      FileHandle.standardError.write(Data("ERROR: \(message)\n".utf8))
    }
  }

  /// Logs information to standard error, where the official runtime logs about its delegates.
  func inform(_ message: String) {
    FileHandle.standardError.write(Data("INFO: \(message)\n".utf8))
  }
}

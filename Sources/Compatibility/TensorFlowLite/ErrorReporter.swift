import Foundation

/// Says what the API's few error cases leave out, where the official runtime says it.
struct ErrorReporter {
  /// Whether options were given: the official runtime then writes to standard output.
  let isCustom: Bool

  func report(_ message: String) {
    if isCustom {
      print(InterpreterError.tensorFlowLiteError(message).description)
    } else {
      FileHandle.standardError.write(Data("ERROR: \(message)\n".utf8))
    }
  }

  /// Says something that is no error, where the official runtime logs what its delegates do.
  func inform(_ message: String) {
    FileHandle.standardError.write(Data("INFO: \(message)\n".utf8))
  }
}

import CTensorFlowLite
import OcellusEngine
import OcellusPlatform

/// The receiver of error messages: the program's function, or standard error.
struct ErrorReporter {
  /// A function of the program that takes a `printf` format and its arguments.
  typealias Function =
    @convention(c) (
      _ userData: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?,
      _ arguments: ArgumentList?
    ) -> Void

  var function: Function?
  var userData: UnsafeMutableRawPointer?

  /// Reports a text.
  ///
  /// The text itself is the format, because many programs print the format and ignore the
  /// arguments.
  func report(_ message: String) {
    guard let function else { return Self.printError(message) }
    let format = message.split(separator: "%", omittingEmptySubsequences: false)
    // Messages may name files, whose names are any bytes.
    format.joined(separator: "%%").withFileName { format in
      withEmptyArgumentList { function(userData, format, $0) }
    }
  }

  /// Reports a message of an operator, given as a format and arguments.
  func report(_ format: UnsafePointer<CChar>, _ arguments: ArgumentList) {
    guard let function else { return Self.printError(formatted(format, arguments)) }
    function(userData, format, arguments)
  }

  /// Prints an explanation that the official library does not give, for people at a terminal.
  ///
  /// A program's function gets only the official messages, since some programs compare them.
  func explain(_ detail: String) {
    if function == nil { Self.printError(detail) }
  }

  private static func printError(_ message: String) {
    // A failure to write to standard error can be reported nowhere.
    try? OpenFile.standardError.write("ERROR: \(message)\n".fileNameBytes)
  }
}

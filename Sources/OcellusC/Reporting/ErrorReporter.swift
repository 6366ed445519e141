import CTensorFlowLite
import OcellusEngine
import OcellusPlatform

/// Who is told in words what went wrong: the program's function, or standard error.
struct ErrorReporter {
  /// A program's function, which takes a format and its arguments.
  typealias Function =
    @convention(c) (
      _ userData: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?,
      _ arguments: ArgumentList?
    ) -> Void

  var function: Function?
  var userData: UnsafeMutableRawPointer?

  /// Reports a text.
  ///
  /// It is the format itself, so that programs which cannot read arguments, and there are many, see it.
  func report(_ message: String) {
    guard let function else { return Self.printError(message) }
    let format = message.split(separator: "%", omittingEmptySubsequences: false)
    format.joined(separator: "%%").withCString { format in
      withEmptyArgumentList { function(userData, format, $0) }
    }
  }

  /// Reports what an operator says in a format of its own.
  func report(_ format: UnsafePointer<CChar>, _ arguments: ArgumentList) {
    guard let function else { return Self.printError(formatted(format, arguments)) }
    function(userData, format, arguments)
  }

  /// What is wrong in words of our own, for people who look at a terminal.
  ///
  /// Programs get the official texts alone, since some compare them.
  func explain(_ detail: String) {
    if function == nil { Self.printError(detail) }
  }

  private static func printError(_ message: String) {
    // There is nobody left to tell where this fails.
    try? OpenFile.standardError.write(Array("ERROR: \(message)\n".utf8))
  }
}

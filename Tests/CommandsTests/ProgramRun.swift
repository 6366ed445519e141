import Foundation

@testable import OcellusCommands

/// What a run of the program left behind.
struct ProgramRun {
  let code: Int32
  let output: String
  let errors: String

  /// Runs the program in this process.
  init(_ arguments: String...) { self.init(arguments) }

  /// Runs the program in this process.
  init(_ arguments: [String]) {
    let output = TextBuffer()
    let errors = TextBuffer()
    code = Program.run(arguments, in: CommandContext(output: output, errors: errors)).rawValue
    self.output = output.text
    self.errors = errors.text
  }

  /// Runs the program in a process of its own, as commands want it that fork: in this one, where
  /// other tests have threads, a fork could find the runtime's locks taken for ever.
  init(ofProcess arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "ocellus")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Errors are few and fit a pipe; results may not.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    code = process.terminationStatus
  }
}

import Foundation
import OcellusTestSupport

@testable import OcellusCommands

/// The exit code and the output of one run of the program.
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

  /// Runs the program in a child process, which commands that fork need.
  ///
  /// In this process, with threads of other tests, a fork could inherit locks that are never
  /// released.
  init(ofProcess arguments: [String], environment: [String: String]? = nil) throws {
    let process = Self.process(arguments)
    if let environment { process.environment = environment }
    try self.init(of: process)
  }

  /// Runs a shell script in which `"$0" "$@"` is the program with its arguments, and `$TMP` is an
  /// empty folder; with `mounting`, the script may mount file systems in its own namespace.
  init(inShell script: String, _ arguments: [String], mounting: Bool = false) throws {
    let folder = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["TMP=\(folder.path)"] + (mounting ? ["unshare", "-rm"] : [])
      + ["sh", "-c", script, Self.program.path] + arguments
    try self.init(of: process)
  }

  /// Whether this system permits mounting file systems in an own namespace.
  static let mayMount: Bool = {
    let script = #"mount -t tmpfs -o size=16k none "$TMP""#
    return (try? ProgramRun(inShell: script, [], mounting: true).code) == 0
  }()

  private static let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ocellus")

  /// Returns a process of the program that is not running yet.
  static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    return process
  }

  /// Runs a process and collects its output.
  private init(of process: Process) throws {
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Errors are short and fit a pipe; results may not.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    code = process.terminationStatus
  }
}

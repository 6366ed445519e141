import Foundation
import OcellusTestSupport

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
  init(ofProcess arguments: [String], environment: [String: String]? = nil) throws {
    let process = Self.process(arguments)
    if let environment { process.environment = environment }
    try self.init(of: process)
  }

  /// Runs a shell's script in which `"$0" "$@"` is the program with these arguments, and `$TMP` an empty
  /// folder; `mounting` where the script may mount, and nobody else sees it.
  init(inShell script: String, _ arguments: [String], mounting: Bool = false) throws {
    let folder = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["TMP=\(folder.path)"] + (mounting ? ["unshare", "-rm"] : [])
      + ["sh", "-c", script, Self.program.path] + arguments
    try self.init(of: process)
  }

  /// Whether this system lets us mount file systems that only we see.
  static let mayMount: Bool = {
    let script = #"mount -t tmpfs -o size=16k none "$TMP""#
    return (try? ProgramRun(inShell: script, [], mounting: true).code) == 0
  }()

  private static let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "ocellus")

  /// A process of the program, not yet running.
  static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    return process
  }

  /// Runs a process, and collects what it says.
  private init(of process: Process) throws {
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

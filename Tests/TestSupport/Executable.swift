import Foundation

/// Programs of the system that may or may not be installed.
package enum Executable {
  /// Whether a program is in `PATH`.
  package static func isThere(_ name: String) -> Bool {
    path(of: name, elsewhere: []) != nil
  }

  /// Returns the path of a program in `PATH` or other folders.
  package static func path(of name: String, elsewhere others: [String]) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return (folders.map(String.init) + others).map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns a program's standard output for a text on its standard input.
  package static func output(
    of name: String, _ arguments: [String], with input: String
  ) throws -> String {
    try run(name, arguments, with: input).output
  }

  /// Returns a program's standard error output for a text on its standard input.
  package static func errors(
    of name: String, _ arguments: [String], with input: String
  ) throws -> String {
    try run(name, arguments, with: input).errors
  }

  /// Uses files, which take any amount at any time; pipes would need concurrent readers and
  /// writers.
  private static func run(
    _ name: String, _ arguments: [String], with input: String
  ) throws -> (output: String, errors: String) {
    let folder = try TemporaryDirectory()
    let files = ["input", "output", "errors"].map { URL(filePath: "\(folder.path)/\($0)") }
    for file in files { try Data(input.utf8).write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    for file in files[1...] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return (
      try String(contentsOf: files[1], encoding: .utf8),
      try String(contentsOf: files[2], encoding: .utf8)
    )
  }
}

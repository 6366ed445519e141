import OcellusPlatform
import Testing

/// Programs of the system as child processes.
@Suite struct ChildProcessTests {
  private func output(_ process: ChildProcess) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1000)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try process.read(into: $0, milliseconds: 100) }
      guard let count else { continue }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
  }

  @Test func whatGoesInComesOut() throws {
    let process = try ChildProcess("cat", [], input: Array("in".utf8))
    #expect(try output(process) == Array("in".utf8))
    #expect(process.end().code == 0)
  }

  @Test func endsAreSeen() throws {
    let failing = try ChildProcess("sh", ["-c", "echo no >&2; exit 7"], input: [])
    #expect(try output(failing).isEmpty)
    let end = failing.end()
    #expect(end.code == 7)
    #expect(end.complaints == "no\n")
    let killed = try ChildProcess("sh", ["-c", "kill -9 $$"], input: [])
    #expect(try output(killed).isEmpty)
    #expect(killed.end().code == 128 + SIGKILL)
  }

  /// A child that writes much to its standard error is not blocked; the first 4096 bytes are kept.
  @Test func manyComplaints() throws {
    let process = try ChildProcess(
      "sh", ["-c", "head -c 1000000 /dev/zero >&2; echo x"], input: [])
    #expect(try output(process) == Array("x\n".utf8))
    #expect(process.end().complaints.utf8.count == 4096)
  }

  @Test func inputThatNobodyReads() throws {
    let process = try ChildProcess("true", [], input: [UInt8](repeating: 1, count: 30_000))
    #expect(try output(process).isEmpty)
    #expect(process.end().code == 0)
  }

  @Test func programsThatAreNotThere() {
    let error = #expect(throws: FileError.self) {
      try ChildProcess("no-such-program", [], input: [])
    }
    #expect(error?.problem == .system(ENOENT))
  }

  @Test func stoppedProgramsAreGone() throws {
    let process = try ChildProcess("sleep", ["1000"], input: [])
    process.stop()
  }
}

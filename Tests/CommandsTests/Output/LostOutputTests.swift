import Foundation
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Every command reports that its output could not be written.
@Suite struct LostOutputTests {
  /// Those that print: a server answers its clients only.
  private static let commands = Program.commands.map { $0.definition.name }.filter { $0 != "serve" }
  private static let options = CommandSamples.writingOptions.map(\.name)
  private let samples: CommandSamples

  init() throws { samples = try CommandSamples() }

  @Test func everyCommandAndOptionHasASample() {
    #expect(Set(samples.printing.keys) == Set(Self.commands))
    #expect(Set(samples.writing("x").keys) == Set(Self.options))
  }

  @Test(arguments: commands)
  func aFullDiskBehindStandardOutputIsAFailure(command: String) throws {
    for arguments in try #require(samples.printing[command]) {
      let run = try ProgramRun(
        inShell: #""$0" "$@" > /dev/full"#, [command] + arguments)
      #expect(run.code == 1, "\(command) \(arguments)")
      #expect(run.errors.contains("standard output: "))
      #expect(run.errors.contains("No space left on device"))
    }
  }

  @Test(arguments: commands)
  func aClosedStandardOutputIsAFailure(command: String) throws {
    let arguments = try #require(samples.printing[command]?.first)
    let run = try ProgramRun(inShell: #""$0" "$@" >&-"#, [command] + arguments)
    #expect(run.code == 1)
    #expect(run.errors.contains("standard output"))
  }

  /// A broken pipe is no error: the program ends quietly with the shell's code, 128 + 13.
  @Test(arguments: commands)
  func aBrokenPipeEndsQuietly(command: String) throws {
    for (index, arguments) in try #require(samples.printing[command]).enumerated() {
      // The reader is gone before the first output; the parent process may ignore SIGPIPE, which
      // makes the same difference to all samples of a command.
      for trap in index == 0 ? ["", "trap '' PIPE;"] : [""] {
        let run = try ProgramRun(
          inShell: """
            \(trap) mkfifo "$TMP/pipe"; sh -c 'exec 3<"$TMP/pipe"; touch "$TMP/open"; exec 3<&-' &
            exec 4>"$TMP/pipe"; wait; "$0" "$@" >&4
            """, [command] + arguments)
        #expect(run.code == 141, "\(command) \(arguments)")
        let complaints = run.errors.split(separator: "\n").filter {
          $0.hasPrefix("ocellus:") && !$0.hasPrefix("ocellus: warning:")
        }
        #expect(complaints.isEmpty, "\(run.errors)")
      }
    }
  }

  // MARK: Files

  /// The old file stays, no other file is left, and the error names the file.
  @Test(.enabled(if: ProgramRun.mayMount, "this system does not let us mount"), arguments: options)
  func aFullDiskLeavesTheOldFile(option: String) throws {
    try checkFailure(of: option, behind: #"cat /dev/zero > "$D/filling" 2>/dev/null"#)
  }

  @Test(.enabled(if: ProgramRun.mayMount, "this system does not let us mount"), arguments: options)
  func aReadOnlyFolderIsAFailure(option: String) throws {
    try checkFailure(of: option, behind: #": > "$D/filling"; mount -o remount,ro "$D""#)
  }

  private func checkFailure(of option: String, behind preparation: String) throws {
    let isFolder = CommandSamples.writingOptions.contains { $0.name == option && $0.isFolder }
    let disk = try TemporaryDirectory()
    let name = CommandSamples.fileName(option)
    let target = isFolder ? disk.path + "/folder" : "\(disk.path)/\(name)"
    let command = try #require(option.split(separator: " ").first.map(String.init))
    let run = try ProgramRun(
      inShell: """
        export D="\(disk.path)"; program="$0"
        mount -t tmpfs -o size=16k none "$D" || exit 99
        \(isFolder ? #"mkdir "$D/folder""# : #"printf old > "$D/\#(name)""#)
        \(preparation)
        "$program" "$@" > /dev/null; code=$?
        \(isFolder ? #"ls -A "$D/folder""# : #"cat "$D/\#(name)""#)
        echo; ls -A "$D"; exit $code
        """,
      [command] + (try #require(samples.writing(target)[option])), mounting: true)
    #expect(run.code == 1, "\(run.errors)")
    #expect(run.errors.contains(target), "\(run.errors)")
    let expected = isFolder ? "\nfilling\nfolder\n" : "old\n"
    #expect(run.output.hasPrefix(expected), "\(run.output)")
    #expect(
      Set(run.output.split(separator: "\n").suffix(2)) == [
        isFolder ? "folder" : name[...], "filling",
      ])
  }

  /// An interruption at any moment leaves the old file or the complete new one.
  @Test(arguments: options)
  func anInterruptionLeavesTheOldFileOrTheNewOne(option: String) throws {
    let folder = try TemporaryDirectory()
    let isFolder = CommandSamples.writingOptions.contains { $0.name == option && $0.isFolder }
    let command = try #require(option.split(separator: " ").first.map(String.init))
    let complete = folder.path + "/complete" + CommandSamples.fileName(option)
    let arguments = [command] + (try #require(samples.writing(complete)[option]))
    #expect(try ProgramRun(ofProcess: arguments).code == 0)
    let target = folder.path + "/" + CommandSamples.fileName(option)
    let name = isFolder ? try #require(FileSystem.entries(of: complete).first) : ""
    let whole = try FileSystem.read(isFolder ? "\(complete)/\(name)" : complete)
    for delay in [0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1] {
      let file = isFolder ? "\(target)/\(name)" : target
      try FileSystem.createDirectory(file.parentPath)
      try FileSystem.write(Array("old".utf8), to: file)
      let process = ProgramRun.process(
        [command] + (try #require(samples.writing(target)[option])))
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: delay)
      process.interrupt()
      process.waitUntilExit()
      let left = try FileSystem.read(file)
      #expect(left == Array("old".utf8) || isComplete(left, as: whole))
      #expect(try FileSystem.entries(of: file.parentPath).allSatisfy { !$0.hasPrefix(".") })
    }
  }

  /// Whether bytes are a complete file, or look like one with other measured times.
  private func isComplete(_ bytes: [UInt8], as whole: [UInt8]) -> Bool {
    // A ZIP archive ends with a record of 22 bytes that begins with a fixed signature.
    bytes == whole
      || bytes.prefix(4) == whole.prefix(4)
        && bytes.suffix(22).prefix(4) == whole.suffix(22).prefix(4) && bytes.count * 2 > whole.count
  }
}

import OcellusJSON
import OcellusPlatform
import OcellusTestSupport
import Testing

@testable import OcellusCommands

/// Shards that were made with other options, and those in which pictures failed.
@Suite struct ShardOptionsTests {
  private let folder: TemporaryDirectory
  private let pictures: [String]
  private let list: String

  /// Creates three pictures, the second of which cannot be read.
  init() throws {
    folder = try TemporaryDirectory()
    var pictures: [String] = []
    for number in 0..<3 {
      let bytes = Array("P6 8 8 255\n".utf8) + (0..<192).map { UInt8(($0 * (number + 3)) & 255) }
      pictures.append("\(folder.path)/\(number).ppm")
      try FileSystem.write(number == 1 ? Array(bytes.prefix(9)) : bytes, to: pictures[number])
    }
    self.pictures = pictures
    list = folder.path + "/list.txt"
    try FileSystem.write(Array(pictures.joined(separator: "\n").utf8), to: list)
  }

  private func label(_ options: [String], shard: String = "1/1") -> ProgramRun {
    ProgramRun(["label", list, "--shard", shard, "--resume", folder.path + "/results"] + options)
  }

  private var results: String { folder.path + "/results/results-1-of-1.jsonl" }

  private func names(_ text: String) throws -> String {
    let path = "\(folder.path)/\(text.count).txt"
    try FileSystem.write(Array(text.utf8), to: path)
    return path
  }

  // MARK: Options

  /// Every difference is refused, with both sides of it, and nothing is changed.
  @Test(arguments: [
    ([], ["--threshold", "0.5"], "was made without --threshold, and this run is with --thresh"),
    (["--threshold", "0.5"], [], "was made with --threshold=0.5, and this run is without --thr"),
    (
      ["--threshold", "0.5"], ["--threshold", "0.6"],
      "with --threshold=0.5, and this run is with --threshold=0.6"
    ),
    ([], ["--exact"], "without --exact"), (["--fit", "crop"], ["--fit", "stretch"], "--fit=crop"),
    (["--max", "2", "--roi", "0,0,4,4"], ["--max", "2"], "with --roi=0,0,4,4"),
  ]) func otherOptionsAreRefused(first: [String], second: [String], difference: String) throws {
    #expect(label(first).code == ExitCode.partial.rawValue)
    let bytes = try FileSystem.read(results)
    for isComplete in [true, false] {
      if !isComplete {
        try FileSystem.remove(results)
        try FileSystem.write(bytes.dropLast(20), to: results + ".part")
      }
      let run = label(second)
      #expect(run.code == ExitCode.wrongUsage.rawValue)
      #expect(run.errors.contains(difference) && run.errors.contains("name another folder"))
    }
    #expect(try FileSystem.read(results + ".part") == bytes.dropLast(20))
    #expect(label(first).code == ExitCode.partial.rawValue)
    // The times of the two results need not have as many digits.
    let newline = UInt8(ascii: "\n")
    let lineCount = try FileSystem.read(results).count { $0 == newline }
    #expect(lineCount == bytes.count { $0 == newline })
  }

  /// Options that change no result may differ, and files may have other names.
  @Test func whatChangesNothingMayDiffer() throws {
    let text = (0..<6).map { "name \($0)" }.joined(separator: "\n")
    let (first, copy) = (try names(text), folder.path + "/copy.txt")
    try FileSystem.write(FileSystem.read(first), to: copy)
    #expect(label(["--labels", first]).code == ExitCode.partial.rawValue)
    let again = label(["--labels", copy, "--threads", "2", "--explain", "--force", "--jsonl"])
    #expect(again.code == ExitCode.partial.rawValue, "\(again.errors)")
    let other = label(["--labels", try names(text + "!")])
    #expect(other.code == ExitCode.wrongUsage.rawValue)
    #expect(other.errors.contains("with --labels=sha256:"))
  }

  @Test(arguments: [
    ("\"program_version\": \"", "\"program_version\": \"9.", "program version"),
    ("\"command\": \"label\"", "\"command\": \"embed\"", "command"),
    ("\"model_sha256\": \"", "\"model_sha256\": \"0", "model sha256"),
    ("\"options\": []", "\"option\": []", "with which options"),
  ])
  func otherOriginsAreRefused(old: String, new: String, difference: String) throws {
    #expect(label([]).code == ExitCode.partial.rawValue)
    let text = String(decoding: try FileSystem.read(results), as: UTF8.self)
    try FileSystem.write(Array(text.replacing(old, with: new).utf8), to: results)
    let run = label([])
    #expect(run.code == ExitCode.failure.rawValue)
    #expect(run.errors.contains(difference), "\(run.errors)")
  }

  @Test func shardsOfOtherOptionsAreNotMerged() throws {
    _ = label(["--threshold", "0.5"], shard: "1/2")
    _ = label(["--threshold", "0.6"], shard: "2/2")
    let run = ProgramRun("merge", folder.path + "/results")
    #expect(run.code == ExitCode.failure.rawValue)
    #expect(run.errors.contains("with --threshold=0.6"), "\(run.errors)")
  }

  @Test func linesAreAsTheSchemaSays() throws {
    let file = PackageFiles.path("Sources/Umbrella/Ocellus.docc/Resources/results.schema.json")
    let schema = try JSONSchema(parsing: FileSystem.read(file))
    _ = label(["--threshold", "0.5"])
    let lines = String(decoding: try FileSystem.read(results), as: UTF8.self)
    for line in lines.split(separator: "\n") {
      #expect(schema.problems(of: try JSONParser.parse(Array(line.utf8))).isEmpty)
    }
  }

  // MARK: Exit codes

  /// A shard that is complete does not look like one that crashed, even if all of it failed.
  @Test func failedPicturesAreNoCrash() {
    for (shard, code) in [("1/3", ExitCode.success), ("2/3", .partial), ("3/3", .success)] {
      #expect(label([], shard: shard).code == code.rawValue)
      #expect(label([], shard: shard).code == code.rawValue, "again")
    }
    let missing = ProgramRun(
      "label", list, "-m", folder.path + "/no.tflite", "--resume", folder.path + "/other")
    #expect(missing.code == ExitCode.failure.rawValue)
  }

  @Test(arguments: ["detect", "label"])
  func someFailedAllFailed(command: String) {
    #expect(ProgramRun([command] + pictures).code == ExitCode.partial.rawValue)
    #expect(ProgramRun(command, pictures[1]).code == ExitCode.failure.rawValue)
    #expect(ProgramRun(command, pictures[0]).code == ExitCode.success.rawValue)
  }

  /// The codes are those that the help and the page list.
  @Test func codesAreDocumented() throws {
    let page = String(
      decoding: try FileSystem.read(
        PackageFiles.path("Sources/Umbrella/Ocellus.docc/Results.md")), as: UTF8.self)
    for code in ExitCode.allCases {
      #expect(page.contains("| \(code.rawValue) | \(code.meaning)"))
      #expect(HelpPage.program.contains("\(code.rawValue) \(code.meaning)"))
    }
  }
}

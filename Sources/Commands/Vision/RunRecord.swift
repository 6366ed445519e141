import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// A record of a command about pictures with everything that is needed to repeat it.
///
/// It contains copies of the files and their digests, the arguments, the results, and a receipt for
/// each picture, or the tracks for a video.
struct RunRecord {
  static let option = Option<String?>.text(
    "record", "DIR", accepts: .newFolder,
    help: """
      Keep the model, the pictures, the results and receipts in DIR, for 'ocellus receipt check DIR' to \
      repeat the run.
      """)
  /// The option of commands about videos.
  static let videoOption = Option<String?>.text(
    "record", "DIR", accepts: .newFolder,
    help: """
      Keep the model, the video or detections, and the tracks in DIR, for 'ocellus receipt check DIR' \
      to repeat the run.
      """)

  /// Returns the requested directory.
  static func path(
    _ arguments: ParsedArguments, of options: PictureOptions
  ) throws(UsageError) -> String? {
    let path = try arguments[option]
    guard path == nil || options.givenModelPath != "-" else {
      throw UsageError("--record copies the model's file, so the model cannot be standard input")
    }
    return path
  }

  static let schema = "ocellus-record"
  static let schemaVersion = 1
  private static let fileName = "record.json"
  /// Options about the destination of results, which do not change them.
  private static let leftOut: Set = [
    "annotate", "csv", "csv-spreadsheet", "dump-input", "explain", "force", "json", "jsonl",
    "ledger", "mot", "occlusion", "record",
  ]

  private let command: String
  /// The arguments, with the names of files in the directory.
  private let arguments: [String]
  private let pictures: [String]
  private let results: JSONValue
  private let files: [FileCopier.Copy]

  // MARK: Writing

  /// Copies the files of a command line, runs the command on the copies, and stores the results.
  static func write(
    _ command: any Command.Type, _ arguments: ParsedArguments, modelPath: String?,
    to directory: String
  ) throws {
    try FileSystem.createDirectory(directory)
    var copier = FileCopier(directory: directory)
    var words = try modelPath.map { ["--model=\(try copier.copyModel($0))"] } ?? []
    for option in command.definition.options
    where option.name != "model" && !leftOut.contains(option.name) {
      for text in arguments.texts[option.name] ?? [] {
        let isFile = option.accepted == .file && FileSystem.exists(text)
        let value = isFile ? try copier.copy(text) : text
        words.append(option.placeholder == nil ? "--\(option.name)" : "--\(option.name)=\(value)")
      }
    }
    let pictures = try arguments.operands.map { try copier.copy($0) }
    let name = command.definition.name
    let record = RunRecord(
      command: name, arguments: words, pictures: pictures,
      results: try run(name, words, pictures, in: directory), files: copier.copies)
    for picture in pictures where hasReceipts(name) {
      try FileSystem.write(
        Array((try receipt(words, picture, in: directory).text + "\n").utf8),
        to: "\(directory)/\(picture).receipt.json")
    }
    try FileSystem.write(
      Array((record.json.text + "\n").utf8), to: "\(directory)/\(fileName)")
  }

  private var json: JSONValue {
    [
      "schema": .string(Self.schema), "schema_version": .integer(Self.schemaVersion),
      "version": .string(Program.version),
      "instruction_set": .string(orNull: KernelTable.available.first?.name),
      "command": .string(command),
      "arguments": .array(arguments.map { .string($0) }),
      "pictures": .array(pictures.map { .string($0) }),
      "files": .array(
        files.map { ["name": .string($0.name), "sha256": .string($0.hash)] }),
      "results": results,
    ]
  }

  /// Returns whether a command has a result, and so a receipt, for each picture.
  private static func hasReceipts(_ command: String) -> Bool { command != "track" }

  // MARK: Repeating

  /// Returns whether a path is a directory with a record.
  static func isPresent(at path: String) -> Bool { FileSystem.exists("\(path)/\(fileName)") }

  /// The outcome of running the command of a record again.
  struct Check {
    /// What is not as the record says.
    fileprivate(set) var differences: [String] = []
    /// What may differ here although the record is right.
    fileprivate(set) var doubts: [String] = []

    var outcome: ReceiptVerdict.Outcome {
      differences.isEmpty ? (doubts.isEmpty ? .holds : .undecided) : .differs
    }
  }

  /// Runs the command of a record again.
  static func check(_ directory: String) throws -> Check {
    let record = try RecordFile(at: "\(directory)/\(fileName)", leftOut: leftOut)
    var check = Check()
    check.differences = try record.files.filter { try $0.isOther(in: directory) }
      .map { "\($0.name) has changed since it was recorded" }
    if !check.differences.isEmpty { return check }
    for picture in record.pictures where hasReceipts(record.command) {
      try check.compareReceipts(of: picture, record, in: directory)
    }
    let results = try run(record.command, record.arguments, record.pictures, in: directory)
    guard results != record.results else { return check }
    let difference = "'\(record.command)' now gives another result"
    let cause = record.setting.roundingCause(in: RecordFile.ownSetting(of: record.arguments))
    // If all nodes have the same bits, rounding explains nothing.
    if let cause, !hasReceipts(record.command) || !check.doubts.isEmpty {
      check.doubts.append(
        "undecided: \(difference), since its floats may differ: \(cause.reason). To decide, \(cause.remedy)"
      )
    } else {
      check.differences.append(difference)
    }
    return check
  }

  /// Runs a command and returns its results without times and paths.
  private static func run(
    _ command: String, _ arguments: [String], _ pictures: [String], in directory: String
  ) throws -> JSONValue {
    let words = [command] + inside(directory, arguments) + pictures.map { "\(directory)/\($0)" }
    let output = try self.output(of: words + ["--json"])
    if !hasReceipts(command) { return try tracking(words, report: output) }
    let images = try JSONParser.parse(Array(output.utf8)).object?["images"]?.array ?? []
    return .array(
      images.map { image in
        .object(
          JSONObject(
            (image.object?.members ?? []).filter { !["image", "milliseconds"].contains($0.name) }))
      })
  }

  /// Returns the report of `track` about a video, and the tracks.
  private static func tracking(_ words: [String], report: String) throws -> JSONValue {
    let kept = [
      "tracker", "frames", "detections", "identities", "lines", "zones", "events", "evaluation",
    ]
    let members = try JSONParser.parse(Array(report.utf8)).object?.members ?? []
    let tracks = try output(of: words + ["--mot=-"]).split(separator: "\n").map { String($0) }
    return .object(
      JSONObject(members.filter { kept.contains($0.name) }) + ["tracks": .strings(tracks)])
  }

  fileprivate static func receipt(
    _ arguments: [String], _ picture: String, in directory: String
  ) throws -> JSONValue {
    let known = ReceiptCommand.definition.options.map { $0.name }
    let model = inside(directory, arguments).first { $0.hasPrefix("--model=") } ?? ""
    let kept = arguments.filter { word in
      known.contains { word == "--\($0)" || word.hasPrefix("--\($0)=") }
    }
    let output = try self.output(
      of: ["receipt", String(model.dropFirst("--model=".count)), "--input=\(directory)/\(picture)"]
        + kept)
    return try JSONParser.parse(Array(output.utf8))
  }

  /// Returns the arguments with the directory added to the names of its files.
  private static func inside(_ directory: String, _ arguments: [String]) -> [String] {
    arguments.map { word in
      guard let equals = word.firstIndex(of: "=") else { return word }
      let value = word[word.index(after: equals)...]
      let file = "\(directory)/\(value)"
      return !value.contains("/") && !value.isEmpty && FileSystem.exists(file)
        ? "\(word[...equals])\(file)" : word
    }
  }

  private static func output(of words: [String]) throws -> String {
    let (output, errors) = (TextBuffer(), TextBuffer())
    let code = Program.run(words, in: CommandContext(output: output, errors: errors))
    guard code == .success else {
      throw AuditError("\(words[0]) fails on the record's files: \(errors.text)")
    }
    return output.text
  }
}

extension RunRecord.Check {
  /// Compares the receipt of a picture with one that is made now.
  fileprivate mutating func compareReceipts(
    of picture: String, _ record: RecordFile, in directory: String
  ) throws {
    let path = "\(directory)/\(picture).receipt.json"
    guard case .receipt(let stated) = try CheckedDocument(path: path) else {
      throw AuditError("\(path) is no receipt")
    }
    let found = try Receipt(RunRecord.receipt(record.arguments, picture, in: directory))
    let name = record.arguments.first { $0.hasPrefix("--model=") }?.dropFirst("--model=".count)
    let model = try name.map { try Model(path: "\(directory)/\($0)") }
    let verdict = stated.verdict(comparedWith: found, of: model)
    switch verdict.outcome {
    case .holds: break
    case .differs: differences.append("\(picture): \(verdict.message)")
    case .undecided: doubts.append("\(picture): \(verdict.message)")
    }
  }
}

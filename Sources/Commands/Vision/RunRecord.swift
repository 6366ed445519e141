import OcellusAudit
import OcellusEngine
import OcellusJSON
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

  private static let schema = "ocellus-record"
  private static let schemaVersion = 1
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
      "version": .string(Program.version), "command": .string(command),
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

  /// Runs the command of a record again.
  ///
  /// - Returns: the differences from the record; none if it holds.
  static func differences(in directory: String) throws -> [String] {
    let path = "\(directory)/\(fileName)"
    let json: JSONValue
    do { json = try JSONParser.parse(try FileSystem.read(path, limit: 1 << 28)) } catch let error
      as JSONError
    { throw AuditError("\(path): \(error)") }
    guard let object = json.object, object["schema"]?.string == schema,
      object["schema_version"]?.integer == schemaVersion, let command = object["command"]?.string,
      let arguments = object["arguments"]?.array?.compactMap(\.string),
      let pictures = object["pictures"]?.array?.compactMap(\.string),
      let results = object["results"]
    else { throw AuditError("\(path) is not a record that this version can read") }
    guard ["detect", "label", "track"].contains(command) else {
      throw AuditError("\(path): '\(command)' is not a command that can be recorded")
    }
    let files = (object["files"]?.array ?? []).compactMap { FileCopier.Copy($0) }
    for name in pictures + files.map(\.name) where name.contains("/") || name.hasPrefix(".") {
      throw AuditError("\(path): '\(name)' is no file of the record")
    }
    // A record from an untrusted source must not write files.
    let options = try Program.command(named: command).definition.options.map(\.name)
    for word in arguments {
      let name = word.dropFirst(2).prefix { $0 != "=" }
      guard word.hasPrefix("--"), options.contains(String(name)), !leftOut.contains(String(name))
      else { throw AuditError("\(path): '\(word)' is no argument of a record") }
    }
    var differences = try files.filter { try $0.isOther(in: directory) }
      .map { "\($0.name) has changed since it was recorded" }
    if !differences.isEmpty { return differences }
    if try run(command, arguments, pictures, in: directory) != results {
      differences.append("'\(command)' now gives another result")
    }
    for picture in pictures where hasReceipts(command) {
      let file = "\(directory)/\(picture).receipt.json"
      let stated = try Receipt(JSONParser.parse(try FileSystem.read(file, limit: 1 << 28)))
      let found = try Receipt(receipt(arguments, picture, in: directory))
      let verdict = stated.verdict(comparedWith: found)
      if !verdict.holds { differences.append("\(picture): \(verdict.message)") }
    }
    return differences
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

  private static func receipt(
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

/// Copies files into a directory under distinct names.
private struct FileCopier {
  /// A file of a record and its hash at the time of writing.
  struct Copy {
    let name: String
    let hash: String

    init(_ bytes: [UInt8], named name: String) {
      self.name = name
      hash = SHA256.hash(bytes).hexadecimal
    }

    /// Reads the entry of a file in a record.
    init?(_ json: JSONValue) {
      guard let name = json.object?["name"]?.string, let hash = json.object?["sha256"]?.string
      else { return nil }
      (self.name, self.hash) = (name, hash)
    }

    func isOther(in directory: String) throws -> Bool {
      try SHA256.hash(FileSystem.read("\(directory)/\(name)")).hexadecimal != hash
    }
  }

  let directory: String
  private(set) var copies: [Copy] = []
  private var count = 0

  init(directory: String) { self.directory = directory }

  /// - Returns: the name of the copy.
  mutating func copy(_ path: String) throws -> String {
    count += 1
    let name = "\(count)-\(TensorFileName.plain(path.lastPathComponent))"
    try copy(path, to: name)
    return name
  }

  private mutating func copy(_ path: String, to name: String) throws {
    let bytes = try FileSystem.read(path)
    try FileSystem.write(bytes, to: "\(directory)/\(name)")
    copies.append(Copy(bytes, named: name))
  }

  /// Copies a model and the label files beside it under their own names, by which labels are found.
  mutating func copyModel(_ path: String) throws -> String {
    guard !FileSystem.isDirectory(path) else {
      throw AuditError("--record takes a model's file, not a folder: \(path)")
    }
    let name = path.lastPathComponent
    let stem = String(name.prefix { $0 != "." })
    for file in try FileSystem.entries(of: path.parentPath)
    where file == name || file.hasSuffix(".txt") && file.hasPrefix(stem) {
      try copy("\(path.parentPath)/\(file)", to: file)
    }
    return name
  }
}

import OcellusAudit
import OcellusEngine
import OcellusJSON
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform

/// The file of a record that tells what was run, and its results.
struct RecordFile {
  let command: String
  let arguments: [String]
  let pictures: [String]
  let files: [FileCopier.Copy]
  let results: JSONValue
  /// The conditions of the run.
  let setting: Receipt.Setting

  /// Reads the file at `path`, whose arguments may be any options but `leftOut`.
  ///
  /// - Throws: an error if something in it could do harm, since records come from others.
  init(at path: String, leftOut: Set<String>) throws {
    let json: JSONValue
    do { json = try JSONParser.parse(try FileSystem.read(path, limit: 1 << 28)) } catch let error
      as JSONError
    { throw AuditError("\(path): \(error)") }
    guard let object = json.object, object["schema"]?.string == RunRecord.schema,
      object["schema_version"]?.integer == RunRecord.schemaVersion,
      let command = object["command"]?.string,
      let arguments = object["arguments"]?.array?.compactMap(\.string),
      let pictures = object["pictures"]?.array?.compactMap(\.string),
      let results = object["results"]
    else { throw AuditError("\(path) is not a record that this version can read") }
    guard ["detect", "label", "track"].contains(command) else {
      throw AuditError("\(path): '\(command)' is not a command that can be recorded")
    }
    files = (object["files"]?.array ?? []).compactMap { FileCopier.Copy($0) }
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
    var setting = Self.ownSetting(of: arguments)
    setting.version = object["version"]?.string ?? setting.version
    setting.instructionSet = object["instruction_set"]?.string ?? setting.instructionSet
    self.setting = setting
    (self.command, self.arguments, self.pictures) = (command, arguments, pictures)
    self.results = results
  }

  /// Returns the conditions of a run with these arguments, here.
  static func ownSetting(of arguments: [String]) -> Receipt.Setting {
    Receipt.Setting(
      version: Program.version, instructionSet: KernelTable.available.first?.name ?? "",
      threads: 1,
      numerics: Interpreter.Options(numerics: NumericsOptions.requested(by: arguments)).numericsName
    )
  }
}

/// Copies files into a directory under distinct names.
struct FileCopier {
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

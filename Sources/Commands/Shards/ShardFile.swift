import OcellusJSON
import OcellusPlatform

/// The results of one shard, one per line, in a file that survives a crash of the program.
///
/// Until the last result is written, the file's name ends with `.part`, and the next run continues
/// after the last complete line.
final class ShardFile: TextOutput {
  /// The number of pictures that an earlier run processed.
  let doneCount: Int
  /// The number of these pictures that failed.
  let failedCount: Int
  /// Whether all results are already present.
  let isComplete: Bool
  /// The path of the complete file.
  let path: String
  /// The unfinished file; `nil` if the results are complete.
  private let part: OpenFile?
  private var pending: [UInt8] = []
  /// Whether the file contains a result after which the next run can continue.
  private var isWorthKeeping: Bool

  /// What every result of a shard has in common.
  struct Origin {
    let command: String
    let modelHash: String?
    let options: ShardOptions

    /// - Throws: an error if a result has another origin.
    fileprivate func check(_ result: JSONObject, at place: String) throws {
      let remedy = "give the same command, or name another folder"
      let found: [(name: String, own: String?)] = [
        ("command", command), ("program_version", Program.version), ("model_sha256", modelHash),
      ]
      for (name, own) in found where result[name]?.string != own {
        let words = name.replacing("_", with: " ")
        throw RunError(
          "\(place) has the \(words) \(result[name]?.string ?? "of nothing"), and this run "
            + "\(own ?? "none"); \(remedy)")
      }
      guard let words = result["options"]?.array?.compactMap(\.string) else {
        throw RunError("\(place) does not say with which options it was made; name another folder")
      }
      if let difference = options.difference(from: ShardOptions(recorded: words)) {
        throw UsageError(
          "\(place) was made \(difference.other), and this run is \(difference.own); \(remedy)")
      }
    }
  }

  private static func partPath(of path: String) -> String { path + ".part" }

  /// Opens the file of a shard in `directory` and reads the existing results.
  ///
  /// - Throws: an error if they concern other pictures, or come from another model or with other
  ///   options, or if another process writes the file.
  init(
    in directory: String, of shard: Shard, pictures: [(position: Int, path: String)],
    origin: Origin
  ) throws {
    try FileSystem.createDirectory(directory)
    path = "\(directory)/\(shard.fileName)"
    isComplete = FileSystem.exists(path)
    let file = isComplete ? path : Self.partPath(of: path)
    part = isComplete ? nil : try OpenFile(appendingTo: file)
    guard try part?.tryLock(.exclusive) ?? true else {
      throw RunError("\(file): another process is at work on this shard")
    }
    let byteCount = FileSystem.byteCount(of: file) ?? 0
    let (count, failures, end) = try Self.wholeLines(
      of: file, byteCount: byteCount, pictures: pictures, origin: origin)
    guard !isComplete || (count == pictures.count && end == byteCount) else {
      throw RunError("\(file): has \(count) of \(pictures.count) results; name another folder")
    }
    doneCount = count
    failedCount = failures
    isWorthKeeping = count > 0
    // A line that was cut off is written again.
    try part?.cut(to: end)
  }

  /// Returns the number of complete results, how many are errors, and the end of the last one.
  private static func wholeLines(
    of path: String, byteCount: Int, pictures: [(position: Int, path: String)], origin: Origin
  ) throws -> (count: Int, failures: Int, end: Int) {
    var reader = BufferedReader(try OpenFile(reading: path))
    var (count, failures, end) = (0, 0, 0)
    while case .bytes(let line)? = try reader.line(limit: ResultList.longestLine) {
      let isWhole = end + line.count < byteCount
      guard isWhole, let record = try? JSONParser.parse(line).object else { break }
      guard count < pictures.count, record["image"]?.string == pictures[count].path,
        record["place"]?.integer == pictures[count].position
      else {
        throw RunError("\(path): line \(count + 1) is about another picture; name another folder")
      }
      try origin.check(record, at: "\(path): line \(count + 1)")
      if record["error"] != nil { failures += 1 }
      count += 1
      end += line.count + 1
    }
    return (count, failures, end)
  }

  func write(_ text: String) { pending += text.fileNameBytes }

  func write(_ bytes: [UInt8]) { pending += bytes }

  func flush() throws(FileError) {
    // Text that could not be written is not tried again.
    defer { pending.removeAll(keepingCapacity: true) }
    try part?.write(pending)
    if !pending.isEmpty { isWorthKeeping = true }
  }

  /// Gives the complete file its final name, after it is safely on the disk.
  func close() throws(FileError) {
    try flush()
    guard let part else { return }
    try part.synchronize()
    try FileSystem.rename(Self.partPath(of: path), to: path)
  }

  deinit {
    if !isWorthKeeping { try? FileSystem.remove(Self.partPath(of: path)) }
  }
}

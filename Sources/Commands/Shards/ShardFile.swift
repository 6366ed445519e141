import OcellusJSON
import OcellusPlatform

/// The results of one shard, one per line, in a file that survives a crash of the program.
///
/// Until the last result is written, the file's name ends with `.part`, and the next run continues
/// after the last complete line.
final class ShardFile: TextOutput {
  /// The number of pictures that an earlier run processed.
  let doneCount: Int
  /// Whether all results are already present.
  let isComplete: Bool
  /// The path of the complete file.
  let path: String
  /// The unfinished file; `nil` if the results are complete.
  private let part: OpenFile?
  private var pending: [UInt8] = []
  /// Whether the file contains a result after which the next run can continue.
  private var isWorthKeeping: Bool

  private static func partPath(of path: String) -> String { path + ".part" }

  /// Opens the file of a shard in `directory` and reads the existing results.
  ///
  /// - Throws: an error if they concern other pictures or another model, or if another process
  ///   writes the file.
  init(
    in directory: String, of shard: Shard, pictures: [(position: Int, path: String)],
    modelHash: String?
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
    let (count, end) = try Self.wholeLines(
      of: file, byteCount: byteCount, pictures: pictures, modelHash: modelHash)
    guard !isComplete || (count == pictures.count && end == byteCount) else {
      throw RunError("\(file): has \(count) of \(pictures.count) results; name another folder")
    }
    doneCount = count
    isWorthKeeping = count > 0
    // A line that was cut off is written again.
    try part?.cut(to: end)
  }

  /// Returns the number of complete results and the end of the last one.
  private static func wholeLines(
    of path: String, byteCount: Int, pictures: [(position: Int, path: String)], modelHash: String?
  ) throws -> (count: Int, end: Int) {
    var reader = BufferedReader(try OpenFile(reading: path))
    var (count, end) = (0, 0)
    while case .bytes(let line)? = try reader.line(limit: ResultList.longestLine) {
      let isWhole = end + line.count < byteCount
      guard isWhole, let record = try? JSONParser.parse(line).object else { break }
      guard count < pictures.count, record["image"]?.string == pictures[count].path,
        record["place"]?.integer == pictures[count].position,
        record["model_sha256"]?.string == modelHash
      else {
        throw RunError(
          "\(path): line \(count + 1) is about another picture or model; name another folder")
      }
      count += 1
      end += line.count + 1
    }
    return (count, end)
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

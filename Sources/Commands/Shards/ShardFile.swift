import OcellusJSON
import OcellusPlatform

/// The results about one shard, a line each, which survive whatever ends the program: until the last is
/// there, the file's name ends with `.part`, and the next run goes on behind the last whole line.
final class ShardFile: TextOutput {
  /// How many pictures were looked at before.
  let doneCount: Int
  /// Whether there is nothing left to do.
  let isComplete: Bool
  /// Where the results are in the end.
  let path: String
  /// `nil` where nothing is left to write.
  private let part: OpenFile?
  private var pending: [UInt8] = []
  /// Whether there is a result that the next run can go on behind.
  private var isWorthKeeping: Bool

  private static func partPath(of path: String) -> String { path + ".part" }

  /// Opens the file of a shard in `directory`, and looks at what is there already.
  ///
  /// - Throws: when that is about other pictures or another model, or another process is at it.
  init(
    in directory: String, of shard: Shard, pictures: [(place: Int, path: String)],
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
    // A line that was torn in the middle is written again.
    try part?.cut(to: end)
  }

  /// How many results there are, and where the last ends.
  private static func wholeLines(
    of path: String, byteCount: Int, pictures: [(place: Int, path: String)], modelHash: String?
  ) throws -> (count: Int, end: Int) {
    var reader = BufferedReader(try OpenFile(reading: path))
    var (count, end) = (0, 0)
    while case .bytes(let line)? = try reader.line(limit: ResultList.longestLine) {
      let isWhole = end + line.count < byteCount
      guard isWhole, let record = try? JSONParser.parse(line).object else { break }
      guard count < pictures.count, record["image"]?.string == pictures[count].path,
        record["place"]?.integer == pictures[count].place,
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
    // What could not be written once is not tried again.
    defer { pending.removeAll(keepingCapacity: true) }
    try part?.write(pending)
    if !pending.isEmpty { isWorthKeeping = true }
  }

  /// Gives the complete file its name, when it is safe on the disk.
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

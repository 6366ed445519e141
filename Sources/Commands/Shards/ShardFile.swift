import OcellusJSON
import OcellusPlatform

/// The results about one shard, a line each, which survive whatever ends the program: until the last is
/// there, the file's name ends with `.part`, and the next run goes on behind the last whole line.
///
/// Unchecked: the command's own thread is the only one that writes.
final class ShardFile: TextOutput, @unchecked Sendable {
  /// How many pictures were looked at before.
  let doneCount: Int
  /// Whether there is nothing left to do.
  let isComplete: Bool
  /// Where the results are in the end.
  let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []

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
    descriptor = file.withFileName { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileError(failedAt: file, action: .written) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      _ = OcellusPlatform.close(descriptor)
      throw RunError("\(file): another process is at work on this shard")
    }
    do {
      let bytes = try FileSystem.read(file)
      let (count, end) = try Self.wholeLines(
        in: bytes, of: file, pictures: pictures, modelHash: modelHash)
      doneCount = count
      guard !isComplete || (count == pictures.count && end == bytes.count) else {
        throw RunError("\(file): has \(count) of \(pictures.count) results; name another folder")
      }
      // A line that was torn in the middle is written again.
      guard isComplete || ftruncate(descriptor, off_t(end)) == 0,
        lseek(descriptor, off_t(end), SEEK_SET) >= 0
      else { throw FileError(failedAt: file, action: .written) }
    } catch {
      _ = OcellusPlatform.close(descriptor)
      throw error
    }
  }

  /// How many results there are, and where the last ends.
  private static func wholeLines(
    in bytes: [UInt8], of path: String, pictures: [(place: Int, path: String)], modelHash: String?
  ) throws -> (count: Int, end: Int) {
    var (count, end) = (0, 0)
    while let newline = bytes[end...].firstIndex(of: UInt8(ascii: "\n")) {
      guard let record = try? JSONParser.parse(Array(bytes[end..<newline])).object else { break }
      guard count < pictures.count, record["image"]?.string == pictures[count].path,
        record["place"]?.integer == pictures[count].place,
        record["model_sha256"]?.string == modelHash
      else {
        throw RunError(
          "\(path): line \(count + 1) is about another picture or model; name another folder")
      }
      count += 1
      end = newline + 1
    }
    return (count, end)
  }

  func write(_ text: String) { pending += text.fileNameBytes }

  func write(_ bytes: [UInt8]) { pending += bytes }

  func flush() throws(FileError) {
    var rest = pending[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        OcellusPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw FileError(failedAt: Self.partPath(of: path), action: .written)
      }
      rest = rest.dropFirst(count)
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Gives the complete file its name, when it is safe on the disk.
  func close() throws(FileError) {
    try flush()
    guard !isComplete else { return }
    let renamed = Self.partPath(of: path).withFileName { part in
      path.withFileName { whole in fsync(descriptor) == 0 ? rename(part, whole) : -1 }
    }
    guard renamed == 0 else { throw FileError(failedAt: path, action: .written) }
  }

  deinit { _ = OcellusPlatform.close(descriptor) }

}

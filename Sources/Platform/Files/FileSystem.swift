/// Whole files and folders: the one place that reads and writes them.
package enum FileSystem {
  /// The bytes of a file, or of a pipe or device up to its end.
  package static func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    let (kind, byteCount) = try file.status()
    guard kind != .directory else { throw FileError(.system(EISDIR), path: path, action: .read) }
    return try read(file, about: byteCount, limit: .max)
  }

  /// The bytes of a regular file, at most `limit` of them; never waits.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path, waiting: false)
    let (kind, byteCount) = try file.status()
    guard kind == .file else { throw FileError(.notAFile(kind), path: path, action: .read) }
    return try read(file, about: byteCount, limit: limit)
  }

  /// Writes a file, in place of one that may be there.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OpenFile(writing: path)
    try file.write(bytes)
    try file.close()
  }

  /// Makes a directory and those above it, where they are not there yet.
  package static func createDirectory(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    let parent = path.parentPath
    if parent != path, !parent.isEmpty { try createDirectory(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw FileError(failedAt: path, action: .written)
    }
  }

  /// The names in a directory, sorted.
  package static func entries(of path: String) throws(FileError) -> [String] {
    guard let stream = opendir(path) else { throw FileError(failedAt: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether there is a file or a directory.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is something that may be read.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether there is a directory.
  package static func isDirectory(_ path: String) -> Bool { status(path)?.kind == .directory }

  /// How long a regular file is; `nil` when there is none.
  package static func byteCount(of path: String) -> Int? {
    guard let (kind, byteCount) = status(path), kind == .file else { return nil }
    return byteCount
  }

  private static func status(_ path: String) -> (kind: FileKind, byteCount: Int)? {
    var status = stat()
    return stat(path, &status) == 0 ? (FileKind(status), Int(status.st_size)) : nil
  }

  private static func read(
    _ file: OpenFile, about byteCount: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // The size is only a hint: pipes have none, a file may grow or shrink meanwhile, and some that
    // have bytes say 0. One byte more shows that it ends there, or is too long.
    var room = min(max(byteCount, 1 << 12), limit, 1 << 30) + 1
    while true {
      let chunk = try chunk(of: room, from: file)
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else {
        throw FileError(.tooLarge(limit: limit), path: file.path, action: .read)
      }
      room = max(room - chunk.count, 1 << 16)
    }
  }

  private static func chunk(of size: Int, from file: OpenFile) throws(FileError) -> [UInt8] {
    var result: Result<Int, FileError> = .success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { chunk, filled in
      let target = UnsafeMutableRawBufferPointer(chunk)
      result = Result { () throws(FileError) in try file.read(into: target) }
      filled = (try? result.get()) ?? 0
    }
    _ = try result.get()
    return bytes
  }
}

import OcellusPlatform

/// The few things the commands do with files.
enum FileSystem {
  /// The bytes of a file.
  static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(failedAt: path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(path: path, code: EISDIR) }
    // The size is only a hint: pipes have none, and a file may grow or shrink meanwhile.
    var bytes: [UInt8] = []
    var chunkSize = max(Int(status.st_size) + 1, 1 << 12)
    var isAtEnd = false
    while !isAtEnd {
      let start = bytes.count
      var count = 0
      bytes += [UInt8](unsafeUninitializedCapacity: chunkSize) { chunk, filled in
        repeat {
          count = OcellusPlatform.read(descriptor, chunk.baseAddress, chunkSize)
        } while count < 0 && errno == EINTR
        filled = max(count, 0)
      }
      if count < 0 { throw FileError(failedAt: path) }
      isAtEnd = count == 0
      chunkSize = max(chunkSize - (bytes.count - start), 1 << 12)
    }
    return bytes
  }

  /// Writes a file, in place of one that may be there.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        OcellusPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        defer { close(descriptor) }
        throw FileError(failedAt: path)
      }
      done += count
    }
    guard close(descriptor) == 0 else { throw FileError(failedAt: path) }
  }

  /// Makes a directory and those above it, where they are not there yet.
  static func createDirectory(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    let parent = path.parentPath
    if parent != path, !parent.isEmpty { try createDirectory(parent) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError(failedAt: path) }
  }

  /// The names in a directory, sorted.
  static func entries(of path: String) throws(FileError) -> [String] {
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
  static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Whether there is a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension String {
  /// The path of the directory that holds this one; "." for a plain name.
  var parentPath: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The last part of the path.
  var lastPathComponent: String {
    guard let slash = lastIndex(of: "/") else { return self }
    return String(self[index(after: slash)...])
  }
}

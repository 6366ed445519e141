/// Operations on whole files and folders; no other code reads or writes them.
package enum FileSystem {
  /// Returns the bytes of a file, or of a pipe or device up to its end.
  package static func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    let (kind, byteCount) = try file.status()
    guard kind != .directory else { throw FileError(.system(EISDIR), path: path, action: .read) }
    return try read(file, about: byteCount, limit: .max)
  }

  /// Returns the bytes of a regular file, at most `limit` of them, without ever waiting.
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path, waiting: false)
    let (kind, byteCount) = try file.status()
    guard kind == .file else { throw FileError(.notAFile(kind), path: path, action: .read) }
    return try read(file, about: byteCount, limit: limit)
  }

  /// Returns the bytes of a stream up to its end, at most `limit` of them.
  package static func read(_ stream: OpenFile, limit: Int) throws(FileError) -> [UInt8] {
    try read(stream, about: 0, limit: limit)
  }

  /// Writes a file, and replaces an existing one atomically.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OpenFile(writing: path)
    try file.write(bytes)
    try file.close()
  }

  /// Writes a file atomically, and returns only when it is on the disk.
  ///
  /// A file that refers to others must not exist before they do, even if the machine crashes.
  package static func writeDurably(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OpenFile(writing: path)
    try file.write(bytes)
    try file.synchronize()
    try file.close()
    try OpenFile(folder: path.parentPath).synchronize()
  }

  /// Renames a file or folder, also on the disk, and replaces a file that has the new name.
  package static func rename(_ path: String, to newPath: String) throws(FileError) {
    let result = path.withFileName { source in
      newPath.withFileName { OcellusPlatform.rename(source, $0) }
    }
    guard result == 0 else { throw FileError(failedAt: newPath, action: .written) }
    try OpenFile(folder: newPath.parentPath).synchronize()
  }

  /// Removes a file, or a folder with its contents; it is no error if there is none.
  package static func remove(_ path: String) throws(FileError) {
    // Remove a symbolic link, not its target.
    if path.withFileName({ unlink($0) }) == 0 || errno == ENOENT { return }
    guard errno == EISDIR || errno == EPERM, isDirectory(path) else {
      throw FileError(failedAt: path, action: .written)
    }
    for name in try entries(of: path) { try remove(path + "/" + name) }
    guard path.withFileName({ rmdir($0) }) == 0 || errno == ENOENT else {
      throw FileError(failedAt: path, action: .written)
    }
  }

  /// Returns the time of the last change or `markAsUsed`, in nanoseconds since 1970; 0 if nothing
  /// is there.
  package static func lastUse(of path: String) -> Int {
    status(path).map { Int($0.st_mtim.tv_sec) * 1_000_000_000 + Int($0.st_mtim.tv_nsec) } ?? 0
  }

  /// Makes a directory and its parents, unless they exist.
  package static func createDirectory(_ path: String) throws(FileError) {
    if isDirectory(path) { return }
    let parent = path.parentPath
    if parent != path, !parent.isEmpty { try createDirectory(parent) }
    guard path.withFileName({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
      throw FileError(failedAt: path, action: .written)
    }
  }

  /// Returns the names in a directory, sorted.
  package static func entries(of path: String) throws(FileError) -> [String] {
    guard let stream = path.withFileName({ opendir($0) }) else { throw FileError(failedAt: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(fileNameBytes: bytes.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns whether a file or directory exists.
  package static func exists(_ path: String) -> Bool { path.withFileName { access($0, F_OK) } == 0 }

  /// Returns whether something exists and may be read.
  package static func isReadable(_ path: String) -> Bool {
    path.withFileName { access($0, R_OK) } == 0
  }

  /// Returns whether a directory exists.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == .directory }

  /// Returns the kind of object at a path; `nil` if nothing is there.
  package static func kind(of path: String) -> FileKind? { status(path).map { FileKind($0) } }

  /// Returns the size of a regular file; `nil` if there is none.
  package static func byteCount(of path: String) -> Int? {
    guard let status = status(path), FileKind(status) == .file else { return nil }
    return Int(status.st_size)
  }

  /// Returns the paths that match a shell pattern, sorted.
  package static func matches(of pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard pattern.withFileName({ glob($0, 0, nil, &found) }) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv?[index].map { String(fileName: $0) }
    }
  }

  /// Returns a text that identifies a file whichever path leads to it, even a file yet to be made.
  package static func identity(of path: String) -> String {
    if let status = status(path) { return "\(status.st_dev):\(status.st_ino)" }
    let parent = path.parentPath
    return parent == path ? path : "\(identity(of: parent))/\(path.lastPathComponent)"
  }

  /// Returns the names from the root to a path, without `.` and `..`; they need not exist.
  package static func absoluteComponents(of path: String) -> [String] {
    var parts: [String] = []
    for part in (path.hasPrefix("/") ? path : "\(resolvingLinks("."))/\(path)").split(
      separator: "/")
    {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts
  }

  /// Returns the path with symbolic links resolved, or unchanged if that fails.
  static func resolvingLinks(_ path: String) -> String {
    path.withFileName { name in
      guard let resolved = realpath(name, nil) else { return path }
      defer { free(resolved) }
      return String(fileName: resolved)
    }
  }

  /// Gives an open file the permissions and, if allowed, the owner of the file at a path.
  static func copyPermissions(of path: String, to descriptor: Int32) {
    guard let status = status(path) else { return }
    _ = fchown(descriptor, status.st_uid, status.st_gid)
    _ = fchmod(descriptor, status.st_mode & 0o7777)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return path.withFileName { stat($0, &status) } == 0 ? status : nil
  }

  private static func read(
    _ file: OpenFile, about byteCount: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    // The size is only a hint: pipes have none, a file may grow or shrink meanwhile, and some files
    // with contents report 0. One byte more shows whether the file ends there or is too long.
    var capacity = min(max(byteCount, 1 << 12), limit, 1 << 30) + 1
    while true {
      let chunk = try chunk(of: capacity, from: file)
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else {
        throw FileError(.tooLarge(limit: limit), path: file.path, action: .read)
      }
      capacity = max(capacity - chunk.count, 1 << 16)
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

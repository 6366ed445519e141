import OcellusPlatform

/// Reading and writing whole files.
enum PictureFile {
  /// The bytes of a regular file.
  static func read(_ path: String, maximumBytes: Int) throws(ImageError) -> [UInt8] {
    // Without waiting: a pipe whose other end nobody opens would keep the program forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure("cannot be opened", path) }
    defer { close(descriptor) }
    let size = try sizeOfRegularFile(descriptor, path)
    var bytes: [UInt8] = []
    // The size is only a hint: a file may grow or shrink meanwhile, and some that have bytes say 0.
    var room = min(max(size, 0), maximumBytes) + 1
    while true {
      let chunk = try chunk(of: room, from: descriptor, path)
      if chunk.isEmpty { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= maximumBytes else {
        throw ImageError(
          .tooLarge, "the file is larger than the limit of \(maximumBytes) bytes", path: path)
      }
      room = max(room - chunk.count, 1 << 16)
    }
  }

  /// Writes a file, in place of one that may be there.
  static func write(_ bytes: [UInt8], to path: String) throws(ImageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("cannot be written", path) }
    let result = Result { () throws(ImageError) in try write(bytes, to: descriptor, path) }
    guard close(descriptor) == 0 || (try? result.get()) == nil else {
      throw failure("cannot be written", path)
    }
    try result.get()
  }

  /// Writes bytes to an open file.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(ImageError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        OcellusPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot be written", path) }
      done += count
    }
  }

  /// Whether there is a file or a directory.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is a directory.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a directory, in no order.
  static func names(in directory: String) throws(ImageError) -> [String] {
    guard let stream = opendir(directory) else { throw failure("cannot be opened", directory) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }

  /// What the system says went wrong last.
  static func failure(_ what: String, _ path: String) -> ImageError {
    ImageError(.unreadable, "\(what): \(String(cString: strerror(errno)))", path: path)
  }

  private static func sizeOfRegularFile(
    _ descriptor: Int32, _ path: String
  ) throws(ImageError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read", path) }
    let message: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFDIR: message = "this is a directory; name a file in it"
    case S_IFIFO: message = "this is a pipe, not a file; write to a file first"
    default: message = "this is a device, not a file"
    }
    throw ImageError(.unreadable, message, path: path)
  }

  private static func chunk(
    of size: Int, from descriptor: Int32, _ path: String
  ) throws(ImageError) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { chunk, filled in
      repeat {
        count = OcellusPlatform.read(descriptor, chunk.baseAddress, size)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count >= 0 else { throw failure("cannot be read", path) }
    return bytes
  }
}

/// An open file, pipe or stream of the system; what it opened itself is closed with it.
package final class OpenFile {
  /// The system's number for it.
  package let descriptor: Int32
  /// What it was opened as, for messages.
  package let path: String
  private var isToBeClosed: Bool

  private init(_ descriptor: Int32, path: String, isToBeClosed: Bool) throws(FileError) {
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    self.descriptor = descriptor
    self.path = path
    self.isToBeClosed = isToBeClosed
  }

  /// What is open already, and stays so.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    path = "-"
    isToBeClosed = false
  }

  /// Opens a file to be read; `waiting` for a writer where it is a pipe.
  package convenience init(reading path: String, waiting: Bool = true) throws(FileError) {
    // Without waiting: a pipe whose other end nobody opens would keep the program forever.
    try self.init(
      open(path, O_RDONLY | O_CLOEXEC | (waiting ? 0 : O_NONBLOCK)), path: path, isToBeClosed: true)
  }

  /// Opens a file to be written, in place of one that may be there.
  package convenience init(writing path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    try self.init(descriptor, path: path, isToBeClosed: true)
  }

  deinit {
    if isToBeClosed { OcellusPlatform.close(descriptor) }
  }

  /// What it is, and how many bytes it has, as far as the system can tell.
  package func status() throws(FileError) -> (kind: FileKind, byteCount: Int) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(failedAt: path, action: .read) }
    return (FileKind(status), Int(status.st_size))
  }

  /// Reads what there is, up to the length of `target`; nothing at the end.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let count = OcellusPlatform.read(descriptor, target.baseAddress, target.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw FileError(failedAt: path, action: .read) }
    }
  }

  /// Writes all of these bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = OcellusPlatform.write(descriptor, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(failedAt: path, action: .written) }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes all of these bytes.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try write(buffer) }
    }
    try result.get()
  }

  /// Ends writing: only now is it known whether the bytes have arrived.
  package func close() throws(FileError) {
    guard isToBeClosed else { return }
    isToBeClosed = false
    guard OcellusPlatform.close(descriptor) == 0 else {
      throw FileError(failedAt: path, action: .written)
    }
  }
}

extension FileKind {
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    default: self = .device
    }
  }
}

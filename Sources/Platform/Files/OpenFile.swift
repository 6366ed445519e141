/// An open file, pipe or stream; it is closed on release if this class opened it.
package final class OpenFile {
  /// The system's file descriptor.
  package let descriptor: Int32
  /// The path or name, for messages.
  package let path: String
  /// The draft that gives a written file its name when it is complete.
  private let draft: FileDraft?
  private var isToBeClosed: Bool
  /// Whether the file is locked, until it is closed.
  var isLocked = false

  private init(_ descriptor: Int32, path: String, draft: FileDraft? = nil, isToBeClosed: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.draft = draft
    self.isToBeClosed = isToBeClosed
  }

  /// Opens a file for reading; for a pipe, `waiting` waits for a writer.
  package convenience init(reading path: String, waiting: Bool = true) throws(FileError) {
    // Not waiting avoids being blocked for ever by a pipe that nobody opens for writing.
    let flags = O_RDONLY | O_CLOEXEC | (waiting ? 0 : O_NONBLOCK)
    let descriptor = path.withFileName { open($0, flags) }
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a file for writing, which replaces an existing one only when it is closed.
  ///
  /// Bytes for a pipe or device are written at once.
  package convenience init(writing path: String) throws(FileError) {
    let descriptor: Int32
    var draft: FileDraft?
    switch FileSystem.kind(of: path) {
    case nil, .file:
      var draftDescriptor: Int32 = -1
      draft = try FileDraft(replacing: path, descriptor: &draftDescriptor)
      descriptor = draftDescriptor
    case .directory: throw FileError(.notAFile(.directory), path: path, action: .written)
    case .pipe, .device: descriptor = path.withFileName { open($0, O_WRONLY | O_CLOEXEC) }
    }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    self.init(descriptor, path: path, draft: draft, isToBeClosed: true)
  }

  /// Opens a file for appending, and makes it at once if there is none.
  package convenience init(appendingTo path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = path.withFileName { open($0, flags, 0o666) }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a file that exists only to be locked, and makes it if there is none.
  package convenience init(toLock path: String) throws(FileError) {
    let descriptor = path.withFileName { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a folder, to be locked or synchronised with the disk.
  package convenience init(folder path: String) throws(FileError) {
    let descriptor = path.withFileName { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  deinit {
    guard isToBeClosed else { return }
    draft?.discard()
    unlock()
    OcellusPlatform.close(descriptor)
  }

  /// Returns the kind and the size, as far as the system can tell.
  package func status() throws(FileError) -> (kind: FileKind, byteCount: Int) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(failedAt: path, action: .read) }
    return (FileKind(status), Int(status.st_size))
  }

  /// Reads available bytes, up to the length of `target`, and returns their number; 0 at the end.
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
      let remaining = UnsafeRawBufferPointer(rebasing: rest)
      let count = OcellusPlatform.write(descriptor, remaining.baseAddress, remaining.count)
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

  /// Copies everything from another file.
  package func copyContents(of source: OpenFile) throws(FileError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let result = buffer.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in
          let count = try source.read(into: buffer)
          try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          return count
        }
      }
      if try result.get() == 0 { return }
    }
  }

  /// Finishes writing.
  ///
  /// Only now are write errors known for certain, and only now does a new file get its name.
  package func close() throws(FileError) {
    guard isToBeClosed else { return }
    isToBeClosed = false
    if let draft { return try draft.publish(descriptor, as: path) }
    unlock()
    guard OcellusPlatform.close(descriptor) == 0 else {
      throw FileError(failedAt: path, action: .written)
    }
  }
}

/// The standard streams of the process.
extension OpenFile {
  /// The standard input, which stays open.
  package static var standardInput: OpenFile {
    OpenFile(STDIN_FILENO, path: "standard input", isToBeClosed: false)
  }

  /// The standard output, which stays open.
  package static var standardOutput: OpenFile {
    OpenFile(STDOUT_FILENO, path: "standard output", isToBeClosed: false)
  }

  /// The standard output for its only owner, who closes it in the end.
  package static var ownedStandardOutput: OpenFile {
    OpenFile(STDOUT_FILENO, path: "standard output", isToBeClosed: true)
  }

  /// The standard error, which stays open.
  package static var standardError: OpenFile {
    OpenFile(STDERR_FILENO, path: "standard error", isToBeClosed: false)
  }

  /// Makes sure that the standard streams are open and that broken pipes end the program.
  package static func prepareStandardStreams() {
    // A closed stream's descriptor would go to the next opened file, and results would end up in
    // it.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is this one, and writing to it remains an error.
      _ = open("/dev/null", O_RDONLY)
    }
    // The parent process may ignore broken pipes; here they end the program silently, as shells
    // expect.
    signal(SIGPIPE, SIG_DFL)
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

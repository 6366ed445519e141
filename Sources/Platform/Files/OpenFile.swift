/// An open file, pipe or stream of the system; what it opened itself is closed with it.
package final class OpenFile {
  /// The system's number for it.
  package let descriptor: Int32
  /// What it was opened as, for messages.
  package let path: String
  /// What gives a file that is written its name, when that is complete.
  private let draft: FileDraft?
  private var isToBeClosed: Bool
  /// Whether it was locked, which ends with it.
  var isLocked = false

  private init(_ descriptor: Int32, path: String, draft: FileDraft? = nil, isToBeClosed: Bool) {
    self.descriptor = descriptor
    self.path = path
    self.draft = draft
    self.isToBeClosed = isToBeClosed
  }

  /// Opens a file to be read; `waiting` for a writer where it is a pipe.
  package convenience init(reading path: String, waiting: Bool = true) throws(FileError) {
    // Without waiting: a pipe whose other end nobody opens would keep the program forever.
    let flags = O_RDONLY | O_CLOEXEC | (waiting ? 0 : O_NONBLOCK)
    let descriptor = path.withFileName { open($0, flags) }
    guard descriptor >= 0 else { throw FileError(failedAt: path) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a file to be written, which takes the place of one that may be there when it is closed, and
  /// not before; to a pipe or device bytes go at once.
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

  /// Opens a file to be written on at its end; it is made where there is none, and is there at once.
  package convenience init(appendingTo path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = path.withFileName { open($0, flags, 0o666) }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a file without contents, which exists to be locked; it is made where there is none.
  package convenience init(toLock path: String) throws(FileError) {
    let descriptor = path.withFileName { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw FileError(failedAt: path, action: .written) }
    self.init(descriptor, path: path, isToBeClosed: true)
  }

  /// Opens a folder, to be locked or brought to the disk.
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

  /// Writes all that another file has.
  package func takeAll(of source: OpenFile) throws(FileError) {
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

  /// Ends writing: only now is it known whether the bytes have arrived, and only now is there a file.
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

/// The streams that every process has.
extension OpenFile {
  /// What comes in, which stays open.
  package static var standardInput: OpenFile {
    OpenFile(STDIN_FILENO, path: "standard input", isToBeClosed: false)
  }

  /// Where results go, which stays open.
  package static var standardOutput: OpenFile {
    OpenFile(STDOUT_FILENO, path: "standard output", isToBeClosed: false)
  }

  /// Where results go, for its one owner, who closes it at last.
  package static var ownedStandardOutput: OpenFile {
    OpenFile(STDOUT_FILENO, path: "standard output", isToBeClosed: true)
  }

  /// Where complaints go, which stays open.
  package static var standardError: OpenFile {
    OpenFile(STDERR_FILENO, path: "standard error", isToBeClosed: false)
  }

  /// Sees to it that streams are what the program takes them for, whoever started it.
  package static func prepareStandardStreams() {
    // A stream that was closed would be the next file that is opened, and results end up in there.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one, and writing to it stays an error.
      _ = open("/dev/null", O_RDONLY)
    }
    // Who started the program may ignore broken pipes; here they end it, quietly, as shells expect.
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

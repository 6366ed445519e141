import OcellusPlatform

/// The bytes of a model: a private read-only mapping of a file, or memory.
///
/// The bytes do not change or move until the last reference is released, so pointers into them may
/// be used as long as the owner is retained. (Another process that truncates a mapped file breaks
/// this promise; a process cannot defend itself against that.)
package final class ModelBytes: Sendable {
  private enum Storage: Sendable {
    case mapped
    case allocated
    case borrowed(owner: (any AnyObject & Sendable)?)
  }

  // A cache line: at least as strict as any alignment that a kernel requires.
  private static let alignment = 64

  // Written once, before the object is shared; the memory that it points to is read-only.
  nonisolated(unsafe) package let buffer: UnsafeRawBufferPointer
  /// The path of the file that the bytes come from, for messages.
  package let path: String?
  private let storage: Storage

  /// Maps a regular file, which must not be empty.
  package convenience init(path: String) throws(ModelFileError) {
    let file: OpenFile
    do throws(FileError) { file = try OpenFile(reading: path, waiting: false) } catch {
      throw Self.unreadable(path, error.reason)
    }
    // The file stays open until it is mapped.
    defer { withExtendedLifetime(file) {} }
    try self.init(descriptor: file.descriptor, path: path)
  }

  /// Maps an open file, which may be closed afterwards.
  init(descriptor: Int32, path: String) throws(ModelFileError) {
    buffer = try Self.map(descriptor, path: path)
    storage = .mapped
    self.path = path
  }

  /// Copies bytes into memory aligned for kernels.
  package init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count, alignment: Self.alignment)
    copy.copyBytes(from: bytes)
    buffer = UnsafeRawBufferPointer(copy)
    storage = .allocated
    path = nil
  }

  /// Uses foreign memory, which must not change while `owner` lives.
  package init(
    borrowing memory: UnsafeRawBufferPointer, owner: (any AnyObject & Sendable)?,
    path: String? = nil
  ) {
    buffer = memory
    storage = .borrowed(owner: owner)
    self.path = path
  }

  deinit {
    switch storage {
    case .mapped: munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    case .allocated: buffer.deallocate()
    case .borrowed: break
    }
  }

  private static func map(
    _ descriptor: Int32, path: String
  ) throws(ModelFileError) -> UnsafeRawBufferPointer {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, systemMessage()) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable(path, "not a regular file") }
    guard status.st_size > 0 else {
      throw ModelFileError(.malformed, "the file is empty", byteOffset: 0, path: path)
    }
    let count = Int(status.st_size)
    guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      address != MAP_FAILED
    else { throw unreadable(path, systemMessage()) }
    return UnsafeRawBufferPointer(start: address, count: count)
  }

  private static func unreadable(_ path: String, _ message: String) -> ModelFileError {
    ModelFileError(.unreadable, message, path: path)
  }
}

/// Returns the operating system's message for the last failed call.
func systemMessage() -> String { String(cString: strerror(errno)) }

/// What several processes that share files need: locks, and certainty about what is on the disk.
extension OpenFile {
  /// How a file is held.
  package enum Lock: Sendable {
    /// Together with others who hold it so.
    case shared
    /// Alone.
    case exclusive
  }

  /// Holds the file until it is closed or the process ends; false if somebody else does.
  ///
  /// Two who open the same file compete in one process as they do in two.
  package func tryLock(_ lock: Lock) throws(FileError) -> Bool {
    while flock(descriptor, (lock == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileError(failedAt: path, action: .written) }
    }
    isLocked = true
    return true
  }

  /// Lets go of the file, so that others can have it.
  ///
  /// Closing it is not enough: a process that another thread is just starting has the file open too, until the
  /// program in it begins.
  func unlock() {
    guard isLocked else { return }
    isLocked = false
    _ = flock(descriptor, LOCK_UN)
  }

  /// Waits until all that was written is on the disk.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(failedAt: path, action: .written) }
  }

  /// Takes away what is in the file behind so many bytes.
  package func cut(to byteCount: Int = 0) throws(FileError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw FileError(failedAt: path, action: .written)
    }
  }

  /// Notes that the file or folder was used just now, where that is allowed.
  package func markAsUsed() {
    _ = futimens(descriptor, nil)
  }
}

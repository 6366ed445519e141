/// Locks and durability, for processes that share files.
extension OpenFile {
  /// The kinds of lock on a file.
  package enum Lock: Sendable {
    /// Held together with other shared locks.
    case shared
    /// Held alone.
    case exclusive
  }

  /// Locks the file until it is closed or the process ends; returns false if that is not possible
  /// now.
  ///
  /// Two `OpenFile`s of the same file compete even inside one process.
  package func tryLock(_ lock: Lock) throws(FileError) -> Bool {
    while flock(descriptor, (lock == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw FileError(failedAt: path, action: .written) }
    }
    isLocked = true
    return true
  }

  /// Unlocks the file.
  ///
  /// Closing it is not enough: a process that another thread is just starting has inherited the
  /// file until its program begins.
  func unlock() {
    guard isLocked else { return }
    isLocked = false
    _ = flock(descriptor, LOCK_UN)
  }

  /// Waits until everything that was written is on the disk.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(failedAt: path, action: .written) }
  }

  /// Truncates the file.
  package func cut(to byteCount: Int = 0) throws(FileError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw FileError(failedAt: path, action: .written)
    }
  }

  /// Sets the file's or folder's time of last use to now, if allowed.
  package func markAsUsed() {
    _ = futimens(descriptor, nil)
  }
}

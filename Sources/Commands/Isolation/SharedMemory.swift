import OcellusPlatform

/// Zeroed memory that a process shares with the processes forked from it.
struct SharedMemory: ~Copyable {
  let base: UnsafeMutableRawPointer
  private let byteCount: Int

  init(byteCount: Int) throws(FileError) {
    let address = mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let address, address != MAP_FAILED else { throw FileError(failedAt: "shared memory") }
    base = address
    self.byteCount = byteCount
  }

  deinit {
    munmap(base, byteCount)
  }
}

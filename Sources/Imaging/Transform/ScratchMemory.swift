/// Working memory that is kept from one picture to the next, and grows where one needs more.
final class ScratchMemory {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Memory for `byteCount` bytes, aligned to 64, whose contents are undefined; valid until the
  /// next call.
  func bytes(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if let start = memory.baseAddress, memory.count >= byteCount { return start }
    memory.deallocate()
    memory = .allocate(byteCount: max(byteCount, 64), alignment: 64)
    guard let start = memory.baseAddress else {
      preconditionFailure("allocated memory is somewhere")
    }
    return start
  }

  deinit { memory.deallocate() }
}

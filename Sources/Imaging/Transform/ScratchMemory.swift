/// Scratch memory that is kept from one picture to the next and grows on demand.
final class ScratchMemory {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Returns memory for `byteCount` bytes, aligned to 64 bytes, with undefined contents.
  ///
  /// The memory is valid until the next call.
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

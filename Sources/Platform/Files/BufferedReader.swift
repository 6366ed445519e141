/// Reads a stream in lines or ranges of bytes, and buffers little more than the requested one.
package struct BufferedReader {
  /// A line of the stream.
  package enum Line: Sendable {
    case bytes([UInt8])
    /// The line was longer than the limit, and was skipped.
    case tooLong
  }

  private static let chunkSize = 1 << 16

  private let stream: OpenFile
  /// A descriptor that becomes readable when reading has to end; -1 for none.
  private let termination: Int32
  private var pending: [UInt8] = []
  /// The start of the bytes in `pending` that have not been returned.
  private var start = 0
  /// The end of the bytes in `pending` that were searched for a line end.
  private var searched = 0
  private var isAtEnd = false

  /// Makes a reader that ends with the stream, or when `termination` becomes readable.
  package init(_ stream: OpenFile, termination: Int32 = -1) {
    self.stream = stream
    self.termination = termination
  }

  /// Whether bytes were read that have not been returned.
  package var hasBufferedBytes: Bool { start < pending.count }

  /// Returns the next line without its end, of at most `limit` bytes; `nil` after the last line.
  package mutating func line(limit: Int) throws(FileError) -> Line? {
    while true {
      let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n"))
      if end == nil { searched = pending.count }
      if let end = end ?? (isAtEnd && hasBufferedBytes ? pending.count : nil) {
        let line = Array(pending[start..<end])
        take(until: min(end + 1, pending.count))
        return .bytes(line)
      }
      if isAtEnd { return nil }
      guard pending.count - start <= limit else {
        try skipLine()
        return .tooLong
      }
      try readMore()
    }
  }

  private mutating func skipLine() throws(FileError) {
    while !isAtEnd {
      take(until: pending.count)
      try readMore()
      if let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(until: end + 1)
      }
    }
    take(until: pending.count)
  }

  /// Returns `count` bytes; `nil` if the stream ends before.
  package mutating func bytes(_ count: Int) throws(FileError) -> [UInt8]? {
    while pending.count - start < count {
      if isAtEnd { return nil }
      try readMore()
    }
    let bytes = Array(pending[start..<start + count])
    take(until: start + count)
    return bytes
  }

  /// Discards everything that has not been returned.
  package mutating func end() {
    take(until: pending.count)
    isAtEnd = true
  }

  private mutating func take(until end: Int) {
    start = end
    searched = end
    // The rest is moved only after many bytes, so that many short lines do not each move a long
    // rest.
    guard start == pending.count || start > Self.chunkSize else { return }
    pending.removeSubrange(..<start)
    searched -= start
    start = 0
  }

  private mutating func readMore() throws(FileError) {
    guard
      termination < 0
        || Termination.waitForInput(from: stream.descriptor, orTermination: termination)
    else {
      // Drop the incomplete line.
      return end()
    }
    let size = max(Self.chunkSize, min(pending.count - start, 1 << 22))
    var failure: FileError?
    let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      do throws(FileError) {
        count = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
      } catch { failure = error }
    }
    if let failure { throw failure }
    isAtEnd = chunk.isEmpty
    pending += chunk
  }
}

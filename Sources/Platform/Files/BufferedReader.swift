/// Reads a stream in lines or pieces, of which it holds little more than the one that is asked for.
package struct BufferedReader {
  /// What stands between two line breaks.
  package enum Line: Sendable {
    case bytes([UInt8])
    /// It has more than the limit, and was passed over.
    case tooLong
  }

  private static let chunkSize = 1 << 16

  private let stream: OpenFile
  /// Becomes readable when the stream is to be left; -1 if nobody can say so.
  private let termination: Int32
  private var pending: [UInt8] = []
  /// Where the bytes begin that nobody has taken.
  private var start = 0
  /// How far lines were searched for their end.
  private var searched = 0
  private var isAtEnd = false

  /// A reader that ends where the stream does, or when `termination` becomes readable.
  package init(_ stream: OpenFile, termination: Int32 = -1) {
    self.stream = stream
    self.termination = termination
  }

  /// Whether bytes were read that nobody has taken.
  package var hasRest: Bool { start < pending.count }

  /// The next line without its end, of so many bytes at most; `nil` behind the last.
  package mutating func line(limit: Int) throws(FileError) -> Line? {
    while true {
      let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n"))
      if end == nil { searched = pending.count }
      if let end = end ?? (isAtEnd && hasRest ? pending.count : nil) {
        let line = Array(pending[start..<end])
        take(until: min(end + 1, pending.count))
        return .bytes(line)
      }
      if isAtEnd { return nil }
      guard pending.count - start <= limit else {
        try passOverLine()
        return .tooLong
      }
      try readMore()
    }
  }

  private mutating func passOverLine() throws(FileError) {
    while !isAtEnd {
      take(until: pending.count)
      try readMore()
      if let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(until: end + 1)
      }
    }
    take(until: pending.count)
  }

  /// So many bytes; `nil` if the stream ends before.
  package mutating func bytes(_ count: Int) throws(FileError) -> [UInt8]? {
    while pending.count - start < count {
      if isAtEnd { return nil }
      try readMore()
    }
    let bytes = Array(pending[start..<start + count])
    take(until: start + count)
    return bytes
  }

  /// Lets what is left be.
  package mutating func end() {
    take(until: pending.count)
    isAtEnd = true
  }

  private mutating func take(until end: Int) {
    start = end
    searched = end
    // Moved only when much of it is gone, so that many short lines do not move a long rest each.
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
      // What came of the next line is none.
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

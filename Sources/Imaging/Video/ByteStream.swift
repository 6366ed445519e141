import OcellusPlatform

/// A buffered stream of the bytes of a file, a pipe or the standard input.
final class ByteStream {
  private let file: OpenFile
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The range of the buffer that is read from the file but not yet consumed.
  private var filled = 0..<0
  /// The number of bytes consumed so far.
  private(set) var position = 0

  init(_ path: String) throws(ImageError) {
    file = try ImageError.translating { () throws(FileError) in
      path == "-" ? .standardInput : try OpenFile(reading: path)
    }
  }

  /// Returns the next bytes without consuming them; fewer at the end, or if the buffer is too
  /// small.
  func peek(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    while filled.count < count, try fill() {}
    return buffer[filled.prefix(count)]
  }

  /// Returns the buffered bytes without consuming them; reads if there are none; empty at the end.
  func peekSome() throws(ImageError) -> ArraySlice<UInt8> {
    try peek(max(filled.count, 1))
  }

  /// Consumes bytes that were peeked at.
  func skip(_ count: Int) {
    position += count
    filled = filled.lowerBound + count..<filled.upperBound
  }

  /// Reads until `target` is full or the stream ends, and returns the number of bytes.
  func read(into target: UnsafeMutableRawBufferPointer) throws(ImageError) -> Int {
    let buffered = min(filled.count, target.count)
    target.copyBytes(from: buffer[filled.prefix(buffered)])
    skip(buffered)
    var done = buffered
    while done < target.count {
      let count = try readOnce(UnsafeMutableRawBufferPointer(rebasing: target[done...]))
      if count == 0 { break }
      position += count
      done += count
    }
    return done
  }

  /// Reads a line with its terminator, cut at `maximum` bytes; `nil` at the end of the stream.
  func readLine(maximum: Int) throws(ImageError) -> String? {
    var seen = 0
    while true {
      let bytes = try peek(min(max(seen * 2, 128), maximum))
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      let count = end.map { $0 - bytes.startIndex + 1 } ?? bytes.count
      if end != nil || bytes.count == seen || bytes.count == maximum {
        guard count > 0 else { return nil }
        let line = String(decoding: bytes.prefix(count), as: UTF8.self)
        skip(count)
        return line
      }
      seen = bytes.count
    }
  }

  /// Appends to the buffer with a single read; returns `false` at the end or if the buffer is full.
  private func fill() throws(ImageError) -> Bool {
    if filled.lowerBound > 0 {
      buffer.replaceSubrange(0..<filled.count, with: buffer[filled])
      filled = 0..<filled.count
    }
    let start = filled.upperBound
    guard start < buffer.count else { return false }
    let result = buffer.withUnsafeMutableBytes { buffer in
      Result { () throws(ImageError) in
        try readOnce(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
      }
    }
    let count = try result.get()
    filled = 0..<start + count
    return count > 0
  }

  private func readOnce(_ target: UnsafeMutableRawBufferPointer) throws(ImageError) -> Int {
    try ImageError.translating { () throws(FileError) in try file.read(into: target) }
  }
}

import OcellusPlatform

/// The bytes of a file, a pipe or the standard input, as they come.
final class ByteStream {
  private let file: OpenFile
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  /// The bytes of the buffer that were read and not yet taken.
  private var filled = 0..<0
  /// How many bytes were taken.
  private(set) var position = 0

  init(_ path: String) throws(ImageError) {
    file = try ImageError.translating { () throws(FileError) in
      path == "-" ? .standardInput : try OpenFile(reading: path)
    }
  }

  /// The next bytes, which stay: fewer at the end, and no more than fit the buffer.
  func peek(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
    while filled.count < count, try fill() {}
    return buffer[filled.prefix(count)]
  }

  /// The next bytes that can be had at once, at least one, which stay; none at the end.
  func peekSome() throws(ImageError) -> ArraySlice<UInt8> {
    try peek(max(filled.count, 1))
  }

  /// Takes bytes that were seen.
  func skip(_ count: Int) {
    position += count
    filled = filled.lowerBound + count..<filled.upperBound
  }

  /// Takes bytes up to the length of `target`; fewer at the end.
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

  /// Takes a line with its end, `nil` at the end of the stream; longer ones than `maximum` are cut.
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

  /// Adds to the buffer what can be had at once; `false` at the end.
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

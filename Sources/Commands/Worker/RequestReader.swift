import OcellusJSON
import OcellusPlatform

/// Reads requests from a stream: lines, or frames of bytes.
///
/// Reading ends with the stream, or when a signal asks the program to terminate; requests read
/// before are still answered.
struct RequestReader {
  /// The format of the stream.
  enum Form {
    /// A path or a JSON object per line; empty lines are skipped.
    case lines
    /// Files, each preceded by its length in bytes as a 32-bit little-endian number.
    case frames
  }

  /// The maximum size of a request; a picture in base64 is a third longer than its file.
  static let longest = 256 << 20

  private let form: Form
  private var input: BufferedReader
  private var count = 0

  init(_ stream: OpenFile, form: Form, termination: Int32 = -1) {
    self.form = form
    input = BufferedReader(stream, termination: termination)
  }

  /// Returns the next request, or `nil` after the last.
  mutating func next() throws(FileError) -> WorkRequest? {
    switch form {
    case .lines: return try nextLine()
    case .frames: return try nextFrame()
    }
  }

  private mutating func nextLine() throws(FileError) -> WorkRequest? {
    while let line = try input.line(limit: Self.longest) {
      switch line {
      case .tooLong: return problem("the line is longer than \(Self.longest >> 20) MiB")
      case .bytes(let bytes):
        if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
        count += 1
        return WorkRequest(line: bytes, number: count)
      }
    }
    return nil
  }

  private mutating func nextFrame() throws(FileError) -> WorkRequest? {
    guard let header = try input.bytes(4) else {
      return input.hasBufferedBytes ? lastProblem("the stream ends in the length of a frame") : nil
    }
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.longest else {
      // The start of the next frame is unknown unless this one is read.
      return lastProblem("a frame of \(length) bytes is longer than \(Self.longest >> 20) MiB")
    }
    guard let frame = try input.bytes(length) else {
      return lastProblem("the stream ends in a frame of \(length) bytes")
    }
    count += 1
    return WorkRequest(frame: frame, number: count)
  }

  private mutating func lastProblem(_ text: String) -> WorkRequest {
    input.end()
    return problem(text)
  }

  private mutating func problem(_ text: String) -> WorkRequest {
    count += 1
    return WorkRequest(number: count, problem: text)
  }
}

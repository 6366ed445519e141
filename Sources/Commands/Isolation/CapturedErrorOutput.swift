import OcellusPlatform

/// The last messages of a process on its standard error.
///
/// They go to a pipe that keeps the first few thousand bytes and never blocks the process.
struct CapturedErrorOutput {
  private let readEnd: Int32
  private let writeEnd: Int32

  init() throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileError(failedAt: "pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  /// Makes the pipe the standard error of the calling process.
  func takeStandardError() {
    dup2(writeEnd, STDERR_FILENO)
  }

  /// Returns the messages of a dead process and closes the pipe.
  func read() -> String {
    defer {
      close(readEnd)
      close(writeEnd)
    }
    var words = [UInt8](repeating: 0, count: 4096)
    let count = OcellusPlatform.read(readEnd, &words, words.count)
    return String(decoding: words.prefix(max(count, 0)), as: UTF8.self)
  }
}

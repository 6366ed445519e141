/// A child process, whose output is read while it runs.
package final class ChildProcess {
  /// The end of a program.
  package struct End: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended the program.
    package let code: Int32
    /// The beginning of its standard error output.
    package let complaints: String
  }

  private static let maximumErrorOutput = 4096

  private let identifier: pid_t
  private let output: Pipe
  private let errors: Pipe
  private var complaints: [UInt8] = []
  private var hasEnded = false

  /// Starts a program, which is searched for in `PATH`, with `input` as its standard input.
  ///
  /// The input must fit in a pipe: it is written before the program starts, so that a program that
  /// does not read it cannot block this one.
  package init(_ program: String, _ arguments: [String], input: [UInt8]) throws(FileError) {
    let given = try Pipe()
    output = try Pipe()
    errors = try Pipe()
    guard input.count <= Pipe.capacity else {
      throw FileError(.tooLarge(limit: Pipe.capacity), path: program)
    }
    try given.write(input)
    identifier = try Self.spawn(program, arguments, given, output, errors)
    output.closeWriteEnd()
    errors.closeWriteEnd()
  }

  deinit {
    if !hasEnded { stop() }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ input: Pipe, _ output: Pipe, _ errors: Pipe
  ) throws(FileError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.readEnd, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, STDERR_FILENO)
    var words = ([program] + arguments).map { word in word.withFileName { strdup($0) } } + [nil]
    defer { for word in words { free(word) } }
    var identifier = pid_t()
    let code = posix_spawnp(
      &identifier, program, &actions, nil, &words, ProcessEnvironment.pointer)
    guard code == 0 else { throw FileError(.system(code), path: program) }
    return identifier
  }

  /// Reads the program's output, up to the length of `buffer`.
  ///
  /// - Returns: the number of bytes, 0 at the end; `nil` if nothing came in time.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, milliseconds: Int32
  ) throws(FileError) -> Int? {
    var waiting = [
      pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, 2, milliseconds) > 0 else { return nil }
    if waiting[1].revents != 0 { listen() }
    guard waiting[0].revents != 0 else {
      // Do not wait in `poll` again at once: a closed error stream would make this a busy loop.
      if waiting[1].revents & Int16(POLLIN) == 0 { usleep(1000) }
      return nil
    }
    return try output.read(into: buffer)
  }

  /// Reads the program's standard error output; beyond a limit it is dropped.
  @discardableResult private func listen() -> Int {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = (try? bytes.withUnsafeMutableBytes { try errors.read(into: $0) }) ?? 0
    complaints += bytes.prefix(min(count, Self.maximumErrorOutput - complaints.count))
    return count
  }

  /// Waits for the end of the program, whose output has been read to its end.
  package func end() -> End {
    while listen() > 0 {}
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    let signal = status & 0x7F
    return End(
      code: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
      complaints: String(decoding: complaints, as: UTF8.self))
  }

  /// Kills the program.
  package func stop() {
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
  }
}

/// A pipe, whose ends are closed on release.
private final class Pipe {
  /// The number of bytes that fit in a pipe on every system before somebody reads.
  static let capacity = 32 << 10

  let readEnd: Int32
  private(set) var writeEnd: Int32

  init() throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileError(failedAt: "pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(readEnd)
    closeWriteEnd()
  }

  func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    guard bytes.isEmpty || OcellusPlatform.write(writeEnd, bytes, bytes.count) == bytes.count else {
      throw FileError(failedAt: "pipe", action: .written)
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let count = OcellusPlatform.read(readEnd, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw FileError(failedAt: "pipe", action: .read) }
    }
  }
}

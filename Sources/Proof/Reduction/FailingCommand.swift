import OcellusAudit
import OcellusPlatform

/// A command of the shell that is run with the path of a model file, for a limited time.
package struct FailingCommand {
  /// How a command ended.
  package enum End: Equatable, Sendable {
    /// With an exit code, or 128 plus the number of the signal that ended it.
    case code(Int32)
    /// It took too long and was killed, with all processes that it had started.
    case tookTooLong
  }

  private let text: String
  private let path: String
  private let seconds: Double

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - text: The command line. `{}` stands for the path of the file; without it, the path is the
  ///     last argument.
  ///   - path: The path of the file that the command reads.
  ///   - seconds: The time after which a run is killed.
  package init(_ text: String, reading path: String, seconds: Double) {
    let word =
      "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
    let parts = Self.parts(of: text)
    self.text = parts.count == 1 ? "\(text) \(word)" : parts.joined(separator: word)
    self.path = path
    self.seconds = seconds
  }

  /// Returns the parts of a command line between the places for the path.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var rest = Substring(text)
    while let next = rest.first {
      if rest.hasPrefix("{}") {
        parts.append("")
        rest = rest.dropFirst(2)
      } else {
        parts[parts.count - 1].append(next)
        rest = rest.dropFirst()
      }
    }
    return parts
  }

  /// Runs the command on the bytes of a file.
  package func end(of file: [UInt8]) throws -> End {
    try FileSystem.write(file, to: path)
    let identifier = try start()
    let beginning = MonotonicTime.now
    var pause: useconds_t = 500
    while true {
      var status: Int32 = 0
      let ended = waitpid(identifier, &status, WNOHANG)
      if ended == identifier {
        let signal = status & 0x7F
        return .code(signal == 0 ? status >> 8 & 0xFF : 128 + signal)
      }
      guard ended == 0 || errno == EINTR else { throw FileError(failedAt: "waitpid") }
      if beginning.secondsToNow >= seconds {
        // A negative number means the group, so that what the shell started ends as well.
        kill(-identifier, SIGKILL)
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return .tookTooLong
      }
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
  }

  /// Starts the shell in a process group of its own, with nothing to read and nowhere to write.
  private func start() throws -> pid_t {
    var words = ["sh", "-c", text].map { word in word.withFileName { strdup($0) } } + [nil]
    defer { for word in words { free(word) } }
    let input = try OpenFile(reading: "/dev/null")
    let output = try OpenFile(writing: "/dev/null")
    let identifier = fork()
    guard identifier >= 0 else { throw FileError(failedAt: "fork") }
    if identifier == 0 {
      setpgid(0, 0)
      // The command must not inherit what this program or its threads do about signals.
      for number in [SIGABRT, SIGTERM, SIGINT, SIGPIPE, SIGSEGV] { signal(number, SIG_DFL) }
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      dup2(input.descriptor, STDIN_FILENO)
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] { dup2(output.descriptor, descriptor) }
      execvp("sh", &words)
      _exit(127)
    }
    // Whoever is first makes the group, so that it exists before it may be killed.
    setpgid(identifier, identifier)
    return identifier
  }
}

/// Requests by SIGTERM or SIGINT to end the program in an orderly way.
package enum Termination {
  /// Turns these signals into a readable descriptor; a second signal ends the program at once.
  ///
  /// - Returns: the descriptor that becomes readable, or -1 if the system has none left.
  package static func watch() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUpEnd = ends[1]
    for number in [SIGTERM, SIGINT] {
      signal(number) { number in
        // A signal handler may only call async-signal-safe functions, such as `write` and `signal`.
        var byte = UInt8(truncatingIfNeeded: number)
        _ = OcellusPlatform.write(wakeUpEnd, &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    return ends[0]
  }

  /// Waits until there is input, or until termination is requested.
  ///
  /// - Returns: whether there is input.
  package static func waitForInput(
    from descriptor: Int32, orTermination termination: Int32
  ) -> Bool {
    var sources = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: termination, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&sources, nfds_t(sources.count), -1) < 0 {
      guard errno == EINTR else { return true }
    }
    return sources[1].revents == 0
  }
}

/// The descriptor that the signal handler writes to, global because a handler gets no context.
private nonisolated(unsafe) var wakeUpEnd: Int32 = -1

/// The wish, told by SIGTERM or SIGINT, that a program comes to an end in good order.
package enum Termination {
  /// Turns these signals into a byte that can be waited for; a second one ends the program at once.
  ///
  /// - Returns: the descriptor that becomes readable, or -1 if the system has none left.
  package static func watch() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUpEnd = ends[1]
    for number in [SIGTERM, SIGINT] {
      signal(number) { number in
        // Only what a signal may do: writing is, and so is this.
        var byte = UInt8(truncatingIfNeeded: number)
        _ = OcellusPlatform.write(wakeUpEnd, &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    return ends[0]
  }

  /// Waits until there is something to read, or the end of the program is wished for.
  ///
  /// - Returns: whether there is something to read.
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

/// Where the signals' handler writes, which can be told nothing else.
private nonisolated(unsafe) var wakeUpEnd: Int32 = -1

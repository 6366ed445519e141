import OcellusPlatform

/// One forked process, watched for its end and for pieces that take too long.
struct WorkerProcess {
  private let identifier: pid_t
  private let slot: UnsafeMutablePointer<WorkerSlot>
  private let limits: WorkerLimits
  /// What the process says to its standard error.
  private let lastWords: LastWords

  /// Forks a process that does the work and leaves.
  init(
    slot: UnsafeMutablePointer<WorkerSlot>, limits: WorkerLimits, work: () -> Void
  ) throws(FileError) {
    self.slot = slot
    self.limits = limits
    lastWords = try LastWords()
    identifier = fork()
    guard identifier >= 0 else { throw FileError(failedAt: "fork") }
    if identifier == 0 {
      lastWords.takeStandardError()
      Self.dieOfCrashes()
      limits.applyToThisProcess()
      work()
      // Without the parent's exit handlers and its half-filled output.
      _exit(0)
    }
  }

  /// Makes crashes deadly at once: whoever runs us may have installed a handler that catches them, or
  /// that takes seconds for a backtrace.
  private static func dieOfCrashes() {
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] { signal(crash, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// What the process came to, or nil while it works; ends it when its piece takes too long.
  func end() -> PieceOutcome? {
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else {
      guard isHanging() else { return nil }
      _ = lastWords.read()
      return .timedOut
    }
    return .died(reason: reason(for: status))
  }

  private func isOverdue() -> Bool {
    var clock = clockid_t()
    guard clock_getcpuclockid(identifier, &clock) == 0 else { return false }
    return slot.pointee.isOverdue(processorTime: .processorTime(clock), limits: limits)
  }

  /// Ends the process if its piece takes too long.
  ///
  /// It is stopped for the decision, so that a piece that
  /// is done at the last moment does not leave the blame to its successor.
  private func isHanging() -> Bool {
    guard isOverdue() else { return false }
    kill(identifier, SIGSTOP)
    var status: Int32 = 0
    waitpid(identifier, &status, WUNTRACED)
    guard isOverdue() else {
      kill(identifier, SIGCONT)
      return false
    }
    kill(identifier, SIGKILL)
    waitpid(identifier, &status, 0)
    return true
  }

  private func reason(for status: Int32) -> String {
    let lines = lastWords.read().split(separator: "\n")
    // Warnings of our own come before what the runtime says of a trap.
    let line = lines.first { !$0.hasPrefix("ocellus:") }
    // The low seven bits hold the signal, and the next byte the exit status (wait(2)).
    let signal = status & 0x7F
    let cause =
      signal == 0
      ? "exit status \(status >> 8 & 0xFF)"
      : "signal \(signal), \(String(cString: strsignal(signal)))"
    return line.map { "\(cause): \($0)" } ?? cause
  }
}

extension WorkerLimits {
  /// Puts the calling process under the limits.
  fileprivate func applyToThisProcess() {
    setLimit(RLIMIT_CORE, 0)
    if let memory, let held = addressSpace() { setLimit(RLIMIT_AS, held + memory) }
  }

  private func setLimit(_ resource: __rlimit_resource, _ amount: Int) {
    var limit = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }

  /// The address space that this process has now: the first figure of /proc/self/statm, in pages.
  private func addressSpace() -> Int? {
    guard let bytes = try? FileSystem.read("/proc/self/statm") else { return nil }
    let figures = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return figures.first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }
}

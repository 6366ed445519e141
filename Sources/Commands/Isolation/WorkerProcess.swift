import OcellusPlatform

/// A forked process, monitored for its end and for work items that take too long.
struct WorkerProcess {
  private let identifier: pid_t
  private let slot: UnsafeMutablePointer<WorkerSlot>
  private let limits: WorkerLimits
  /// The process's messages on standard error.
  private let lastWords: CapturedErrorOutput

  /// Forks a process that does the work and exits.
  init(
    slot: UnsafeMutablePointer<WorkerSlot>, limits: WorkerLimits, work: () -> Void
  ) throws(FileError) {
    self.slot = slot
    self.limits = limits
    lastWords = try CapturedErrorOutput()
    identifier = fork()
    guard identifier >= 0 else { throw FileError(failedAt: "fork") }
    if identifier == 0 {
      lastWords.takeStandardError()
      Self.restoreDefaultSignalActions()
      limits.applyToThisProcess()
      work()
      // `_exit` runs none of the parent's exit handlers and flushes none of its buffers.
      _exit(0)
    }
  }

  /// Makes crashes fatal at once, whatever handlers the parent process has.
  ///
  /// A handler might otherwise catch them, or take seconds to print a backtrace.
  private static func restoreDefaultSignalActions() {
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] { signal(crash, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Returns the outcome, or `nil` while the process works; kills it if its item takes too long.
  func end() -> WorkItemOutcome? {
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

  /// Kills the process if its work item takes too long.
  ///
  /// The process is stopped during the decision, so that an item that finishes at the last moment
  /// is not confused with the next one.
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
    // Messages of this program precede the runtime's message about a trap.
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
  /// Applies the limits to the calling process.
  fileprivate func applyToThisProcess() {
    setLimit(RLIMIT_CORE, 0)
    if let memory, let held = addressSpace() { setLimit(RLIMIT_AS, held + memory) }
  }

  private func setLimit(_ resource: __rlimit_resource, _ amount: Int) {
    var limit = rlimit(rlim_cur: rlim_t(amount), rlim_max: rlim_t(amount))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }

  /// Returns the size of the address space: the first field of /proc/self/statm, in pages.
  private func addressSpace() -> Int? {
    guard let bytes = try? FileSystem.read("/proc/self/statm") else { return nil }
    let figures = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return figures.first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }
}

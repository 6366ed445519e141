extension Interpreter {
  /// Whether strategies of kernels are chosen by measurements on this machine.
  ///
  /// All strategies of a family give the same bits, so tuning changes the time of runs and nothing
  /// else.
  public enum Tuning: Hashable, Sendable {
    /// Every node gets the strategy with the least expected time.
    case off
    /// `allocate()` times the strategies that accept a node, and takes the fastest.
    ///
    /// Nodes with the greatest expected time come first; those for which no time is left keep the
    /// strategy with the least expected time. Equal nodes are measured once, for all interpreters
    /// of a model. Measuring takes at most `time` for an interpreter, however often its inputs are
    /// resized, and ends early if everything is measured; the budget's time for planning
    /// (`RunBudget.planningTime`) does not include it. Nothing is measured during runs.
    ///
    /// Choices are remembered in `file` for later interpreters on the same kind of processor. The
    /// file need not exist, and is replaced atomically; interpreters and processes may share it.
    case measured(within: Duration, rememberedIn: String? = nil)
    /// The strategies are those that an earlier measurement has remembered in a file; nothing is
    /// measured.
    ///
    /// Choices of another release of Ocellus, of another processor, or for other nodes are ignored.
    case remembered(in: String)
  }
}

extension Interpreter.Tuning {
  /// Throws an error if the file of remembered choices cannot be used, before a model is read.
  package func checkFile() throws(ModelError) {
    guard let path else { return }
    let isRequired = if case .remembered = self { true } else { false }
    _ = try TuningFile(path).answers(isRequired: isRequired)
  }

  /// The file of remembered choices.
  var path: String? {
    switch self {
    case .off: nil
    case .measured(_, let path): path
    case .remembered(let path): path
    }
  }

  /// The time for measuring in nanoseconds.
  var nanoseconds: Int {
    switch self {
    case .off, .remembered: 0
    case .measured(let time, _):
      Int(max(min(time, .nanoseconds(Int64.max)), .zero) / .nanoseconds(1))
    }
  }
}

/// How a node came to its kernel: the strategy that computes it, and what is known of the others.
public struct StrategyChoice: Sendable, Equatable {
  /// One strategy of the family.
  public struct Candidate: Sendable, Equatable {
    /// Its name, as `Options.strategies` takes it.
    public let name: String
    /// Why it cannot compute the node; `nil` where it can.
    public let refusal: String?
    /// What it does, counted in the things that take it time, for one image; see `Benchmarks/fit_costs.py`.
    public let work: [Double]
    /// How long it is expected to take on one thread; `nil` where it cannot compute the node.
    public let nanoseconds: Double?
  }

  /// The family, as `Options.strategies` takes it.
  public let family: String
  /// The strategy that runs.
  public let name: String
  /// Whether the options asked for it.
  public let isForced: Bool
  /// All strategies of the family on this instruction set.
  public let candidates: [Candidate]
}

/// A strategy that was chosen for a node.
struct ChosenStrategy<Kernel> {
  let kernel: Kernel
  let choice: StrategyChoice
}

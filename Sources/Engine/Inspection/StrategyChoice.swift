/// The strategy that was chosen for a node, and the candidates.
public struct StrategyChoice: Sendable, Equatable {
  /// One strategy of the family.
  public struct Candidate: Sendable, Equatable {
    /// The strategy's name, as `Options.strategies` takes it.
    public let name: String
    /// The reason why it cannot compute the node; `nil` if it can.
    public let refusal: String?
    /// The work for one image, counted in the features of the cost model; see
    /// `Benchmarks/fit_costs.py`.
    public let work: [Double]
    /// The expected time on one thread; `nil` if the strategy cannot compute the node.
    public let nanoseconds: Double?
  }

  /// The kernel family's name, as `Options.strategies` takes it.
  public let family: String
  /// The name of the strategy that runs.
  public let name: String
  /// Whether the options requested the strategy.
  public let isForced: Bool
  /// All strategies of the family on this instruction set.
  public let candidates: [Candidate]
}

/// A strategy that was chosen for a node.
struct ChosenStrategy<Kernel> {
  let kernel: Kernel
  let choice: StrategyChoice
}

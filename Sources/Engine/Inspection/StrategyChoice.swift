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

  /// The ground on which a strategy was chosen.
  public enum Basis: String, Sendable {
    /// It has the least expected time.
    case prediction
    /// It was the fastest one when the strategies were timed on this kind of processor; see
    /// `Options.tuning`.
    case measurement
    /// The options requested it.
    case request
  }

  /// The kernel family's name, as `Options.strategies` takes it.
  public let family: String
  /// The name of the strategy that runs.
  public let name: String
  /// The ground on which it was chosen.
  public internal(set) var basis: Basis
  /// All strategies of the family on this instruction set.
  public let candidates: [Candidate]
  /// The question that a measurement answers; `nil` if the interpreter is not tuned.
  let question: StrategyQuestion?
}

extension StrategyChoice {
  /// Whether the options requested the strategy.
  public var isForced: Bool { basis == .request }

  /// The candidate that runs.
  var chosen: Candidate? { candidates.first { $0.name == name } }

  /// The names of the strategies that can compute the node.
  var accepting: [String] { candidates.filter { $0.refusal == nil }.map(\.name) }
}

/// A strategy that was chosen for a node.
struct ChosenStrategy<Kernel> {
  let kernel: Kernel
  let choice: StrategyChoice
}

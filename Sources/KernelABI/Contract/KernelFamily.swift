/// All strategies that an instruction set has for one kind of problem.
///
/// One list feeds everything: plans choose from it, tests and benchmarks walk it, and `ocellus kernel list` shows it.
/// Strategies of a family give the same bits; they differ in what they accept and in how long they take.
public struct KernelFamily<Problem, Kernel: Sendable>: Sendable {
  /// The name, as `--strategy` spells it.
  public var name: String
  /// The strategies; where several are expected to take the same time, the first is chosen.
  public var strategies: [KernelStrategy<Problem, Kernel>]

  /// Creates a family from its strategies.
  public init(name: String, _ strategies: [KernelStrategy<Problem, Kernel>]) {
    self.name = name
    self.strategies = strategies
  }

  /// What is known of each strategy before a problem is given.
  public var summary: KernelFamilySummary {
    KernelFamilySummary(name: name, strategies: strategies.map(\.name))
  }

  /// The strategies that can compute a problem.
  public func accepting(_ problem: Problem) -> [KernelStrategy<Problem, Kernel>] {
    strategies.filter { $0.refusal(problem) == nil }
  }

  /// The strategy that takes the least time by its costs among those that accept the problem.
  ///
  /// One that is `forced` by its name is taken where it accepts the problem, however long it takes.
  public func choose(_ problem: Problem, forced: String? = nil) -> KernelStrategy<Problem, Kernel>?
  {
    let accepting = accepting(problem)
    return accepting.first { $0.name == forced }
      ?? accepting.min { $0.nanoseconds(problem) < $1.nanoseconds(problem) }
  }

  /// Replaces the costs of the strategies that are named in a table for this family.
  public mutating func price(by costs: [String: KernelWork]) {
    for index in strategies.indices {
      if let known = costs[strategies[index].name] { strategies[index].costs = known }
    }
  }
}

/// One way to compute the problems of a family.
public struct KernelStrategy<Problem, Kernel: Sendable>: Sendable {
  /// The name, as plans, profiles and `--strategy` spell it.
  public var name: String
  /// Why it cannot compute a problem; `nil` where it can.
  public var refusal: @Sendable (Problem) -> StrategyRefusal?
  /// What it does for a problem, counted in the things that take it time.
  public var work: @Sendable (Problem) -> KernelWork
  /// The nanoseconds that each of these things takes.
  public var costs: KernelWork
  /// Its functions.
  public var kernel: Kernel

  /// Creates a strategy that has the costs of a processor that nobody measured.
  public init(
    name: String, refusal: @escaping @Sendable (Problem) -> StrategyRefusal?,
    work: @escaping @Sendable (Problem) -> KernelWork, kernel: Kernel
  ) {
    self.name = name
    self.refusal = refusal
    self.work = work
    costs = .unmeasured
    self.kernel = kernel
  }

  /// The time that it is expected to take.
  public func nanoseconds(_ problem: Problem) -> Double { work(problem).total(costs) }
}

/// Why a strategy cannot compute a problem.
public enum StrategyRefusal: String, Sendable {
  /// The window has another height or width.
  case notThreeByThree = "windows are not 3 by 3"
  /// The window has another width.
  case notThreeOrFiveWide = "windows are not 3 or 5 wide"
  /// The window has another width.
  case notOneThreeOrFiveWide = "windows are not 1, 3 or 5 wide"
  /// Strides are longer than the strategy knows.
  case windowsApart = "windows are too far apart"
  /// Windows are dilated.
  case windowsWithGaps = "windows have gaps"
  /// The window has more pixels than sums have room for.
  case sumsTooWide = "sums may not fit 32 bits"
  /// There is nothing to be computed together.
  case oneLine = "there is one line"
  /// There are windows beside each other, or some hang over the input.
  case severalWindows = "there is more than one window, or padding"
  /// There are fewer channels than are computed at once.
  case fewChannels = "there are too few channels"
  /// Channels need no sharing of vectors.
  case channelsFillVectors = "channels fill vectors"
  /// Weights would be packed for too many places where a pixel may begin in a vector.
  case manyCopies = "it would take too many copies of the weights"
}

/// What a kernel module calls for each strategy of a family, in the order of the list.
///
/// Kernels know neither lists nor generic types: what those are made of would be shared by instruction sets.
public typealias StrategyListing<Kernel> = (
  _ name: StaticString, _ refusal: @escaping @Sendable (PatchGeometry) -> StrategyRefusal?,
  _ work: @escaping @Sendable (PatchGeometry) -> KernelWork, _ kernel: Kernel
) -> Void

extension KernelFamily where Problem == PatchGeometry {
  init(name: String, listedBy list: (StrategyListing<Kernel>) -> Void) {
    self.init(name: name, [])
    list { name, refusal, work, kernel in
      strategies.append(
        KernelStrategy(name: "\(name)", refusal: refusal, work: work, kernel: kernel))
    }
  }
}

/// An amount of work, or what a unit of each kind of work costs.
///
/// Five numbers tell strategies apart well enough to choose between them; what a processor needs for a unit is fitted
/// to measurements (`Benchmarks/fit_costs.py`).
public struct KernelWork: Sendable, Equatable {
  /// Loops that are entered: lines of the output, times what they are cut into.
  public var loops: Double
  /// Vectors of the input that are read, or put in another order first.
  public var loads: Double
  /// Vectors of results that are finished and stored.
  public var results: Double
  /// Vectors that are multiplied with weights and added to a sum.
  public var products: Double
  /// Lines of the cache that other work has pushed out of the nearest one.
  public var fetches: Double

  /// Creates an amount of work.
  public init(
    loops: Double = 0, loads: Double = 0, results: Double = 0, products: Double = 0,
    fetches: Double = 0
  ) {
    self.loops = loops
    self.loads = loads
    self.results = results
    self.products = products
    self.fetches = fetches
  }

  /// What a processor is taken to need that nobody measured, in nanoseconds of a unit.
  public static let unmeasured = KernelWork(
    loops: 15, loads: 0.6, results: 0.8, products: 0.1, fetches: 0.8)

  /// The time that this work takes at such costs.
  public func total(_ costs: KernelWork) -> Double {
    loops * costs.loops + loads * costs.loads + results * costs.results
      + products * costs.products + fetches * costs.fetches
  }

  /// The amounts, in the order of their declaration.
  public var amounts: [Double] { [loops, loads, results, products, fetches] }
}

/// A family without its functions, for lists.
public struct KernelFamilySummary: Sendable {
  /// The name of the family.
  public var name: String
  /// The names of its strategies.
  public var strategies: [String]

  /// Creates a summary.
  public init(name: String, strategies: [String]) {
    self.name = name
    self.strategies = strategies
  }
}

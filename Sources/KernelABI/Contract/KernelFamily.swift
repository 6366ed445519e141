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

  /// The strategy that takes the least time by its costs among those that accept all problems of a step.
  ///
  /// One that is `forced` by its name is taken where it accepts them, however long it takes.
  public func choose(_ problems: [Problem], forced: String? = nil) -> KernelStrategy<
    Problem, Kernel
  >? {
    let accepting = strategies.filter { $0.refusal(ofAny: problems) == nil }
    return accepting.first { $0.name == forced }
      ?? accepting.min {
        $0.work(ofAll: problems).total($0.costs) < $1.work(ofAll: problems).total($1.costs)
      }
  }

  /// Leaves out a strategy that no processor of this kind is served by.
  public mutating func remove(_ name: String) { strategies.removeAll { $0.name == name } }

  /// Replaces the costs of the strategies by those of a table, which may have some for all that it does not name.
  public mutating func price(by costs: [String: KernelWork]) {
    for index in strategies.indices {
      if let known = costs[strategies[index].name] ?? costs[Self.others] {
        strategies[index].costs = known
      }
    }
  }

  /// What tables of costs call the strategies that they do not name.
  private static var others: String { "others" }
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

  /// Why it cannot compute one of the problems; `nil` where it can compute all.
  public func refusal(ofAny problems: [Problem]) -> StrategyRefusal? {
    for problem in problems {
      if let refusal = refusal(problem) { return refusal }
    }
    return nil
  }

  /// What it does for all problems.
  public func work(ofAll problems: [Problem]) -> KernelWork {
    problems.reduce(KernelWork()) { $0 + work($1) }
  }
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
  /// There are more rows than are multiplied with a stream of weights.
  case manyRows = "there are too many rows"
  /// There are fewer rows than a tile has.
  case fewRows = "there are too few rows"
  /// Panels of the columns have no lanes to spare.
  case manyColumns = "there are too many columns"
  /// There are fewer columns than are worth a panel.
  case fewColumns = "there are too few columns"
  /// Rows are cut out of windows, or have pixels between them.
  case notPointwise = "rows are not the pixels of the input"
  /// Rows are pixels.
  case pointwise = "rows are the pixels of the input"
  /// Rows would have to be copied to have whole steps, or other bytes.
  case otherRows = "rows must be copied to become what the kernel reads"
  /// Lines are too long, or windows have gaps, so that lines would take more room than what is read of them.
  case linesTooLong = "lines are too long, or windows too far apart"
  /// The output is smaller than a tile.
  case smallOutput = "the output is smaller than the pixels that are computed at once"
  /// Lines have too few pixels, or windows too many, for planes of one channel each.
  case otherPlanes = "lines are too short, or windows too large, for planes of one channel"
  /// Channels have no pairs.
  case oddChannels = "the number of channels is odd"
  /// The strategy makes results, and no sums.
  case sumsAsked = "sums are asked for"
  /// The strategy scales in fixed point.
  case realScales = "results are scaled in double precision"
  /// The layout of the weights takes longer than it saves in one run.
  case packsInEveryRun = "weights are packed in every run"
  /// Lines would have to come in pairs.
  case singleLines = "lines are computed one by one"
}

/// What a kernel module calls for each strategy of a family, in the order of the list.
///
/// Kernels know neither lists nor generic types: what those are made of would be shared by instruction sets. So would the
/// function be that lets go of a kernel's functions: who is called keeps them.
public typealias StrategyListing<Problem, Kernel> = (
  _ name: StaticString, _ refusal: @escaping @Sendable (Problem) -> StrategyRefusal?,
  _ work: @escaping @Sendable (Problem) -> KernelWork, _ kernel: consuming Kernel
) -> Void

extension KernelFamily {
  init(name: String, listedBy list: (StrategyListing<Problem, Kernel>) -> Void) {
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

  /// The work of both.
  public static func + (left: KernelWork, right: KernelWork) -> KernelWork {
    KernelWork(
      loops: left.loops + right.loops, loads: left.loads + right.loads,
      results: left.results + right.results, products: left.products + right.products,
      fetches: left.fetches + right.fetches)
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

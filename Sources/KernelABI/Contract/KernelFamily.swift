/// All strategies that an instruction set has for one kind of problem.
///
/// The plan chooses from this list, tests and benchmarks iterate over it, and `ocellus kernel list`
/// prints it. All strategies of a family give the same bits; they differ in the problems that they
/// accept and in their running time.
public struct KernelFamily<Problem, Kernel: Sendable>: Sendable {
  /// The name, as `--strategy` spells it.
  public var name: String
  /// The strategies; if several have the same expected time, the plan chooses the first.
  public var strategies: [KernelStrategy<Problem, Kernel>]

  /// Creates a family from its strategies.
  public init(name: String, _ strategies: [KernelStrategy<Problem, Kernel>]) {
    self.name = name
    self.strategies = strategies
  }

  /// The names of the family and its strategies, without their functions.
  public var summary: KernelFamilySummary {
    KernelFamilySummary(name: name, strategies: strategies.map(\.name))
  }

  /// Returns the strategies that can compute a problem.
  public func accepting(_ problem: Problem) -> [KernelStrategy<Problem, Kernel>] {
    strategies.filter { $0.refusal(problem) == nil }
  }

  /// Returns the strategy with the least expected time among those that accept all problems of a
  /// step.
  ///
  /// The strategy named `forced` takes precedence if it accepts them, whatever its expected time.
  public func choose(_ problems: [Problem], forced: String? = nil) -> KernelStrategy<
    Problem, Kernel
  >? {
    let accepting = strategies.filter { $0.refusal(ofAny: problems) == nil }
    return accepting.first { $0.name == forced }
      ?? accepting.min {
        $0.work(ofAll: problems).total($0.costs) < $1.work(ofAll: problems).total($1.costs)
      }
  }

  /// Removes a strategy that is never worthwhile on this kind of processor.
  public mutating func remove(_ name: String) { strategies.removeAll { $0.name == name } }

  /// Replaces the costs of the strategies by those of a table, whose key "others" is the default.
  public mutating func price(by costs: [String: KernelWork]) {
    for index in strategies.indices {
      if let known = costs[strategies[index].name] ?? costs[Self.others] {
        strategies[index].costs = known
      }
    }
  }

  /// The key in a cost table for all strategies that it does not name.
  private static var others: String { "others" }
}

/// One way to compute the problems of a family.
public struct KernelStrategy<Problem, Kernel: Sendable>: Sendable {
  /// The name, as plans, profiles and `--strategy` spell it.
  public var name: String
  /// Returns why the strategy cannot compute a problem; `nil` if it can.
  public var refusal: @Sendable (Problem) -> StrategyRefusal?
  /// Returns the amount of work that the strategy does for a problem.
  public var work: @Sendable (Problem) -> KernelWork
  /// The nanoseconds that a unit of each kind of work takes.
  public var costs: KernelWork
  /// The functions of the strategy.
  public var kernel: Kernel

  /// Creates a strategy with the costs of a processor without measurements.
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

  /// Returns why the strategy cannot compute one of the problems; `nil` if it can compute all.
  public func refusal(ofAny problems: [Problem]) -> StrategyRefusal? {
    for problem in problems {
      if let refusal = refusal(problem) { return refusal }
    }
    return nil
  }

  /// Returns the total work of the strategy for all problems.
  public func work(ofAll problems: [Problem]) -> KernelWork {
    problems.reduce(KernelWork()) { $0 + work($1) }
  }
}

/// Why a strategy cannot compute a problem.
public enum StrategyRefusal: String, Sendable {
  /// The height or width of the window is not 3.
  case notThreeByThree = "windows are not 3 by 3"
  /// The width of the window is neither 3 nor 5.
  case notThreeOrFiveWide = "windows are not 3 or 5 wide"
  /// The width of the window is neither 1, 3 nor 5.
  case notOneThreeOrFiveWide = "windows are not 1, 3 or 5 wide"
  /// The strategy does not support strides of this length.
  case strideTooLong = "windows are too far apart"
  /// The windows are dilated.
  case dilatedWindows = "windows have gaps"
  /// The sums of a window may overflow their integer type.
  case sumsMayOverflow = "sums may not fit 32 bits"
  /// The output has a single row, but the strategy computes two together.
  case singleRow = "there is one row"
  /// The output has several windows, or the window reaches into the padding.
  case severalWindows = "there is more than one window, or padding"
  /// There are fewer channels than the strategy computes at once.
  case fewChannels = "there are too few channels"
  /// The channels fill whole vectors, so pixels need not share vectors.
  case channelsFillVectors = "channels fill vectors"
  /// Pixels begin at too many different lanes, and each would need its own copy of the weights.
  case tooManyWeightCopies = "it would take too many copies of the weights"
  /// There are more rows than the strategy multiplies per pass over the weights.
  case manyRows = "there are too many rows"
  /// There are fewer rows than the strategy needs to fill its tiles.
  case fewRows = "there are too few rows"
  /// There are more columns than the strategy supports.
  case manyColumns = "there are too many columns"
  /// There are too few columns to fill the strategy's panels.
  case fewColumns = "there are too few columns"
  /// The rows are not the contiguous pixels of the input.
  case notPointwise = "rows are not the pixels of the input"
  /// The rows are the pixels of the input, and can be read in place.
  case pointwise = "rows are the pixels of the input"
  /// The rows have to be copied first, to whole steps or to the signedness that the kernel expects.
  case needsCopiedRows = "rows must be copied into the format that the kernel reads"
  /// The padded rows of the image would take more memory than they save, or the windows are too far
  /// apart.
  case rowsTooLong = "rows are too long, or windows too far apart"
  /// The output is smaller than a tile of pixels.
  case smallOutput = "the output is smaller than the pixels that are computed at once"
  /// The rows of the image are too short, or the windows too large, for planes of one channel.
  case unsuitableForPlanes = "rows are too short, or windows too large, for planes of one channel"
  /// The number of channels is odd, but the kernel multiplies pairs.
  case oddChannels = "the number of channels is odd"
  /// The strategy cannot return unscaled sums.
  case wantsUnscaledSums = "sums are asked for"
  /// The strategy scales in fixed point only.
  case doublePrecisionScales = "results are scaled in double precision"
  /// The weights are packed in every run, and this strategy's packing does not pay for itself.
  case packsInEveryRun = "weights are packed in every run"
  /// The processor's unit was compared with vectors, and gave other bits.
  case otherBits = "this processor's unit has other bits than vectors"
  /// The output is computed row by row, but the strategy computes pairs of rows.
  case computedRowByRow = "rows are computed one by one"
}

/// The callback through which a kernel module lists the strategies of a family, in order.
///
/// Kernel modules use neither arrays nor generic types, because their code would be emitted as
/// symbols that all instruction sets share. The function that releases a strategy's closures would
/// be another such symbol: therefore the callback consumes the kernel.
public typealias StrategyListing<Problem, Kernel> = (
  _ name: StaticString, _ refusal: @escaping @Sendable (Problem) -> StrategyRefusal?,
  _ work: @escaping @Sendable (Problem) -> KernelWork, _ kernel: consuming Kernel
) -> Void

extension KernelFamily {
  init(name: String, listedBy list: (StrategyListing<Problem, Kernel>) -> Void) {
    self.init(name: name, [])
    append(listedBy: list)
  }

  /// Appends the strategies that a kernel module lists.
  public mutating func append(listedBy list: (StrategyListing<Problem, Kernel>) -> Void) {
    list { name, refusal, work, kernel in
      strategies.append(
        KernelStrategy(name: "\(name)", refusal: refusal, work: work, kernel: kernel))
    }
  }
}

/// An amount of work, or the cost of a unit of each kind of work.
///
/// Five numbers tell strategies apart well enough to choose between them. The costs of a processor
/// are fitted to measurements (`Benchmarks/fit_costs.py`).
public struct KernelWork: Sendable, Equatable {
  /// The inner loops that are entered: rows of the output, times the segments of each.
  public var loops: Double
  /// The number of input vectors that are loaded, or rearranged first.
  public var loads: Double
  /// The number of result vectors that are scaled and stored.
  public var results: Double
  /// The number of input vectors that are multiplied by weights and added to a sum.
  public var products: Double
  /// The number of cache lines that must be fetched again because other data evicted them from the
  /// L1 cache.
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

  /// The assumed costs of a processor without measurements, in nanoseconds.
  public static let unmeasured = KernelWork(
    loops: 15, loads: 0.6, results: 0.8, products: 0.1, fetches: 0.8)

  /// Returns the time that this work takes at the given costs.
  public func total(_ costs: KernelWork) -> Double {
    loops * costs.loops + loads * costs.loads + results * costs.results
      + products * costs.products + fetches * costs.fetches
  }

  /// Adds two amounts of work.
  public static func + (left: KernelWork, right: KernelWork) -> KernelWork {
    KernelWork(
      loops: left.loops + right.loops, loads: left.loads + right.loads,
      results: left.results + right.results, products: left.products + right.products,
      fetches: left.fetches + right.fetches)
  }

  /// The five amounts, in the order of their declaration.
  public var amounts: [Double] { [loops, loads, results, products, fetches] }
}

/// The names in a family, without the functions, for listings.
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

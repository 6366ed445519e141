import OcellusKernelABI

// How rows of bytes get to where they are multiplied, and how weights lie for them: what plans choose from.

/// Lists the strategies for products of bytes.
func quantizedProducts(_ add: StrategyListing<ProductProblem, QuantizedGEMM>) {
  list(WeightStream.self, add)
  list(OneRow.self, add)
  #if BYTE_DOTS
    list(RowsInPlace.self, add)
  #endif
  #if PIXEL_LANES
    list(RowsFlipped<One>.self, add)
    list(RowsFlipped<Two>.self, add)
  #endif
  list(WindowsInLines.self, add)
  #if WINOGRAD
    list(QuantizedWinograd.self, add)
  #endif
  list(GatheredRows.self, add)
  list(SharedLanes.self, add)
}

/// A strategy of the family.
protocol QuantizedProductStrategy: SendableMetatype {
  static var name: StaticString { get }
  static func refusal(_ problem: ProductProblem) -> StrategyRefusal?
  static func work(_ problem: ProductProblem) -> KernelWork
  static func tileRows(_ geometry: PatchGeometry) -> Int
  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int
  static func pack(_ arguments: QuantizedPackingArguments)
  static var sharedWeights: SharedWeights { get }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int
  static func run(_ arguments: ProductBlock<QuantizedFinish>)
}

/// Panels with all weights in one run, for rows of the input.
extension QuantizedProductStrategy {
  static func tileRows(_: PatchGeometry) -> Int { TileRows.value }
  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedQuantizedByteCount(columns: columns, depth: geometry.patchDepth)
  }
  static func pack(_ arguments: QuantizedPackingArguments) { packPanels(arguments) }
  static var sharedWeights: SharedWeights { .none }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfRows(geometry)
  }
}

private func list<Strategy: QuantizedProductStrategy>(
  _: Strategy.Type, _ add: StrategyListing<ProductProblem, QuantizedGEMM>
) {
  add(
    Strategy.name, { Strategy.refusal($0) }, { Strategy.work($0) },
    QuantizedGEMM(
      panelColumns: SumVector.scalarCount, prefersSignedRows: prefersSignedRows,
      tileRows: { Strategy.tileRows($0) },
      packedByteCount: { Strategy.packedByteCount(columns: $0, $1) },
      pack: { Strategy.pack($0) }, sharedWeights: Strategy.sharedWeights,
      scratchByteCount: { Strategy.scratchByteCount($0) }, run: { Strategy.run($0) }))
}

// MARK: Strategies

/// Few rows with weights that are packed as one stream for them.
private enum WeightStream: QuantizedProductStrategy {
  static var name: StaticString { "weight-stream" }

  static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
    if problem.rows > fewRows { return .manyRows }
    if problem.packsInEveryRun { return .packsInEveryRun }
    return problem.refusalOfPixels
  }

  static func work(_ problem: ProductProblem) -> KernelWork {
    var work = KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    work.fetches = Double(problem.panels &* problem.steps &* rowWeightBytes) / 64
    return work
  }

  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedRowsByteCount(columns: columns, depth: geometry.patchDepth)
  }
  static func pack(_ arguments: QuantizedPackingArguments) { packForFewRows(arguments) }
  static var sharedWeights: SharedWeights { sharedRowWeights }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfFewRows(geometry)
  }
  static func run(_ arguments: ProductBlock<QuantizedFinish>) { multiplyFewRows(arguments) }
}

/// One row with the panels that many rows would have.
private enum OneRow: QuantizedProductStrategy {
  static var name: StaticString { "one-row" }

  static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
    problem.rows > 1 ? .manyRows : problem.refusalOfPixels
  }

  static func work(_ problem: ProductProblem) -> KernelWork {
    KernelWork(tiles: 1, problem, steps: problem.steps)
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfFewRows(geometry)
  }
  static func run(_ arguments: ProductBlock<QuantizedFinish>) { multiplyFewRows(arguments) }
}

#if BYTE_DOTS
  /// Pixels where they lie, of the bytes that products take.
  private enum RowsInPlace: QuantizedProductStrategy {
    static var name: StaticString { "rows-in-place" }

    static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
      problem.refusalInPlace ?? (problem.areBytesOfProducts ? nil : .otherRows)
    }

    static func work(_ problem: ProductProblem) -> KernelWork {
      KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    }

    static func run(_ arguments: ProductBlock<QuantizedFinish>) {
      multiplyRows(arguments, .inPlace)
    }
  }
#endif

#if PIXEL_LANES
  /// Pixels where they lie, of bytes whose highest bits are flipped as they are read, for so many panels.
  ///
  /// A copy that is flipped once is better where more columns read it.
  private enum RowsFlipped<Panels: Literal>: QuantizedProductStrategy {
    static var name: StaticString { Panels.value == 1 ? "flipped-rows" : "flipped-rows-two-panels" }

    static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
      if let refusal = problem.refusalInPlace { return refusal }
      let lanes = SumVector.scalarCount
      // The few columns behind whole panels are multiplied by themselves (see `QuantizedStrip.width`).
      let beside = problem.results == .bytes ? lanes / 2 : 0
      if problem.columns > Panels.value &* lanes &+ beside { return .manyColumns }
      if problem.columns <= (Panels.value &- 1) &* lanes { return .fewColumns }
      if problem.rows < QuantizedStrip.tallRows { return .fewRows }
      let format = PackedFormat(
        filter: problem.filter, input: QuantizedFormat(isSigned: true, zeroPoint: 0))
      let canFlip =
        problem.patches.patchDepth >= 64 && format.weightZeroPoint == 0
        && problem.results != .sums && !problem.areBytesOfProducts
      return canFlip ? nil : .otherRows
    }

    static func work(_ problem: ProductProblem) -> KernelWork {
      KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    }

    static func run(_ arguments: ProductBlock<QuantizedFinish>) {
      multiplyRows(arguments, .flipped)
    }
  }
#endif

/// Windows where they lie in lines that are copied once.
private enum WindowsInLines: QuantizedProductStrategy {
  static var name: StaticString { "windows-in-lines" }

  static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
    if problem.patches.isPointwise { return .pointwise }
    if problem.results == .sums { return .sumsAsked }
    if problem.rows < TileRows.value { return .fewRows }
    return problem.patches.isCutFromLines ? nil : .linesTooLong
  }

  static func work(_ problem: ProductProblem) -> KernelWork {
    let geometry = problem.patches
    let runs = geometry.runsInLines
    var work = KernelWork(
      tiles: problem.rows, problem, steps: runs &* quantizedSteps(geometry.patchDepth / runs))
    work.addLines(problem, elementBytes: packedElementBytes)
    return work
  }

  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedQuantizedByteCount(
      columns: columns, depth: geometry.patchDepth, runs: geometry.runsInLines)
  }
  static func pack(_ arguments: QuantizedPackingArguments) {
    packPanels(arguments, runs: arguments.patches.runsInLines)
  }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfLines(geometry)
  }
  static func run(_ arguments: ProductBlock<QuantizedFinish>) { multiplyLines(arguments) }
}

/// Rows that are copied together, whatever they are cut out of.
private enum GatheredRows: QuantizedProductStrategy {
  static var name: StaticString { "gathered-rows" }
  static func refusal(_: ProductProblem) -> StrategyRefusal? { nil }

  static func work(_ problem: ProductProblem) -> KernelWork {
    var work = KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    work.addGathering(problem)
    return work
  }

  static func run(_ arguments: ProductBlock<QuantizedFinish>) {
    multiplyRows(arguments, .gathered)
  }
}

/// The same, where lanes that would have no column share those that there are.
private enum SharedLanes: QuantizedProductStrategy {
  static var name: StaticString { "shared-lanes" }

  static func refusal(_ problem: ProductProblem) -> StrategyRefusal? {
    #if PIXEL_LANES
      // Pixels take the lanes of these (see `multiplyPixels`).
      if problem.results == .bytes { return .manyColumns }
    #endif
    return problem.columns &* 2 > SumVector.scalarCount ? .manyColumns : nil
  }

  static func work(_ problem: ProductProblem) -> KernelWork {
    let split = lanesSharing(columns: problem.columns, depth: problem.patches.patchDepth)
    var work = KernelWork(
      tiles: problem.rows, problem, steps: roundedQuotient(problem.steps, split))
    work.addGathering(problem)
    // Lanes are added up in the end.
    work.results *= Double(2 &* split)
    return work
  }

  static func pack(_ arguments: QuantizedPackingArguments) {
    packPanels(
      arguments, split: lanesSharing(columns: arguments.columns, depth: arguments.depth))
  }
  static func run(_ arguments: ProductBlock<QuantizedFinish>) {
    multiplyRows(arguments, .gathered)
  }
}

// MARK: Problems and their work

extension ProductProblem {
  /// The steps of rows in one run.
  @inline(__always)
  fileprivate var steps: Int { quantizedSteps(patches.patchDepth) }

  /// Why rows are not the pixels of the input that make results.
  @inline(__always)
  fileprivate var refusalOfPixels: StrategyRefusal? {
    if !patches.isPointwise { return .notPointwise }
    return results == .sums ? .sumsAsked : nil
  }

  #if BYTE_DOTS
    /// Whether products take the rows' bytes as they are.
    @inline(__always)
    fileprivate var areBytesOfProducts: Bool {
      switch rowBytes {
      case .preferred: true
      case .signed: dotTakesSignedActivations
      case .unsigned: !dotTakesSignedActivations
      }
    }

    /// Why rows cannot be read where they lie.
    @inline(__always)
    fileprivate var refusalInPlace: StrategyRefusal? {
      if !patches.isPointwise { return .notPointwise }
      let bytes = gatheredRowBytes(patches)
      #if PIXEL_LANES
        // What some tile of these columns reads of a row at once, where it ends with them or not.
        let rest = columns % SumVector.scalarCount
        let atOnce = rest > 0 && rest <= SumVector.scalarCount / 2 ? 16 : bytes >= 64 ? 8 : 4
      #else
        let atOnce = 4
      #endif
      return patches.channels == bytes && bytes % atOnce == 0 ? nil : .otherRows
    }
  #endif
}

extension KernelWork {
  /// Adds that of copying rows together.
  @inline(__always)
  fileprivate mutating func addGathering(_ problem: ProductProblem) {
    addGathering(problem, rowBytes: gatheredRowBytes(problem.patches))
  }
}

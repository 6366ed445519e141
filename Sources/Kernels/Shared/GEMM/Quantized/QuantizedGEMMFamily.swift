import OcellusKernelABI

// The family of byte GEMMs: strategies differ in where rows are read from and how weights are
// packed.

#if MATRIX_TILES
  /// Lists the strategies of byte GEMM that multiply whole tiles.
  func matrixTileGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
    list(RowsInPlace.self, add)
    list(ImplicitGEMM.self, add)
    list(Im2col.self, add)
  }
#endif

/// Lists the strategies of byte GEMM.
func quantizedGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  list(WeightStream.self, add)
  list(PanelGEMV.self, add)
  #if BYTE_DOTS
    list(RowsInPlace.self, add)
  #endif
  #if TRANSPOSED_OPERANDS
    list(SignToggledRowsInPlace<One>.self, add)
    list(SignToggledRowsInPlace<Two>.self, add)
  #endif
  list(ImplicitGEMM.self, add)
  #if WINOGRAD
    list(QuantizedWinograd.self, add)
  #endif
  list(Im2col.self, add)
  list(Im2colSplitK.self, add)
}

/// A strategy of the family.
protocol QuantizedGEMMStrategy: SendableMetatype {
  static var name: StaticString { get }
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal?
  static func work(_ problem: GEMMProblem) -> KernelWork
  static func tileRows(_ geometry: PatchGeometry) -> Int
  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int
  static func pack(_ arguments: QuantizedPackingArguments)
  static var sharedWeights: SharedWeights { get }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int
  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>)
}

/// The defaults: panels whose weights are one run, for im2col rows.
extension QuantizedGEMMStrategy {
  static func tileRows(_: PatchGeometry) -> Int { blockRows }
  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedQuantizedByteCount(columns: columns, depth: geometry.patchDepth)
  }
  static func pack(_ arguments: QuantizedPackingArguments) { packPanels(arguments) }
  static var sharedWeights: SharedWeights { .none }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfRows(geometry)
  }
}

private func list<Strategy: QuantizedGEMMStrategy>(
  _: Strategy.Type, _ add: StrategyListing<GEMMProblem, QuantizedGEMM>
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

/// GEMV for up to `maximumGEMVRows` rows, over weights packed as one stream.
private enum WeightStream: QuantizedGEMMStrategy {
  static var name: StaticString { "weight-stream" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.rows > maximumGEMVRows { return .manyRows }
    if problem.packsInEveryRun { return .packsInEveryRun }
    return problem.refusalOfPixels
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    work.fetches = Double(problem.panels &* problem.steps &* rowWeightBytes) / 64
    return work
  }

  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedRowsByteCount(columns: columns, depth: geometry.patchDepth)
  }
  static func pack(_ arguments: QuantizedPackingArguments) { packForGEMV(arguments) }
  static var sharedWeights: SharedWeights { sharedRowWeights }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfGEMV(geometry)
  }
  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) { multiplyGEMV(arguments) }
}

/// GEMV for one row over the same panels that other strategies use.
private enum PanelGEMV: QuantizedGEMMStrategy {
  static var name: StaticString { "gemv" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    problem.rows > 1 ? .manyRows : problem.refusalOfPixels
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    KernelWork(tiles: 1, problem, steps: problem.steps)
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfGEMV(geometry)
  }
  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) { multiplyGEMV(arguments) }
}

#if BYTE_DOTS
  /// Pixels in place, whose bytes already have the signedness that `dot` takes.
  private enum RowsInPlace: QuantizedGEMMStrategy {
    static var name: StaticString { hasMatrixTiles ? "tiles-in-place" : "rows-in-place" }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      problem.refusalInPlace ?? problem.refusalOfTiles
        ?? (problem.haveSignednessOfDot ? nil : .needsCopiedRows)
    }

    static func work(_ problem: GEMMProblem) -> KernelWork {
      KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    }

    static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) {
      multiplyRows(arguments, .inPlace)
    }
  }
#endif

#if TRANSPOSED_OPERANDS
  /// Pixels in place, whose sign bits are toggled after loading, for exactly `Panels` panels.
  ///
  /// If more columns read a row, a copy whose sign bits are toggled once is faster.
  private enum SignToggledRowsInPlace<Panels: Literal>: QuantizedGEMMStrategy {
    static var name: StaticString {
      Panels.value == 1 ? "sign-toggled-rows" : "sign-toggled-rows-two-panels"
    }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      if let refusal = problem.refusalInPlace { return refusal }
      let lanes = SumVector.scalarCount
      // The few columns after whole panels are multiplied separately (see
      // `QuantizedPanelGroup.width`).
      let beside = problem.results == .bytes ? lanes / 2 : 0
      if problem.columns > Panels.value &* lanes &+ beside { return .manyColumns }
      if problem.columns <= (Panels.value &- 1) &* lanes { return .fewColumns }
      if problem.rows < QuantizedPanelGroup.signToggledRowCount { return .fewRows }
      let format = PackedFormat(
        filter: problem.filter, input: QuantizedFormat(isSigned: true, zeroPoint: 0))
      let canToggleSigns =
        problem.patches.patchDepth >= 64 && format.weightZeroPoint == 0
        && problem.results != .sums && !problem.haveSignednessOfDot
      return canToggleSigns ? nil : .needsCopiedRows
    }

    static func work(_ problem: GEMMProblem) -> KernelWork {
      KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    }

    static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) {
      multiplyRows(arguments, .signToggled)
    }
  }
#endif

/// Windows in padded rows that are copied once (implicit GEMM).
private enum ImplicitGEMM: QuantizedGEMMStrategy {
  static var name: StaticString { hasMatrixTiles ? "tiles-implicit-gemm" : "implicit-gemm" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.patches.isPointwise { return .pointwise }
    if problem.results == .sums { return .wantsUnscaledSums }
    if problem.rows < TileRows.value { return .fewRows }
    if let refusal = problem.refusalOfTiles { return refusal }
    return problem.patches.suitsPaddedRows ? nil : .rowsTooLong
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    let geometry = problem.patches
    let runs = geometry.runsInPaddedRows
    var work = KernelWork(
      tiles: problem.rows, problem, steps: runs &* quantizedSteps(geometry.patchDepth / runs))
    work.addPaddedRows(problem, elementBytes: packedElementBytes)
    return work
  }

  static func packedByteCount(columns: Int, _ geometry: PatchGeometry) -> Int {
    packedQuantizedByteCount(
      columns: columns, depth: geometry.patchDepth, runs: geometry.runsInPaddedRows)
  }
  static func pack(_ arguments: QuantizedPackingArguments) {
    packPanels(arguments, runs: arguments.patches.runsInPaddedRows)
  }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfPaddedRows(geometry)
  }
  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) { multiplyPaddedRows(arguments) }
}

/// The im2col strategy, which accepts every problem that fills tiles.
private enum Im2col: QuantizedGEMMStrategy {
  static var name: StaticString { hasMatrixTiles ? "tiles-im2col" : "im2col" }
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? { problem.refusalOfTiles }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = KernelWork(tiles: problem.rows, problem, steps: problem.steps)
    work.addGathering(problem)
    return work
  }

  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) {
    multiplyRows(arguments, .im2col)
  }
}

/// The im2col strategy for few columns, whose depth is split over the lanes that would be idle.
private enum Im2colSplitK: QuantizedGEMMStrategy {
  static var name: StaticString { "im2col-split-k" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    #if TRANSPOSED_OPERANDS
      // Bytes are computed with transposed operands instead (see `multiplyTransposed`).
      if problem.results == .bytes { return .manyColumns }
    #endif
    return problem.columns &* 2 > SumVector.scalarCount ? .manyColumns : nil
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    let split = lanesPerColumn(columns: problem.columns, depth: problem.patches.patchDepth)
    var work = KernelWork(
      tiles: problem.rows, problem, steps: ceilingQuotient(problem.steps, split))
    work.addGathering(problem)
    // The lanes of a column are added at the end.
    work.results *= Double(2 &* split)
    return work
  }

  static func pack(_ arguments: QuantizedPackingArguments) {
    packPanels(
      arguments, split: lanesPerColumn(columns: arguments.columns, depth: arguments.depth))
  }
  static func run(_ arguments: GEMMBlock<QuantizedEpilogue>) {
    multiplyRows(arguments, .im2col)
  }
}

// MARK: Problems and their work

extension GEMMProblem {
  /// The number of steps of a row that is a single run.
  @inline(__always)
  fileprivate var steps: Int { quantizedSteps(patches.patchDepth) }

  /// The reason why the rows are not input pixels or the results are plain sums, or `nil`.
  @inline(__always)
  fileprivate var refusalOfPixels: StrategyRefusal? {
    if !patches.isPointwise { return .notPointwise }
    return results == .sums ? .wantsUnscaledSums : nil
  }

  /// The reason why whole tiles do not suit the problem, or `nil`.
  @inline(__always)
  fileprivate var refusalOfTiles: StrategyRefusal? {
    hasMatrixTiles && rows < minimumSliceRows / 2 ? .fewRows : nil
  }

  #if BYTE_DOTS
    /// Whether `dot` takes the rows' bytes without conversion.
    @inline(__always)
    fileprivate var haveSignednessOfDot: Bool {
      switch rowBytes {
      case .preferred: true
      case .signed: dotTakesSignedActivations
      case .unsigned: !dotTakesSignedActivations
      }
    }

    /// The reason why rows cannot be read in place, or `nil` if they can.
    @inline(__always)
    fileprivate var refusalInPlace: StrategyRefusal? {
      if !patches.isPointwise { return .notPointwise }
      // Tiles read the last rows from copies.
      if hasMatrixTiles { return nil }
      let bytes = im2colRowBytes(patches)
      #if TRANSPOSED_OPERANDS
        // The bytes that some tile loads of a row at once, even past the row's end.
        let rest = columns % SumVector.scalarCount
        let atOnce = rest > 0 && rest <= SumVector.scalarCount / 2 ? 16 : bytes >= 64 ? 8 : 4
      #else
        let atOnce = 4
      #endif
      return patches.channels == bytes && bytes % atOnce == 0 ? nil : .needsCopiedRows
    }
  #endif
}

extension KernelWork {
  /// Adds the work of im2col.
  @inline(__always)
  fileprivate mutating func addGathering(_ problem: GEMMProblem) {
    addGathering(problem, rowBytes: im2colRowBytes(problem.patches))
  }
}

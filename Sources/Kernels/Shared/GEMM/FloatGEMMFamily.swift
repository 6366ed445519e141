import OcellusKernelABI

// The family of float GEMMs: strategies differ in where rows are read from.

/// Lists the strategies of float GEMM, whose results are bit-identical.
func floatGEMM(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
  #if !LANE_PRODUCTS
    list(FloatWeightStream.self, add)
  #endif
  list(FloatRowsInPlace.self, add)
  list(FloatTransposedOperands.self, add)
  list(FloatImplicitGEMM.self, add)
  list(FloatIm2col.self, add)
}

/// A strategy of the family.
protocol FloatGEMMStrategy: SendableMetatype {
  static var name: StaticString { get }
  static var panelColumns: Int { get }
  static var tileRows: Int { get }
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal?
  static func work(_ problem: GEMMProblem) -> KernelWork
  static func pack(_ arguments: FloatPackingArguments)
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int
  static func run<Rounding: MultiplyAdd>(_ arguments: GEMMBlock<FloatEpilogue>, _: Rounding.Type)
}

extension FloatGEMMStrategy {
  static var panelColumns: Int { FloatVector.scalarCount }
  static var tileRows: Int { floatTileRows }
  static func pack(_ arguments: FloatPackingArguments) { packFloats(arguments, sideBySide: 1) }
}

private func list<Strategy: FloatGEMMStrategy>(
  _: Strategy.Type, _ add: StrategyListing<GEMMProblem, FloatGEMM>
) {
  add(
    Strategy.name, { Strategy.refusal($0) }, { Strategy.work($0) },
    FloatGEMM(
      panelColumns: Strategy.panelColumns, tileRows: Strategy.tileRows,
      packedByteCount: { packedFloatByteCount(columns: $0, depth: $1.patchDepth) },
      pack: { Strategy.pack($0) }, scratchByteCount: { Strategy.scratchByteCount($0) },
      run: { multiply($0, Strategy.self) }))
}

private func multiply<Strategy: FloatGEMMStrategy>(
  _ arguments: GEMMBlock<FloatEpilogue>, _: Strategy.Type
) {
  switch arguments.epilogue.numerics {
  case .fast, .litert: Strategy.run(arguments, FusedFromBias.self)
  case .exact: Strategy.run(arguments, RoundedMultiplyAdd.self)
  }
}

extension GEMMProblem {
  /// The work of multiplying all rows by all panels.
  @inline(__always)
  fileprivate var workOfFloatGEMM: KernelWork {
    KernelWork(
      tiles: rows, self, steps: patches.patchDepth, tileRows: floatTileRows,
      tileVectors: floatTileVectors)
  }
}

// MARK: Strategies

#if !LANE_PRODUCTS
  /// GEMV for one row, over weights packed as one stream.
  private enum FloatWeightStream: FloatGEMMStrategy {
    static var name: StaticString { "weight-stream" }
    static var panelColumns: Int { rowVectors &* FloatVector.scalarCount }
    static var tileRows: Int { 1 }

    static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
      if problem.rows > 1 { return .manyRows }
      if !problem.patches.isPointwise { return .notPointwise }
      return problem.packsInEveryRun ? .packsInEveryRun : nil
    }

    static func work(_ problem: GEMMProblem) -> KernelWork { problem.workOfFloatGEMM }
    static func pack(_ arguments: FloatPackingArguments) {
      packFloats(arguments, sideBySide: rowVectors)
    }
    static func scratchByteCount(_: PatchGeometry) -> Int { 64 }
    static func run<Rounding: MultiplyAdd>(
      _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
    ) { multiplyRow(arguments, rounding) }
  }
#endif

/// Pixels in place.
private enum FloatRowsInPlace: FloatGEMMStrategy {
  static var name: StaticString { "rows-in-place" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    problem.patches.isPointwise ? nil : .notPointwise
  }

  static func work(_ problem: GEMMProblem) -> KernelWork { problem.workOfFloatGEMM }
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfFloatRows(geometry)
  }
  static func run<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
  ) { multiplyRows(arguments, rounding) }
}

/// Few columns with transposed operands: lanes are neighbouring pixels.
private enum FloatTransposedOperands: FloatGEMMStrategy {
  static var name: StaticString { "transposed-operands" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.columns > FloatPlanes.maximumColumns { return .manyColumns }
    return FloatPlanes(problem.patches) == nil ? .unsuitableForPlanes : nil
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    let geometry = problem.patches
    let vectors = ceilingQuotient(problem.rows, FloatVector.scalarCount)
    let outputRows = ceilingQuotient(problem.rows, geometry.outputWidth)
    let rowElements = geometry.inputWidth &* geometry.channels
    return KernelWork(
      loops: Double(outputRows &* (geometry.channels &+ problem.columns)),
      loads: Double(
        outputRows &* geometry.inputRowsPerOutputRow
          &* ceilingQuotient(rowElements, FloatVector.scalarCount)),
      results: Double(vectors &* problem.columns),
      products: Double(vectors &* geometry.patchDepth &* (problem.columns &+ 1)))
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    roundUp(FloatPlanes(geometry)?.byteCount ?? 0, to: 64)
  }
  static func run<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
  ) { FloatPlanes(arguments.patches)?.run(arguments, rounding) }
}

/// Windows in padded rows that are copied once (implicit GEMM).
private enum FloatImplicitGEMM: FloatGEMMStrategy {
  static var name: StaticString { "implicit-gemm" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.patches.isPointwise { return .pointwise }
    return problem.patches.suitsPaddedRows ? nil : .rowsTooLong
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = problem.workOfFloatGEMM
    work.addPaddedRows(problem, elementBytes: 4)
    return work
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfPaddedFloatRows(geometry)
  }
  static func run<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
  ) { multiplyPaddedRows(arguments, rounding) }
}

/// The im2col strategy, which accepts every problem and leaves pointwise rows in place.
private enum FloatIm2col: FloatGEMMStrategy {
  static var name: StaticString { "im2col" }

  static func refusal(_: GEMMProblem) -> StrategyRefusal? { nil }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = problem.workOfFloatGEMM
    work.addGathering(problem, rowBytes: problem.patches.patchDepth &* 4)
    return work
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfFloatRows(geometry)
  }
  static func run<Rounding: MultiplyAdd>(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rounding: Rounding.Type
  ) { multiplyRows(arguments, rounding) }
}

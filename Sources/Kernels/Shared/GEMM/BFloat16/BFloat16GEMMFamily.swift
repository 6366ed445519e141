import OcellusKernelABI

// The family of GEMMs with bfloat16 factors: strategies differ in how rows are copied, and all round
// them on the way.

/// Lists the strategies of GEMM with bfloat16 factors, whose results are bit-identical.
func bfloat16GEMM(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
  list(BFloat16ImplicitGEMM.self, add)
  list(BFloat16Im2col.self, add)
}

/// A strategy of the family.
protocol BFloat16GEMMStrategy: SendableMetatype {
  static var name: StaticString { get }
  static var tileRows: Int { get }
  static func panels(_ geometry: PatchGeometry) -> PairedPanels
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal?
  static func work(_ problem: GEMMProblem) -> KernelWork
  static func scratchByteCount(_ geometry: PatchGeometry) -> Int
  static func run(_ arguments: GEMMBlock<FloatEpilogue>)
}

extension BFloat16GEMMStrategy {
  static var tileRows: Int { bfloat16TileRows }
  static func panels(_ geometry: PatchGeometry) -> PairedPanels { PairedPanels(geometry) }
}

func list<Strategy: BFloat16GEMMStrategy>(
  _: Strategy.Type, _ add: StrategyListing<GEMMProblem, FloatGEMM>
) {
  add(
    Strategy.name, { Strategy.refusal($0) }, { Strategy.work($0) },
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: Strategy.tileRows,
      packedByteCount: { Strategy.panels($1).byteCount(columns: $0) },
      pack: { Strategy.panels($0.patches).pack($0) },
      scratchByteCount: { Strategy.scratchByteCount($0) }, run: { Strategy.run($0) }))
}

extension GEMMProblem {
  /// The work of multiplying all rows by all panels on vectors.
  @inline(__always)
  fileprivate var workOfBFloat16: KernelWork {
    KernelWork(
      tiles: rows, self, steps: patches.patchDepth, tileRows: bfloat16TileRows,
      tileVectors: bfloat16TileVectors)
  }
}

/// Windows in padded rows that are copied once (implicit GEMM).
private enum BFloat16ImplicitGEMM: BFloat16GEMMStrategy {
  static var name: StaticString { "implicit-gemm" }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.patches.isPointwise { return .pointwise }
    return problem.patches.suitsPaddedRows ? nil : .rowsTooLong
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = problem.workOfBFloat16
    work.addPaddedRows(problem, elementBytes: 4)
    return work
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfPaddedBFloat16Rows(geometry)
  }
  static func run(_ arguments: GEMMBlock<FloatEpilogue>) { multiplyPaddedBFloat16Rows(arguments) }
}

/// The im2col strategy, which accepts every problem.
private enum BFloat16Im2col: BFloat16GEMMStrategy {
  static var name: StaticString { "im2col" }

  static func refusal(_: GEMMProblem) -> StrategyRefusal? { nil }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = problem.workOfBFloat16
    work.addGathering(problem, rowBytes: problem.patches.patchDepth &* 4)
    return work
  }

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    scratchByteCountOfBFloat16Rows(geometry)
  }
  static func run(_ arguments: GEMMBlock<FloatEpilogue>) { multiplyBFloat16Rows(arguments) }
}

import OcellusKernelABI

// The family of GEMMs with bfloat16 factors: strategies differ in what multiplies, and in how rows
// are copied. All round them on the way.

/// Lists the strategies of GEMM with bfloat16 factors, whose results are bit-identical.
func bfloat16GEMM(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
  list(BFloat16Vectors.self, add)
}

/// What multiplies row slices with bfloat16 factors: vectors, or a matrix unit.
protocol BFloat16Multiplication: SendableMetatype {
  /// The elements of the copied rows.
  associatedtype Elements: PatchElements
  static var elements: Elements { get }
  /// The names of its strategies.
  static var names: (implicitGEMM: StaticString, im2col: StaticString) { get }
  static var tileRows: Int { get }
  /// The size of the memory that it needs besides the copied rows.
  static var scratchByteCount: Int { get }
  static func panels(_ geometry: PatchGeometry) -> PairedPanels
  /// Returns why it does not suit a problem, or `nil`.
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal?
  /// Returns the work of multiplying all rows by all panels, without that of copying rows.
  static func work(_ problem: GEMMProblem) -> KernelWork
  /// Multiplies a row slice by all panels.
  static func multiply(
    _ arguments: GEMMBlock<FloatEpilogue>, _ rows: IndirectRows, from firstRow: Int)
}

/// Lists the strategies that multiply in one way.
func list<Multiplication: BFloat16Multiplication>(
  _: Multiplication.Type, _ add: StrategyListing<GEMMProblem, FloatGEMM>
) {
  list(BFloat16ImplicitGEMM<Multiplication>.self, add)
  list(BFloat16Im2col<Multiplication>.self, add)
}

/// A strategy of the family.
private protocol BFloat16GEMMStrategy: SendableMetatype {
  associatedtype Multiplication: BFloat16Multiplication
  associatedtype Copies: RowCopies
  static var name: StaticString { get }
  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal?
  static func work(_ problem: GEMMProblem) -> KernelWork
  static func copies(_ geometry: PatchGeometry) -> Copies
}

extension BFloat16GEMMStrategy {
  // Scratch: what multiplies needs, then the copied rows.

  static func scratchByteCount(_ geometry: PatchGeometry) -> Int {
    roundUp(Multiplication.scratchByteCount + copies(geometry).byteCount, to: 64)
  }

  static func run(_ arguments: GEMMBlock<FloatEpilogue>) {
    arguments.forEachSlice(
      copies(arguments.patches), in: arguments.scratch + Multiplication.scratchByteCount
    ) { Multiplication.multiply(arguments, $0, from: $1) }
  }
}

private func list<Strategy: BFloat16GEMMStrategy>(
  _: Strategy.Type, _ add: StrategyListing<GEMMProblem, FloatGEMM>
) {
  add(
    Strategy.name, { Strategy.refusal($0) }, { Strategy.work($0) },
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: Strategy.Multiplication.tileRows,
      packedByteCount: { Strategy.Multiplication.panels($1).byteCount(columns: $0) },
      pack: { Strategy.Multiplication.panels($0.patches).pack($0) },
      scratchByteCount: { Strategy.scratchByteCount($0) }, run: { Strategy.run($0) }))
}

/// Windows in padded rows that are copied once (implicit GEMM).
private enum BFloat16ImplicitGEMM<Multiplication: BFloat16Multiplication>: BFloat16GEMMStrategy {
  static var name: StaticString { Multiplication.names.implicitGEMM }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    if problem.patches.isPointwise { return .pointwise }
    return Multiplication.refusal(problem)
      ?? (problem.patches.suitsPaddedRows ? nil : .rowsTooLong)
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = Multiplication.work(problem)
    work.addPaddedRows(problem, elementBytes: Multiplication.elements.rowBytes)
    return work
  }

  @inline(__always)
  static func copies(_ geometry: PatchGeometry) -> PaddedRows<Multiplication.Elements> {
    PaddedRows(geometry, as: Multiplication.elements)
  }
}

/// The im2col strategy, which accepts what its multiplication does.
private enum BFloat16Im2col<Multiplication: BFloat16Multiplication>: BFloat16GEMMStrategy {
  static var name: StaticString { Multiplication.names.im2col }

  static func refusal(_ problem: GEMMProblem) -> StrategyRefusal? {
    Multiplication.refusal(problem)
  }

  static func work(_ problem: GEMMProblem) -> KernelWork {
    var work = Multiplication.work(problem)
    work.addGathering(
      problem, rowBytes: problem.patches.patchDepth &* Multiplication.elements.rowBytes)
    return work
  }

  @inline(__always)
  static func copies(_ geometry: PatchGeometry) -> Im2colRows<Multiplication.Elements> {
    Im2colRows(geometry, tileRows: Multiplication.tileRows, as: Multiplication.elements)
  }
}

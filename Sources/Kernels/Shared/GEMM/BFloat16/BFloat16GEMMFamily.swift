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

extension BFloat16Multiplication {
  /// Windows in padded rows that are copied once (implicit GEMM).
  @inline(__always)
  private static func paddedRows(_ geometry: PatchGeometry) -> PaddedRows<Elements> {
    PaddedRows(geometry, as: elements)
  }

  @inline(__always)
  private static func im2colRows(_ geometry: PatchGeometry) -> Im2colRows<Elements> {
    Im2colRows(geometry, tileRows: tileRows, as: elements)
  }

  // Scratch: what multiplies needs, then the copied rows.

  fileprivate static func scratchByteCountOfPaddedRows(_ geometry: PatchGeometry) -> Int {
    roundUp(scratchByteCount + paddedRows(geometry).byteCount, to: 64)
  }

  fileprivate static func multiplyPaddedRows(_ arguments: GEMMBlock<FloatEpilogue>) {
    let rows = paddedRows(arguments.patches)
    arguments.forEachSlice {
      rows.copy($0, from: arguments.input, to: arguments.scratch + scratchByteCount)
    } multiply: {
      multiply(arguments, $0, from: $1)
    }
  }

  fileprivate static func scratchByteCountOfIm2col(_ geometry: PatchGeometry) -> Int {
    roundUp(scratchByteCount + im2colRows(geometry).byteCount, to: 64)
  }

  fileprivate static func multiplyIm2colRows(_ arguments: GEMMBlock<FloatEpilogue>) {
    let rows = im2colRows(arguments.patches)
    arguments.forEachSlice {
      rows.copy($0, from: arguments.input, to: arguments.scratch + scratchByteCount)
    } multiply: {
      multiply(arguments, $0, from: $1)
    }
  }
}

/// Lists the strategies that multiply in one way.
func list<Multiplication: BFloat16Multiplication>(
  _: Multiplication.Type, _ add: StrategyListing<GEMMProblem, FloatGEMM>
) {
  add(
    Multiplication.names.implicitGEMM,
    { problem in
      if problem.patches.isPointwise { return .pointwise }
      return Multiplication.refusal(problem)
        ?? (problem.patches.suitsPaddedRows ? nil : .rowsTooLong)
    },
    { problem in
      var work = Multiplication.work(problem)
      work.addPaddedRows(problem, elementBytes: Multiplication.elements.rowBytes)
      return work
    },
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: Multiplication.tileRows,
      packedByteCount: { Multiplication.panels($1).byteCount(columns: $0) },
      pack: { Multiplication.panels($0.patches).pack($0) },
      scratchByteCount: { Multiplication.scratchByteCountOfPaddedRows($0) },
      run: { Multiplication.multiplyPaddedRows($0) }))
  add(
    Multiplication.names.im2col, { Multiplication.refusal($0) },
    { problem in
      var work = Multiplication.work(problem)
      work.addGathering(
        problem, rowBytes: problem.patches.patchDepth &* Multiplication.elements.rowBytes)
      return work
    },
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: Multiplication.tileRows,
      packedByteCount: { Multiplication.panels($1).byteCount(columns: $0) },
      pack: { Multiplication.panels($0.patches).pack($0) },
      scratchByteCount: { Multiplication.scratchByteCountOfIm2col($0) },
      run: { Multiplication.multiplyIm2colRows($0) }))
}

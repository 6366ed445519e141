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
  fileprivate static func paddedRows(_ geometry: PatchGeometry) -> PaddedRows<Elements> {
    PaddedRows(geometry, as: elements)
  }

  @inline(__always)
  fileprivate static func im2colRows(_ geometry: PatchGeometry) -> Im2colRows<Elements> {
    Im2colRows(geometry, tileRows: tileRows, as: elements)
  }

  /// Multiplies the slices that `copy` makes in the memory behind what the multiplication needs.
  @inline(__always)
  fileprivate static func multiply(
    _ arguments: GEMMBlock<FloatEpilogue>,
    copiedBy copy: (Range<Int>, UnsafeRawPointer, UnsafeMutableRawPointer) -> IndirectRows
  ) {
    let memory = arguments.scratch + scratchByteCount
    arguments.forEachSlice {
      copy($0, arguments.input, memory)
    } multiply: {
      multiply(arguments, $0, from: $1)
    }
  }

  /// Makes a kernel of a way to copy rows.
  @inline(__always)
  fileprivate static func gemm(
    rowsByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (GEMMBlock<FloatEpilogue>) -> Void
  ) -> FloatGEMM {
    FloatGEMM(
      panelColumns: FloatVector.scalarCount, tileRows: tileRows,
      packedByteCount: { panels($1).byteCount(columns: $0) },
      pack: { panels($0.patches).pack($0) },
      scratchByteCount: { roundUp(scratchByteCount + rowsByteCount($0), to: 64) }, run: run)
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
    Multiplication.gemm(rowsByteCount: { Multiplication.paddedRows($0).byteCount }) { arguments in
      let rows = Multiplication.paddedRows(arguments.patches)
      Multiplication.multiply(arguments) { rows.copy($0, from: $1, to: $2) }
    })
  add(
    Multiplication.names.im2col, { Multiplication.refusal($0) },
    { problem in
      var work = Multiplication.work(problem)
      work.addGathering(
        problem, rowBytes: problem.patches.patchDepth &* Multiplication.elements.rowBytes)
      return work
    },
    Multiplication.gemm(rowsByteCount: { Multiplication.im2colRows($0).byteCount }) { arguments in
      let rows = Multiplication.im2colRows(arguments.patches)
      Multiplication.multiply(arguments) { rows.copy($0, from: $1, to: $2) }
    })
}

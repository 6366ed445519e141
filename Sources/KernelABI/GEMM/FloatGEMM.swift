/// One strategy of float GEMM: patches × weights + bias, clamped.
///
/// CONV_2D, FULLY_CONNECTED and BATCH_MATMUL use it. Products are added in an order that the depth
/// alone decides, so that results do not depend on the split into rows and columns or on the vector
/// width.
public struct FloatGEMM: Sendable {
  /// The number of columns of one packed panel; work is split between threads at multiples of it.
  public var panelColumns: Int
  /// The number of rows of one register tile; splits at multiples of it leave no partial tile.
  public var tileRows: Int
  /// The size of the packed weights of `columns` columns.
  public var packedByteCount: @Sendable (_ columns: Int, PatchGeometry) -> Int
  /// Packs weights into panels: once per model, or in every run if the weights are computed.
  public var pack: @Sendable (FloatPackingArguments) -> Void
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (GEMMBlock<FloatEpilogue>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, tileRows: Int,
    packedByteCount: @escaping @Sendable (Int, PatchGeometry) -> Int,
    pack: @escaping @Sendable (FloatPackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (GEMMBlock<FloatEpilogue>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.tileRows = tileRows
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// The arguments of `FloatGEMM.pack`.
@frozen public struct FloatPackingArguments {
  /// The weight of the first column at the first index of the depth.
  public var filter: UnsafePointer<Float>
  /// The distance between columns, in elements: `depth` in the OHWI order of CONV_2D.
  public var columnStride: Int
  /// The distance between elements of one column: 1 in the OHWI order.
  public var depthStride: Int
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Float>?
  /// The output channels.
  public var columns: Int
  /// The geometry of the rows that the weights will multiply.
  public var patches: PatchGeometry
  /// The destination of `packedByteCount(columns, patches)` bytes.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments for weights of `columns` rows of contiguous elements.
  public init(
    filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?, columns: Int,
    patches: PatchGeometry, packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    columnStride = patches.depth
    depthStride = 1
    self.bias = bias
    self.columns = columns
    self.patches = patches
    self.packed = packed
  }

  /// The number of elements of one patch.
  public var depth: Int { patches.depth }
}

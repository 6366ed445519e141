/// One strategy of quantized GEMM: 8-bit patches × 8-bit weights, summed in 32 bits, plus bias,
/// requantized per column.
///
/// Operators on int8 and uint8 use it, hybrid ones with `SumScaling.hybrid`, and integer recurrent
/// ones with `SumScaling.sums`. All sums are exact.
public struct QuantizedGEMM: Sendable {
  /// The number of columns of one packed panel; work is split between threads at multiples of it.
  public var panelColumns: Int
  /// Whether the kernel prefers rows of signed bytes, where the caller may choose; it may have to
  /// copy unsigned ones.
  public var prefersSignedRows: Bool
  /// The number of rows of a register tile, or of the output rows that are computed together;
  /// blocks begin at multiples of it.
  public var tileRows: @Sendable (PatchGeometry) -> Int
  /// The size of the packed weights of `columns` columns.
  public var packedByteCount: @Sendable (_ columns: Int, PatchGeometry) -> Int
  /// Packs weights, bias and multipliers into panels, once per model.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void
  /// The sharing of packed weights between nodes, where the strategy supports it.
  public var sharedWeights: SharedWeights
  /// The size of the scratch memory for one call of `run`.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output.
  public var run: @Sendable (GEMMBlock<QuantizedEpilogue>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int, prefersSignedRows: Bool,
    tileRows: @escaping @Sendable (PatchGeometry) -> Int,
    packedByteCount: @escaping @Sendable (Int, PatchGeometry) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void, sharedWeights: SharedWeights,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (GEMMBlock<QuantizedEpilogue>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.prefersSignedRows = prefersSignedRows
    self.tileRows = tileRows
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.sharedWeights = sharedWeights
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

/// Packed weights that are stored apart from their biases and multipliers.
///
/// The steps of an unrolled recurrent network multiply by the same weights with different scales.
public struct SharedWeights: Sendable {
  /// The size of the shared weights, or 0 if the strategy cannot share them.
  public var byteCount: @Sendable (_ columns: Int, _ depth: Int) -> Int
  /// The size of the biases and multipliers, which each node packs for itself.
  public var unsharedByteCount: @Sendable (_ columns: Int) -> Int
  /// Packs only the weights into `packed`.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void

  /// Creates the entry from its functions.
  public init(
    byteCount: @escaping @Sendable (Int, Int) -> Int,
    unsharedByteCount: @escaping @Sendable (Int) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void
  ) {
    self.byteCount = byteCount
    self.unsharedByteCount = unsharedByteCount
    self.pack = pack
  }

  /// The value of strategies that cannot share weights.
  public static let none = SharedWeights(
    byteCount: { _, _ in 0 }, unsharedByteCount: { _ in 0 }, pack: { _ in })
}

/// The arguments of `QuantizedGEMM.pack`.
public struct QuantizedPackingArguments {
  /// The weights: `columns` rows of `depth` contiguous bytes (the OHWI order of CONV_2D).
  public var filter: UnsafeRawPointer
  /// The format of the weights.
  public var filterFormat: QuantizedFormat
  /// The format of the activations, whose zero point goes into the packed bias.
  public var inputFormat: QuantizedFormat
  /// One value per column, or `nil` for zeros.
  public var bias: UnsafePointer<Int32>?
  /// The requantization of the sums, which is packed into the panels.
  public var requantization: SumScaling
  /// The output channels.
  public var columns: Int
  /// The geometry of the rows that are multiplied by these weights.
  public var patches: PatchGeometry
  /// The number of elements of one patch.
  public var depth: Int
  /// The same weights as packed by `SharedWeights.pack`, or `nil` to pack them with the rest.
  public var sharedWeights: UnsafeRawPointer?
  /// The destination: `packedByteCount(columns, patches)` bytes, or the size that `SharedWeights`
  /// gives.
  public var packed: UnsafeMutableRawPointer

  /// Creates the arguments.
  public init(
    filter: UnsafeRawPointer, filterFormat: QuantizedFormat, inputFormat: QuantizedFormat,
    bias: UnsafePointer<Int32>?, requantization: SumScaling, columns: Int,
    patches: PatchGeometry, sharedWeights: UnsafeRawPointer? = nil,
    packed: UnsafeMutableRawPointer
  ) {
    self.filter = filter
    self.filterFormat = filterFormat
    self.inputFormat = inputFormat
    self.bias = bias
    self.requantization = requantization
    self.columns = columns
    self.patches = patches
    depth = patches.depth
    self.sharedWeights = sharedWeights
    self.packed = packed
  }
}

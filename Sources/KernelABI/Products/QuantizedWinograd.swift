/// The quantized convolution of 3×3 windows side by side of one instruction set, by Winograd's method: four output
/// pixels at once, with 16 products for each channel in the place of 36.
///
/// Every result is exact: sums and differences of bytes fit 16 bits, and their products' sums 32.
public struct QuantizedWinograd: Sendable {
  /// The columns of one packed panel; work is split between workers at multiples of it.
  public var panelColumns: Int
  /// Whether a convolution with so many columns, output channels, and such weights can be computed so, and is
  /// soon enough.
  public var suits: @Sendable (PatchGeometry, _ columns: Int, _ filter: QuantizedFormat) -> Bool
  /// The size of the packed weights of so many columns.
  public var packedByteCount: @Sendable (_ columns: Int, _ channels: Int) -> Int
  /// Packs weights, bias and multipliers, once per model.
  public var pack: @Sendable (QuantizedPackingArguments) -> Void
  /// The size of the scratch memory that one call of `run` needs.
  public var scratchByteCount: @Sendable (PatchGeometry) -> Int
  /// Computes a block of the output whose rows are whole lines.
  public var run: @Sendable (ProductBlock<QuantizedFinish>) -> Void

  /// Creates the entry from its functions.
  public init(
    panelColumns: Int,
    suits: @escaping @Sendable (PatchGeometry, Int, QuantizedFormat) -> Bool,
    packedByteCount: @escaping @Sendable (Int, Int) -> Int,
    pack: @escaping @Sendable (QuantizedPackingArguments) -> Void,
    scratchByteCount: @escaping @Sendable (PatchGeometry) -> Int,
    run: @escaping @Sendable (ProductBlock<QuantizedFinish>) -> Void
  ) {
    self.panelColumns = panelColumns
    self.suits = suits
    self.packedByteCount = packedByteCount
    self.pack = pack
    self.scratchByteCount = scratchByteCount
    self.run = run
  }
}

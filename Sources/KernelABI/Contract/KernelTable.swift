/// Every tuned kernel of one instruction set.
///
/// The engine reaches a kernel only through this table, never by name, so that code for a newer
/// processor cannot run on an older one.
public struct KernelTable: Sendable {
  /// The instruction set, as `OCELLUS_ISA`, `ocellus cpu` and traces spell it.
  public var name: String
  /// Convolutions and fully connected layers of floats.
  public var floatProducts: KernelFamily<ProductProblem, FloatGEMM>
  /// Convolutions of floats with fewer products, for windows that suit Winograd's method and at least 16 channels; their
  /// rounding is another one.
  public var floatWinograd: FloatGEMM?
  /// Convolutions and fully connected layers of 8-bit numbers.
  public var quantizedProducts: KernelFamily<ProductProblem, QuantizedGEMM>
  /// Depthwise convolutions of floats.
  public var floatDepthwise: KernelFamily<PatchGeometry, FloatDepthwise>
  /// Depthwise convolutions of 8-bit numbers.
  public var quantizedDepthwise: KernelFamily<PatchGeometry, QuantizedDepthwise>
  /// Repeats every channel some times, for depthwise convolutions with several filters a channel.
  public var repeatChannels: @Sendable (ChannelRepetitionArguments) -> Void
  /// Convolutions and fully connected layers of 16-bit activations.
  public var int16GEMM: Int16GEMM
  /// Depthwise convolutions of 16-bit activations.
  public var int16Depthwise: KernelFamily<PatchGeometry, Int16Depthwise>
  /// Fully connected layers of floats and 4-bit weights with a scale for every block.
  public var blockwiseProduct: BlockwiseProduct
  /// The rounding of floats that meet 8-bit weights.
  public var floatRounding: FloatRounding
  /// Transposed convolutions of floats with 8-bit weights.
  public var scaledProducts: ScaledProducts
  /// Arithmetic on contiguous arrays.
  public var elementwise: Elementwise
  /// Images brought to another size.
  public var resampling: Resampling
  /// Pictures brought to another size, as other libraries do it.
  public var pictures: PictureKernels
  /// Windows of images that become one pixel.
  public var pooling: Pooling
  /// Elements folded into one along an axis.
  public var reductions: Reductions
  /// Elements moved to other places.
  public var movement: Movement
  /// Spectra.
  public var fourier: FourierKernels
  /// What recurrent layers do beside their matrix products.
  public var recurrentCells: RecurrentCells
  /// What audits and profiles ask for.
  public var inspection: Inspection

  /// Creates a table from its kernels.
  public init(
    name: String, floatProducts: (StrategyListing<ProductProblem, FloatGEMM>) -> Void,
    floatWinograd: FloatGEMM?,
    quantizedProducts: (StrategyListing<ProductProblem, QuantizedGEMM>) -> Void,
    floatDepthwise: (StrategyListing<PatchGeometry, FloatDepthwise>) -> Void,
    quantizedDepthwise: (StrategyListing<PatchGeometry, QuantizedDepthwise>) -> Void,
    repeatChannels: @escaping @Sendable (ChannelRepetitionArguments) -> Void,
    int16GEMM: Int16GEMM, int16Depthwise: (StrategyListing<PatchGeometry, Int16Depthwise>) -> Void,
    blockwiseProduct: BlockwiseProduct,
    floatRounding: FloatRounding, scaledProducts: ScaledProducts, elementwise: Elementwise,
    resampling: Resampling, pictures: PictureKernels, pooling: Pooling, reductions: Reductions,
    movement: Movement, fourier: FourierKernels, recurrentCells: RecurrentCells,
    inspection: Inspection
  ) {
    self.name = name
    self.floatProducts = KernelFamily(name: "product-float32", listedBy: floatProducts)
    self.floatWinograd = floatWinograd
    self.quantizedProducts = KernelFamily(name: "product-int8", listedBy: quantizedProducts)
    self.floatDepthwise = KernelFamily(name: "depthwise-float32", listedBy: floatDepthwise)
    self.quantizedDepthwise = KernelFamily(name: "depthwise-int8", listedBy: quantizedDepthwise)
    self.repeatChannels = repeatChannels
    self.int16GEMM = int16GEMM
    self.int16Depthwise = KernelFamily(name: "depthwise-int16", listedBy: int16Depthwise)
    self.blockwiseProduct = blockwiseProduct
    self.floatRounding = floatRounding
    self.scaledProducts = scaledProducts
    self.elementwise = elementwise
    self.resampling = resampling
    self.pictures = pictures
    self.pooling = pooling
    self.reductions = reductions
    self.movement = movement
    self.fourier = fourier
    self.recurrentCells = recurrentCells
    self.inspection = inspection
  }
}

extension KernelTable {
  /// The columns of a panel of floats, whatever is multiplied with it.
  public var floatColumns: Int { floatProducts.strategies.last?.kernel.panelColumns ?? 1 }

  /// The columns of a panel of bytes.
  public var byteColumns: Int { quantizedProducts.strategies.last?.kernel.panelColumns ?? 1 }

  /// The families that plans choose strategies from.
  public var families: [KernelFamilySummary] {
    [
      floatProducts.summary, quantizedProducts.summary, floatDepthwise.summary,
      quantizedDepthwise.summary,
      int16Depthwise.summary,
    ]
  }

  /// The same kernels with what a processor was measured to need: costs by strategy, of each family by its name.
  public func priced(by costs: [String: [String: KernelWork]]) -> KernelTable {
    var table = self
    table.floatProducts.price(by: costs[floatProducts.name] ?? [:])
    table.quantizedProducts.price(by: costs[quantizedProducts.name] ?? [:])
    table.floatDepthwise.price(by: costs[floatDepthwise.name] ?? [:])
    table.quantizedDepthwise.price(by: costs[quantizedDepthwise.name] ?? [:])
    table.int16Depthwise.price(by: costs[int16Depthwise.name] ?? [:])
    return table
  }
}

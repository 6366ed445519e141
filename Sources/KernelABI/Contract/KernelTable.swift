/// All kernels of one instruction set.
///
/// The engine reaches a kernel only through this table, never by name, so that code for a newer
/// processor cannot run on an older one.
public struct KernelTable: Sendable {
  /// The instruction set, as `OCELLUS_ISA`, `ocellus cpu` and traces spell it.
  public var name: String
  /// Convolutions and fully connected layers of floats.
  public var floatGEMM: KernelFamily<GEMMProblem, FloatGEMM>
  /// Convolutions and fully connected layers of floats whose factors are rounded to bfloat16.
  public var bfloat16GEMM: KernelFamily<GEMMProblem, FloatGEMM>
  /// Convolutions of floats by Winograd's method, for 3×3 windows and at least 16 channels.
  ///
  /// They need fewer multiplications than `floatGEMM`, and round differently.
  public var floatWinograd: FloatGEMM?
  /// Convolutions and fully connected layers of 8-bit numbers.
  public var quantizedGEMM: KernelFamily<GEMMProblem, QuantizedGEMM>
  /// Depthwise convolutions of floats.
  public var floatDepthwise: KernelFamily<PatchGeometry, FloatDepthwise>
  /// Depthwise convolutions of 8-bit numbers.
  public var quantizedDepthwise: KernelFamily<PatchGeometry, QuantizedDepthwise>
  /// Repeats every channel, for depthwise convolutions with several filters per channel.
  public var repeatChannels: @Sendable (ChannelRepetitionArguments) -> Void
  /// Convolutions and fully connected layers of 16-bit activations.
  public var int16GEMM: Int16GEMM
  /// Depthwise convolutions of 16-bit activations.
  public var int16Depthwise: KernelFamily<PatchGeometry, Int16Depthwise>
  /// Fully connected layers of floats with 4-bit weights, which have one scale per block.
  public var blockwiseGEMM: BlockwiseGEMM
  /// The dynamic quantization of float inputs for layers with 8-bit weights.
  public var floatQuantization: FloatQuantization
  /// Transposed convolutions of floats with 8-bit weights.
  public var scaledProducts: ScaledProducts
  /// Arithmetic on contiguous arrays.
  public var elementwise: Elementwise
  /// The resizing of feature maps.
  public var resampling: Resampling
  /// The resizing and filtering of pictures, bit-exact with Pillow, OpenCV and TensorFlow.
  public var pictures: PictureKernels
  /// Pooling.
  public var pooling: Pooling
  /// Reductions along an axis.
  public var reductions: Reductions
  /// Data movement: copies, transpositions and reversals.
  public var dataMovement: DataMovement
  /// Fourier transforms.
  public var fourier: FourierKernels
  /// The cells of recurrent layers, that is, everything but their matrix multiplications.
  public var recurrentCells: RecurrentCells
  /// The statistics for audits and profiles.
  public var inspection: Inspection

  /// Creates a table from its kernels.
  public init(
    name: String, floatGEMM: (StrategyListing<GEMMProblem, FloatGEMM>) -> Void,
    bfloat16GEMM: (StrategyListing<GEMMProblem, FloatGEMM>) -> Void,
    floatWinograd: FloatGEMM?,
    quantizedGEMM: (StrategyListing<GEMMProblem, QuantizedGEMM>) -> Void,
    floatDepthwise: (StrategyListing<PatchGeometry, FloatDepthwise>) -> Void,
    quantizedDepthwise: (StrategyListing<PatchGeometry, QuantizedDepthwise>) -> Void,
    repeatChannels: @escaping @Sendable (ChannelRepetitionArguments) -> Void,
    int16GEMM: Int16GEMM, int16Depthwise: (StrategyListing<PatchGeometry, Int16Depthwise>) -> Void,
    blockwiseGEMM: BlockwiseGEMM,
    floatQuantization: FloatQuantization, scaledProducts: ScaledProducts, elementwise: Elementwise,
    resampling: Resampling, pictures: PictureKernels, pooling: Pooling, reductions: Reductions,
    dataMovement: DataMovement, fourier: FourierKernels, recurrentCells: RecurrentCells,
    inspection: Inspection
  ) {
    self.name = name
    self.floatGEMM = KernelFamily(name: "gemm-float32", listedBy: floatGEMM)
    self.bfloat16GEMM = KernelFamily(name: "gemm-bfloat16", listedBy: bfloat16GEMM)
    self.floatWinograd = floatWinograd
    self.quantizedGEMM = KernelFamily(name: "gemm-int8", listedBy: quantizedGEMM)
    self.floatDepthwise = KernelFamily(name: "depthwise-float32", listedBy: floatDepthwise)
    self.quantizedDepthwise = KernelFamily(name: "depthwise-int8", listedBy: quantizedDepthwise)
    self.repeatChannels = repeatChannels
    self.int16GEMM = int16GEMM
    self.int16Depthwise = KernelFamily(name: "depthwise-int16", listedBy: int16Depthwise)
    self.blockwiseGEMM = blockwiseGEMM
    self.floatQuantization = floatQuantization
    self.scaledProducts = scaledProducts
    self.elementwise = elementwise
    self.resampling = resampling
    self.pictures = pictures
    self.pooling = pooling
    self.reductions = reductions
    self.dataMovement = dataMovement
    self.fourier = fourier
    self.recurrentCells = recurrentCells
    self.inspection = inspection
  }
}

extension KernelTable {
  /// The number of columns of a panel of floats, which is the same for all strategies.
  public var floatColumns: Int { floatGEMM.strategies.last?.kernel.panelColumns ?? 1 }

  /// The number of columns of a panel of bytes.
  public var byteColumns: Int { quantizedGEMM.strategies.last?.kernel.panelColumns ?? 1 }

  /// The families from which plans choose strategies.
  public var families: [KernelFamilySummary] {
    [
      floatGEMM.summary, bfloat16GEMM.summary, quantizedGEMM.summary, floatDepthwise.summary,
      quantizedDepthwise.summary, int16Depthwise.summary,
    ]
  }

  /// Returns the same kernels with measured costs: by strategy, under the name of each family.
  public func priced(by costs: [String: [String: KernelWork]]) -> KernelTable {
    var table = self
    table.floatGEMM.price(by: costs[floatGEMM.name] ?? [:])
    table.bfloat16GEMM.price(by: costs[bfloat16GEMM.name] ?? [:])
    table.quantizedGEMM.price(by: costs[quantizedGEMM.name] ?? [:])
    table.floatDepthwise.price(by: costs[floatDepthwise.name] ?? [:])
    table.quantizedDepthwise.price(by: costs[quantizedDepthwise.name] ?? [:])
    table.int16Depthwise.price(by: costs[int16Depthwise.name] ?? [:])
    return table
  }
}

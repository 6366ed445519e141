public import OcellusKernelABI

/// The kernels of this instruction set: the only symbol that the module exports.
public let kernels = KernelTable(
  name: instructionSetName, floatGEMM: { floatGEMM($0) }, bfloat16GEMM: { bfloat16GEMM($0) },
  floatWinograd: floatWinograd, quantizedGEMM: { quantizedGEMM($0) },
  floatDepthwise: { floatDepthwise($0) }, quantizedDepthwise: { quantizedDepthwise($0) },
  repeatChannels: { repeatChannels($0) },
  int16GEMM: int16GEMM, int16Depthwise: { int16Depthwise($0) }, blockwiseGEMM: blockwiseGEMM,
  floatQuantization: floatQuantization, scaledProducts: scaledProducts, elementwise: elementwise,
  resampling: resampling, pictures: pictures, pooling: pooling, reductions: reductions,
  dataMovement: dataMovement, fourier: fourier, recurrentCells: recurrentCells,
  inspection: inspection)

public import OcellusKernelABI

// Not a whole instruction set, but the kernels that replace those of NEON, because they multiply
// bytes.

/// Lists the strategies of byte GEMM.
public func listQuantizedGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  quantizedGEMM(add)
}

/// Lists the strategies of depthwise convolutions of bytes.
public func listQuantizedDepthwise(
  _ add: StrategyListing<PatchGeometry, QuantizedDepthwise>
) {
  quantizedDepthwise(add)
}

/// GEMM with blockwise quantized weights.
public let blockwiseKernel = blockwiseGEMM

/// The loops that measure the peak throughput of these kernels.
public let limits = peakLoops

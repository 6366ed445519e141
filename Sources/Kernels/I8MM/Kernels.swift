public import OcellusKernelABI

// Not a whole instruction set, but the kernels that replace those of DotProd, because they multiply
// blocks of bytes.

/// Lists the strategies of byte GEMM.
public func listQuantizedGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  quantizedGEMM(add)
}

/// GEMM with blockwise quantized weights.
public let blockwiseKernel = blockwiseGEMM

/// The loops that measure the peak throughput of these kernels.
public let limits = peakLoops

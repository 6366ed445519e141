public import OcellusKernelABI

/// Lists the strategies of byte GEMM that use the matrix unit.
public func listMatrixTileGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  matrixTileGEMM(add)
}

/// Lists the strategies of GEMM with bfloat16 factors that use the matrix unit.
public func listMatrixTileGEMMOfBFloat16(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
  matrixTileGEMMOfBFloat16(add)
}

public import OcellusKernelABI

/// Lists the strategies of byte GEMM that use the matrix unit.
public func listMatrixTileGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  matrixTileGEMM(add)
}

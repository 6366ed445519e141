import CMatrixTiles
public import OcellusKernelABI

// Not a whole instruction set, but strategies of GEMM beside those of AVX-512.

/// Asks the operating system for the permission to use the matrix unit, and returns whether it is
/// granted.
public func requestPermission() -> Bool { tiles_request_permission() == 0 }

/// Lists the strategies of byte GEMM that use the matrix unit.
public func listMatrixTileGEMM(_ add: StrategyListing<GEMMProblem, QuantizedGEMM>) {
  matrixTileGEMM(add)
}

/// Lists the strategies of GEMM with bfloat16 factors that use the matrix unit.
public func listMatrixTileGEMMOfBFloat16(_ add: StrategyListing<GEMMProblem, FloatGEMM>) {
  matrixTileGEMMOfBFloat16(add)
}

/// The multiply-adds of a round of `multiplyTiles`.
public let tileProductsPerRound =
  4 * MatrixTiles.rows * MatrixTiles.depth * SumVector.scalarCount

/// Multiplies tiles in registers, to measure the peak throughput.
public func multiplyTiles(_ rounds: Int, _ memory: UnsafeMutableRawPointer) {
  withUnsafeTemporaryAllocation(byteCount: MatrixTiles.memoryByteCount, alignment: 16) { buffer in
    let tiles = MatrixTiles(memory: buffer.baseAddress.unsafelyUnwrapped)
    tiles.configure(upperRows: MatrixTiles.rows, lowerRows: MatrixTiles.rows)
    let operand = TileOperand(start: memory, stride: MatrixTiles.depth)
    tiles.loadUpperRows(operand)
    tiles.loadLowerRows(operand)
    tiles.startSums(memory, panelStride: 0, Two.self, Two.self)
    for _ in 0..<rounds {
      tiles.multiply(memory, panelStride: 0, Two.self, Two.self)
    }
    tiles.storeSums(to: memory, stride: 0, Two.self, Two.self)
    tiles.release()
  }
}

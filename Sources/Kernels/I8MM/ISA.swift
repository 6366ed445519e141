// ARMv8.6 with the matrix multiplication of bytes.

/// The tile height: 16 accumulators, 4 row vectors, their 4 blocks and 2 of weights in 32
/// registers.
let tileRows = 4
typealias TileRows = Four
let tileVectors = 4
typealias ShallowTileRows = TileRows

// ARMv8.6 with the matrix multiplication of bytes.

let instructionSetName = "i8mm"
/// The tile height: 16 accumulators, 4 row vectors, their 4 blocks and 2 of weights in 32
/// registers.
let tileRows = 4
typealias TileRows = Four
let tileVectors = 4
typealias ShallowTileRows = TileRows

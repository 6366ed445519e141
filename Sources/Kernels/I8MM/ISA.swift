// ARMv8.6 with products of matrices of bytes.

let instructionSetName = "i8mm"
/// 16 accumulators, 4 vectors of the rows, as many blocks of them and 2 of weights fit the 32 registers.
let tileRows = 4
typealias TileRows = Four
let tileVectors = 4
typealias ShallowTileRows = TileRows

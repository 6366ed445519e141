// ARMv8.2 with the dot product: four products of bytes per lane and instruction.

let tileRows = floatTileRows
typealias TileRows = FloatTileRows
let tileVectors = floatTileVectors
typealias ShallowTileRows = TileRows

/// The format `SHUFFLED4x16INT8` of matrices: tiles of 4 rows and 16 columns one after the other,
/// with the sign bit of every element toggled.
package enum ShuffledWeights {
  /// The zero point of inputs and weights in this format, whatever their tensors say.
  package static let zeroPoint = 128

  package static let (tileRows, tileColumns) = (4, 16)

  /// Restores the elements to rows, as `uint8`.
  package static func restore(
    _ tiles: UnsafeBufferPointer<UInt8>, to matrix: UnsafeMutableBufferPointer<UInt8>,
    columns: Int, _ control: RunControl? = nil
  ) {
    var index = 0
    var question = StoppableWork(control)
    for row in stride(from: 0, to: matrix.count / columns, by: tileRows) {
      for column in stride(from: 0, to: columns, by: tileColumns) {
        if question.isOver(after: tileRows * tileColumns) { return }
        for tileRow in 0..<tileRows {
          for tileColumn in 0..<tileColumns {
            matrix[(row + tileRow) * columns + column + tileColumn] = tiles[index] ^ 0x80
            index += 1
          }
        }
      }
    }
  }
}

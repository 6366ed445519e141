/// A range of channels of an output, for each of its rows or cells.
struct OutputColumns: Hashable, Sendable {
  /// The index of the output.
  var output: Int
  /// The first channel of the range.
  var first = 0
  /// The number of channels of the range.
  var count: Int
  /// The number of channels of the output; `nil`: its last extent.
  var channels: Int?
  /// Whether the channels come before the cells.
  var isPlanar = false
  /// The index of the output's first cell among all cells of the network.
  var firstCell = 0

  /// Returns the rows of the output that the columns belong to.
  func rows(_ outputs: [OutputTensor]) throws(VisionError) -> OutputRows {
    let output = outputs[output]
    let rows = try OutputRows(
      output, channels: channels ?? output.shape.last ?? 0, isPlanar: isPlanar)
    guard first + count <= rows.columns else {
      throw .mismatched("the output '\(output.name)' has \(rows.columns) channels only")
    }
    return rows
  }

  /// The range in a row.
  var range: Range<Int> { first..<first + count }
}

extension OutputRows {
  /// Creates a view of a map or list of `channels` numbers for each cell.
  init(_ output: OutputTensor, channels: Int, isPlanar: Bool) throws(VisionError) {
    guard channels > 0, output.count.isMultiple(of: channels) else {
      throw .mismatched("the output '\(output.name)' has no \(channels) numbers for each place")
    }
    let count = output.count / channels
    let flat = OutputTensor(
      name: output.name, shape: isPlanar ? [channels, count] : [count, channels],
      values: output.values)
    try self.init(flat, columns: channels, isTransposed: isPlanar)
  }
}

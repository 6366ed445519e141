/// How the options of a node let a window move over an image.
package struct WindowOptions: Sendable, Hashable {
  package let padding: PaddingScheme
  package let rowStride: Int
  package let columnStride: Int
  package let rowDilation: Int
  package let columnDilation: Int

  /// Reads padding and strides, which all such options tables begin with, and the dilations,
  /// which are columns first like the strides.
  package init(
    _ options: OptionReader, firstDilationField: Int? = nil
  ) throws(ModelError) {
    padding = try options.choice(0, of: PaddingScheme.self, named: "padding")
    columnStride = try options.integer(1)
    rowStride = try options.integer(2)
    if let field = firstDilationField {
      columnDilation = try options.integer(field, default: 1)
      rowDilation = try options.integer(field + 1, default: 1)
    } else {
      (rowDilation, columnDilation) = (1, 1)
    }
    let node = options.node
    try node.require(
      rowStride >= 1 && columnStride >= 1,
      "strides are \(rowStride) and \(columnStride), must be positive")
    try node.require(
      rowDilation >= 1 && columnDilation >= 1,
      "dilations are \(rowDilation) and \(columnDilation), must be positive")
  }

  /// The window over an image of the shape `[batch, rows, columns, channels]`.
  ///
  /// - Returns: `nil` if it does not fit.
  package func geometry(
    over image: Shape, tapRows: Int, tapColumns: Int
  ) -> WindowGeometry? {
    guard
      let rows = WindowAxis(
        padding, input: image[1], tapCount: tapRows, stride: rowStride, dilation: rowDilation),
      let columns = WindowAxis(
        padding, input: image[2], tapCount: tapColumns, stride: columnStride,
        dilation: columnDilation)
    else { return nil }
    return WindowGeometry(rows: rows, columns: columns)
  }
}

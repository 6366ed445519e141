/// The padding, strides and dilations of a window, from the options of a node.
package struct WindowOptions: Sendable, Hashable {
  package let padding: PaddingScheme
  package let rowStride: Int
  package let columnStride: Int
  package let rowDilation: Int
  package let columnDilation: Int

  /// Reads padding and strides, with which all such tables begin, and the dilations, if any.
  ///
  /// Like the strides, the dilations have the columns first.
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
    try check(options.node)
  }

  /// Reads padding and strides from the C structure in the options of MediaPipe's custom operators.
  ///
  /// The structure is the official runtime's own, whose paddings count from 1.
  package init(structure: [Int], node: NodeSpec) throws(ModelError) {
    guard let padding = PaddingScheme(rawValue: structure[0] - 1) else {
      throw node.unsupported("padding has the unknown value \(structure[0])")
    }
    self.padding = padding
    (columnStride, rowStride) = (structure[1], structure[2])
    (rowDilation, columnDilation) = (1, 1)
    try check(node)
  }

  private func check(_ node: NodeSpec) throws(ModelError) {
    try node.require(
      rowStride >= 1 && columnStride >= 1,
      "strides are \(rowStride) and \(columnStride), must be positive")
    try node.require(
      rowDilation >= 1 && columnDilation >= 1,
      "dilations are \(rowDilation) and \(columnDilation), must be positive")
  }

  /// Returns the window over an image of the shape `[batch, rows, columns, channels]`.
  ///
  /// - Returns: `nil` if it does not fit.
  package func geometry(
    over image: Shape, tapRows: Int, tapColumns: Int
  ) -> WindowGeometry? {
    guard let rows = rows(over: image, tapCount: tapRows),
      let columns = columns(over: image, tapCount: tapColumns)
    else { return nil }
    return WindowGeometry(rows: rows, columns: columns)
  }

  package func rows(over image: Shape, tapCount: Int) -> WindowAxis? {
    WindowAxis(
      padding, input: image[1], tapCount: tapCount, stride: rowStride, dilation: rowDilation)
  }

  package func columns(over image: Shape, tapCount: Int) -> WindowAxis? {
    WindowAxis(
      padding, input: image[2], tapCount: tapCount, stride: columnStride,
      dilation: columnDilation)
  }
}

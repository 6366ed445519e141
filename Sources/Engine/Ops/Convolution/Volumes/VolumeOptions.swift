/// The options of a window that moves over a volume.
package struct VolumeOptions: Sendable, Hashable {
  package let padding: PaddingScheme
  /// The strides over planes, rows and columns; all triples here have this order.
  package let strides: [Int]
  package let dilations: [Int]

  /// Reads the schema's `Conv3DOptions`, which name the columns before the rows.
  package init(_ options: OptionReader) throws(ModelError) {
    padding = try options.choice(0, of: PaddingScheme.self, named: "padding")
    strides = [try options.integer(1), try options.integer(3), try options.integer(2)]
    dilations = [
      try options.integer(5, default: 1), try options.integer(7, default: 1),
      try options.integer(6, default: 1),
    ]
    try options.node.require(
      (strides + dilations).allSatisfy { $0 >= 1 },
      "strides \(strides) and dilations \(dilations) must be positive")
  }

  /// Returns the window's axes over a volume `[batch, planes, rows, columns, channels]`; `nil` for
  /// axes that it does not fit.
  package func axes(over volume: Shape, taps: ArraySlice<Int>) -> [WindowAxis?] {
    zip(1...3, taps).map { axis, tapCount in
      WindowAxis(
        padding, input: volume[axis], tapCount: tapCount, stride: strides[axis - 1],
        dilation: dilations[axis - 1])
    }
  }

  /// Returns all axes, if the window fits.
  package func geometry(over volume: Shape, taps: ArraySlice<Int>) -> VolumeGeometry? {
    let axes = axes(over: volume, taps: taps)
    guard let planes = axes[0], let rows = axes[1], let columns = axes[2] else { return nil }
    return VolumeGeometry(planes: planes, rows: rows, columns: columns)
  }
}

/// A window that slides over the planes, rows and columns of a volume.
package struct VolumeGeometry: Sendable, Hashable {
  package let planes: WindowAxis
  package let rows: WindowAxis
  package let columns: WindowAxis

  /// The number of positions of the window.
  package var positionCount: Int {
    planes.outputExtent * rows.outputExtent * columns.outputExtent
  }
}

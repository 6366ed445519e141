/// The loop nest of a pool: the window over rows and columns, all channels at each tap.
struct PoolLoop {
  let geometry: WindowGeometry
  let input: TensorView
  let output: TensorView
  let control: RunControl

  /// A partial result for every channel, of no more than 8 bytes.
  var workingByteCount: Int { input.shape[3] * 8 }

  func run<Reduction: PoolReduction>(_ reduction: Reduction) {
    let channelCount = input.shape[3]
    let imageSize = input.shape.product(of: 1..<4)
    let (inputs, outputs) = (
      input.values(Reduction.Element.self), output.values(Reduction.Element.self)
    )
    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
    let positionCount = geometry.rows.outputExtent * geometry.columns.outputExtent
    withUnsafeTemporaryAllocation(of: Reduction.Partial.self, capacity: channelCount) { partials in
      for item in 0..<input.shape[0] {
        for position in 0..<positionCount where position % 64 != 0 || !control.isOver {
          let pixel = outputs + (item * positionCount + position) * channelCount
          let count = reduce(reduction, inputs + item * imageSize, position, to: partials)
          for channel in 0..<channelCount {
            pixel[channel] = reduction.result(partials[channel], count: count)
          }
        }
      }
    }
  }

  /// Reduces one window.
  ///
  /// - Returns: how many pixels it covers.
  @inline(__always)
  private func reduce<Reduction: PoolReduction>(
    _ reduction: Reduction, _ image: UnsafePointer<Reduction.Element>, _ position: Int,
    to partials: UnsafeMutableBufferPointer<Reduction.Partial>
  ) -> Int {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (row, column) = position.quotientAndRemainder(dividingBy: columns.outputExtent)
    let (rowTaps, columnTaps) = (rows.taps(at: row), columns.taps(at: column))
    partials.update(repeating: reduction.initial)
    for rowTap in rowTaps {
      let line = (rows.origin(of: row) + rowTap) * columns.inputExtent + columns.origin(of: column)
      for columnTap in columnTaps {
        let pixel = image + (line + columnTap) * partials.count
        for channel in partials.indices {
          partials[channel] = reduction.adding(pixel[channel], to: partials[channel])
        }
      }
    }
    return rowTaps.count * columnTaps.count
  }
}

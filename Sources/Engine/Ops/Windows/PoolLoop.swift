/// The loop nest of a pool: windows over rows and columns, with all channels at each tap.
struct PoolLoop {
  let geometry: WindowGeometry
  let input: TensorView
  let output: TensorView
  let control: RunControl

  /// The size of the partial results of the channels reduced at once, at most 8 bytes each.
  var workingByteCount: Int { channelsAtOnce * 8 }
  private var channelsAtOnce: Int { min(input.shape[3], StoppableWork.workBetweenPolls) }

  func run<Reduction: PoolReduction>(_ reduction: Reduction) {
    let channelCount = input.shape[3]
    let imageSize = input.shape.product(of: 1..<4)
    let (inputs, outputs) = (
      input.values(Reduction.Element.self), output.values(Reduction.Element.self)
    )
    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
    let positionCount = geometry.rows.outputExtent * geometry.columns.outputExtent
    withUnsafeTemporaryAllocation(of: Reduction.Partial.self, capacity: channelsAtOnce) { memory in
      var question = StoppableWork(control)
      for item in 0..<input.shape[0] {
        for position in 0..<positionCount {
          for channels in StoppableChunks(of: channelCount, control) {
            let pixel =
              outputs + (item * positionCount + position) * channelCount + channels.lowerBound
            let partials = UnsafeMutableBufferPointer(rebasing: memory[..<channels.count])
            let count = reduce(
              reduction, inputs + item * imageSize + channels.lowerBound, position, to: partials,
              &question)
            if question.isOver(after: 16 + channels.count) { return }
            for channel in partials.indices {
              pixel[channel] = reduction.result(partials[channel], count: count)
            }
          }
        }
      }
    }
  }

  /// Reduces some channels of one window, of which `image` points to the first.
  ///
  /// - Returns: the number of pixels that the window covers.
  @inline(__always)
  private func reduce<Reduction: PoolReduction>(
    _ reduction: Reduction, _ image: UnsafePointer<Reduction.Element>, _ position: Int,
    to partials: UnsafeMutableBufferPointer<Reduction.Partial>, _ question: inout StoppableWork
  ) -> Int {
    let channelCount = input.shape[3]
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (row, column) = position.quotientAndRemainder(dividingBy: columns.outputExtent)
    let (rowTaps, columnTaps) = (rows.taps(at: row), columns.taps(at: column))
    partials.update(repeating: reduction.initial)
    for rowTap in rowTaps {
      let firstPixel =
        (rows.origin(of: row) + rowTap) * columns.inputExtent + columns.origin(of: column)
      for columnTap in columnTaps {
        if question.isOver(after: partials.count) { return 1 }
        let pixel = image + (firstPixel + columnTap) * channelCount
        for channel in partials.indices {
          partials[channel] = reduction.adding(pixel[channel], to: partials[channel])
        }
      }
    }
    return rowTaps.count * columnTaps.count
  }
}

/// AVERAGE_POOL_2D of floats as in XNNPACK: nine taps at a time, in a tree of additions, column by
/// column, and times the reciprocal of the number of pixels.
struct DelegatedAveragePool {
  let geometry: WindowGeometry
  let range: ClosedRange<Float>

  func run(_ input: TensorView, _ output: TensorView, _ control: RunControl) {
    let channels = input.shape[3]
    let (inputs, outputs) = (input.values(Float.self), output.values(Float.self))
    guard let source = inputs.baseAddress, let target = outputs.baseAddress else { return }
    let (rows, columns) = (geometry.rows, geometry.columns)
    let positionCount = rows.outputExtent * columns.outputExtent
    var question = StoppableWork(control)
    for item in 0..<input.shape[0] {
      let image = source + item * rows.inputExtent * columns.inputExtent * channels
      for position in 0..<positionCount {
        let (row, column) = position.quotientAndRemainder(dividingBy: columns.outputExtent)
        let results = target + (item * positionCount + position) * channels
        let count = rows.taps(at: row).count * columns.taps(at: column).count
        for channel in 0..<channels {
          results[channel] = mean(image + channel, row, column, apart: channels)
          if question.isOver(after: 4 * count + 16) { return }
        }
      }
    }
  }

  /// Returns the mean of one channel of a window, whose pixels are `apart` elements from each other.
  @inline(__always)
  private func mean(
    _ image: UnsafePointer<Float>, _ row: Int, _ column: Int, apart: Int
  ) -> Float {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (rowTaps, columnTaps) = (rows.taps(at: row), columns.taps(at: column))
    let first = rows.origin(of: row) * columns.inputExtent + columns.origin(of: column)
    var sum: Float = 0
    // Taps outside the image are zeros, and groups of them change no sum.
    var group = NineTaps()
    var groupIndex = 0
    for columnTap in columnTaps {
      for rowTap in rowTaps {
        let (next, place) = (columnTap &* rows.tapCount &+ rowTap).quotientAndRemainder(
          dividingBy: 9)
        if next != groupIndex {
          sum += group.total
          (group, groupIndex) = (NineTaps(), next)
        }
        let pixel = first + rowTap * columns.inputExtent + columnTap
        group.taps[place] = image[pixel * apart]
      }
    }
    sum += group.total
    let count = Float(rowTaps.count * columnTaps.count)
    return (sum * (1 / count)).clamped(to: range)
  }
}

/// Nine numbers that are added in a tree.
private struct NineTaps {
  var taps = SIMD16<Float>.zero

  var total: Float {
    let outer = taps[0] + taps[1] + taps[8]
    let middle = (taps[2] + taps[3]) + (taps[4] + taps[5])
    return middle + (outer + (taps[6] + taps[7]))
  }
}

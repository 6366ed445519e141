import OcellusKernelABI

/// Writes floats to their indices and zeros elsewhere; returns whether all indices are valid.
func unpoolFloat(_ arguments: UnpoolingArguments) -> Bool {
  let channels = arguments.channels, columnCount = arguments.columnCount
  let outputRowElements = columnCount &* arguments.windowWidth &* channels
  let tapCount = arguments.windowHeight &* arguments.windowWidth
  var areInside = true
  for row in arguments.rows {
    let firstRow = arguments.output + row &* arguments.windowHeight &* outputRowElements
    for column in 0..<columnCount {
      let pixel = (row &* columnCount &+ column) &* channels
      let window = firstRow + column &* arguments.windowWidth &* channels
      for tap in 0..<tapCount {
        let windowRow = tap / arguments.windowWidth
        let target =
          window
          + (windowRow &* outputRowElements &+ (tap &- windowRow &* arguments.windowWidth)
            &* channels)
        spread(
          arguments.input + pixel, arguments.indices + pixel, tap: tap, channels: channels,
          to: target)
      }
      for channel in 0..<channels {
        let index = arguments.indices[pixel &+ channel]
        // The reference computes other addresses for NaN and negative numbers.
        if !(index >= 0 && index < Float(tapCount)) { areInside = false }
      }
    }
  }
  return areInside
}

/// Stores the floats that have the given index, and zeros for the others.
@inline(__always)
private func spread(
  _ values: UnsafePointer<Float>, _ indices: UnsafePointer<Float>, tap: Int, channels: Int,
  to target: UnsafeMutablePointer<Float>
) {
  let lanes = FloatVector.scalarCount
  let wanted = SumVector(repeating: Int32(truncatingIfNeeded: tap))
  var channel = 0
  while channel &+ lanes <= channels {
    let others = nonZeroLanes(truncated(loadFloats(indices + channel)) ^ wanted)
    let value = loadSums(values + channel) & ~others
    store(value, to: UnsafeMutableRawPointer(target + channel))
    channel &+= lanes
  }
  while channel < channels {
    let isHere = indices[channel] >= Float(tap) && indices[channel] < Float(tap &+ 1)
    target[channel] = isHere ? values[channel] : 0
    channel &+= 1
  }
}

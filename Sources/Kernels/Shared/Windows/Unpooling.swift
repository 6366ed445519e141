import OcellusKernelABI

/// Writes floats to their indices and zeros elsewhere; returns whether all indices are valid.
func unpoolFloat(_ arguments: UnpoolingArguments) -> Bool {
  let channels = arguments.channels, columnCount = arguments.columnCount
  let outputLine = columnCount &* arguments.windowWidth &* channels
  let placeCount = arguments.windowHeight &* arguments.windowWidth
  var areInside = true
  for line in arguments.lines {
    let firstLine = arguments.output + line &* arguments.windowHeight &* outputLine
    for column in 0..<columnCount {
      let pixel = (line &* columnCount &+ column) &* channels
      let window = firstLine + column &* arguments.windowWidth &* channels
      for place in 0..<placeCount {
        let row = place / arguments.windowWidth
        let target =
          window + (row &* outputLine &+ (place &- row &* arguments.windowWidth) &* channels)
        spread(
          arguments.input + pixel, arguments.places + pixel, place: place, channels: channels,
          to: target)
      }
      for channel in 0..<channels {
        let place = arguments.places[pixel &+ channel]
        // The reference computes other addresses for NaN and negative numbers.
        if !(place >= 0 && place < Float(placeCount)) { areInside = false }
      }
    }
  }
  return areInside
}

/// Stores the floats that have the given index, and zeros for the others.
@inline(__always)
private func spread(
  _ values: UnsafePointer<Float>, _ places: UnsafePointer<Float>, place: Int, channels: Int,
  to target: UnsafeMutablePointer<Float>
) {
  let lanes = FloatVector.scalarCount
  let wanted = SumVector(repeating: Int32(truncatingIfNeeded: place))
  var channel = 0
  while channel &+ lanes <= channels {
    let others = nonZeroLanes(truncated(loadFloats(places + channel)) ^ wanted)
    let value = loadSums(values + channel) & ~others
    store(value, to: UnsafeMutableRawPointer(target + channel))
    channel &+= lanes
  }
  while channel < channels {
    let isHere = places[channel] >= Float(place) && places[channel] < Float(place &+ 1)
    target[channel] = isHere ? values[channel] : 0
    channel &+= 1
  }
}

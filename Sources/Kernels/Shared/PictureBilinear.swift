import OcellusKernelABI

// Interpolation between four pixels in the floats and the order of TensorFlow's reference:
// topLeft·(1-y)·(1-x) + bottomLeft·y·(1-x) + topRight·(1-y)·x + bottomRight·y·x. Parts of a vector are
// neighbouring pixels of the result.

func bilinearRow(_ arguments: BilinearRowArguments) {
  let count = arguments.count, channels = arguments.channels
  var index = 0
  // At the edges both pixels are the same one; everywhere else the right one is the next one.
  while index < count && !arguments.columns[index].hasNext {
    mixPixel(arguments, index)
    index &+= 1
  }
  let left = channelBytes(0), right = channelBytes(channels)
  while index &+ partCount <= count
    && (index &+ partCount &- 1) &* channels &+ 4 <= count &* channels
    && arguments.columns[index &+ partCount &- 1].hasNext
  {
    mixPixels(arguments, index, left: left, right: right)
    index &+= partCount
  }
  while index < count {
    mixPixel(arguments, index)
    index &+= 1
  }
}

extension PixelPlace {
  /// Whether the second pixel is the one behind the first, or does not count.
  @inline(__always)
  fileprivate var hasNext: Bool { upper > lower || upperWeight == 0 }
  @inline(__always)
  fileprivate var near: Float { Float(bitPattern: UInt32(bitPattern: lowerWeight)) }
  @inline(__always)
  fileprivate var far: Float { Float(bitPattern: UInt32(bitPattern: upperWeight)) }
}

@inline(__always)
private func mixPixels(
  _ arguments: BilinearRowArguments, _ index: Int, left: SumVector, right: SumVector
) {
  let columns = arguments.columns + index
  let channels = arguments.channels
  let top = load(arguments.upper, columns, channels)
  let bottom = load(arguments.lower, columns, channels)
  let places = loadSums(UnsafeRawPointer(columns))
  // Lanes 2 and 3 of a place are its weights.
  let near = unsafeBitCast(
    shuffled(places, by: repeated(SIMD4(repeating: 0x0B0A_0908))), to: FloatVector.self)
  let far = unsafeBitCast(
    shuffled(places, by: repeated(SIMD4(repeating: 0x0F0E_0D0C))), to: FloatVector.self)
  let above = FloatVector(repeating: arguments.upperWeight)
  let below = FloatVector(repeating: arguments.lowerWeight)
  let topLeft = floats(shuffled(top, by: left)) * above * near
  let bottomLeft = floats(shuffled(bottom, by: left)) * below * near
  let topRight = floats(shuffled(top, by: right)) * above * far
  let bottomRight = floats(shuffled(bottom, by: right)) * below * far
  let mixed = topLeft + bottomLeft + topRight + bottomRight
  let bytes = clampedToBytes(truncated(mixed + FloatVector(repeating: 0.5)))
  let first = arguments.output + index &* channels
  MutablePartPointers(
    first: first, second: first + channels, third: first + 2 &* channels,
    fourth: first + 3 &* channels
  ).storeBytes(bytes, 0)
}

/// The pixels at the places of neighbouring columns.
@inline(__always)
private func load(
  _ row: UnsafeRawPointer, _ columns: UnsafePointer<PixelPlace>, _ channels: Int
) -> SumVector {
  let second = partCount > 1 ? 1 : 0, third = partCount > 2 ? 2 : 0, fourth = partCount > 2 ? 3 : 0
  return PartPointers(
    first: row + Int(columns[0].lower) &* channels,
    second: row + Int(columns[second].lower) &* channels,
    third: row + Int(columns[third].lower) &* channels,
    fourth: row + Int(columns[fourth].lower) &* channels
  ).load(0)
}

@inline(__always)
private func mixPixel(_ arguments: BilinearRowArguments, _ index: Int) {
  let place = arguments.columns[index]
  let channels = arguments.channels
  let left = Int(place.lower) &* channels, right = Int(place.upper) &* channels
  for channel in 0..<channels {
    let topLeft =
      Float(loadByte(arguments.upper + (left &+ channel))) * arguments.upperWeight * place.near
    let bottomLeft =
      Float(loadByte(arguments.lower + (left &+ channel))) * arguments.lowerWeight * place.near
    let topRight =
      Float(loadByte(arguments.upper + (right &+ channel))) * arguments.upperWeight * place.far
    let bottomRight =
      Float(loadByte(arguments.lower + (right &+ channel))) * arguments.lowerWeight * place.far
    let value = Int32(topLeft + bottomLeft + topRight + bottomRight + 0.5)
    store(
      UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value),
      to: arguments.output + (index &* channels &+ channel))
  }
}

// MARK: Nearest neighbours

func copyNearestPixels(_ arguments: NearestRowArguments) {
  switch arguments.channels {
  case 3: copyNearestPixels(arguments, channels: 3)
  case 4: copyNearestPixels(arguments, channels: 4)
  default: copyNearestPixels(arguments, channels: arguments.channels)
  }
}

@inline(__always)
private func copyNearestPixels(_ arguments: NearestRowArguments, channels: Int) {
  var output = arguments.output
  var index = 0
  if channels > 2 {
    // Four bytes at once; of three the next pixel overwrites the last one.
    while index &+ 4 < arguments.count {
      for next in 0..<4 {
        let pixel = arguments.input + Int(arguments.columns[index &+ next]) &* channels
        store(loadInt32(pixel), to: output + next &* channels)
      }
      output += 4 &* channels
      index &+= 4
    }
  }
  while index < arguments.count {
    let pixel = arguments.input + Int(arguments.columns[index]) &* channels
    for channel in 0..<channels { store(loadByte(pixel + channel), to: output + channel) }
    output += channels
    index &+= 1
  }
}

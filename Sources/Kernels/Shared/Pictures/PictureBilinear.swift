import OcellusKernelABI

// TensorFlow's bilinear interpolation in its order of float operations: topLeft·(1-y)·(1-x) +
// bottomLeft·y·(1-x) + topRight·(1-y)·x + bottomRight·y·x. If the rows in memory are columns of the
// picture, "right" means the next row, and x the weights of rows. The 16-byte segments of a vector
// are neighbouring output pixels.

func interpolateRow(_ arguments: BilinearRowArguments) { mixRow(arguments, isTransposed: false) }

func interpolateColumn(_ arguments: BilinearRowArguments) { mixRow(arguments, isTransposed: true) }

@inline(__always)
private func mixRow(_ arguments: BilinearRowArguments, isTransposed: Bool) {
  let count = arguments.count
  let channels = arguments.channels
  let step = arguments.isMirrored ? 0 : channels
  let near = channelBytes(channels &- step)
  let far = channelBytes(step)
  var index = 0
  // At an edge, both input pixels are the same.
  while index < count && !arguments.columns[index].isBetweenTwo {
    mixPixel(arguments, index, isTransposed: isTransposed)
    index &+= 1
  }
  while index &+ segmentCount <= count
    && (index &+ segmentCount &- 1) &* channels &+ 4 <= count &* channels
    && arguments.columns[index &+ segmentCount &- 1].isBetweenTwo
  {
    mixPixels(arguments, index, near: near, far: far, isTransposed: isTransposed)
    index &+= segmentCount
  }
  while index < count {
    mixPixel(arguments, index, isTransposed: isTransposed)
    index &+= 1
  }
}

extension PixelPosition {
  @inline(__always)
  fileprivate var isBetweenTwo: Bool { upper != lower }
  @inline(__always)
  fileprivate var near: Float { Float(bitPattern: UInt32(bitPattern: lowerWeight)) }
  @inline(__always)
  fileprivate var far: Float { Float(bitPattern: UInt32(bitPattern: upperWeight)) }
}

@inline(__always)
private func mixPixels(
  _ arguments: BilinearRowArguments, _ index: Int, near: SumVector, far: SumVector,
  isTransposed: Bool
) {
  let columns = arguments.columns + index
  let channels = arguments.channels
  let above = load(arguments.upper, columns, arguments)
  let below = load(arguments.lower, columns, arguments)
  let positions = loadSums(UnsafeRawPointer(columns))
  // Lanes 2 and 3 of a position are its weights.
  let nearWeights = unsafeBitCast(
    shuffled(positions, by: repeated(SIMD4(repeating: 0x0B0A_0908))), to: FloatVector.self)
  let farWeights = unsafeBitCast(
    shuffled(positions, by: repeated(SIMD4(repeating: 0x0F0E_0D0C))), to: FloatVector.self)
  let upper = FloatVector(repeating: arguments.upperWeight)
  let lower = FloatVector(repeating: arguments.lowerWeight)
  @inline(__always)
  func weighted(_ pixels: SumVector, by column: FloatVector, _ row: FloatVector) -> FloatVector {
    isTransposed ? floats(pixels) * column * row : floats(pixels) * row * column
  }
  let aboveNear = weighted(shuffled(above, by: near), by: nearWeights, upper)
  let aboveFar = weighted(shuffled(above, by: far), by: farWeights, upper)
  let belowNear = weighted(shuffled(below, by: near), by: nearWeights, lower)
  let belowFar = weighted(shuffled(below, by: far), by: farWeights, lower)
  let mixed =
    isTransposed
    ? aboveNear + aboveFar + belowNear + belowFar
    : aboveNear + belowNear + aboveFar + belowFar
  let bytes = clampedToBytes(truncated(mixed + FloatVector(repeating: 0.5)))
  let first = arguments.output + index &* channels
  MutableSegmentPointers(
    first: first, second: first + channels, third: first + 2 &* channels,
    fourth: first + 3 &* channels
  ).storeBytes(bytes, 0)
}

/// Returns the pairs of input pixels of neighbouring columns.
@inline(__always)
private func load(
  _ row: UnsafeRawPointer, _ columns: UnsafePointer<PixelPosition>,
  _ arguments: BilinearRowArguments
) -> SumVector {
  // In mirrored rows the second pixel of a pair comes first in memory; its index is the second
  // number.
  let numbers = UnsafeRawPointer(columns) + (arguments.isMirrored ? 4 : 0)
  func pair(_ index: Int) -> UnsafeRawPointer {
    row + Int(loadInt32(numbers + index &* 16)) &* arguments.channels
  }
  return SegmentPointers(
    first: pair(0), second: pair(segmentCount > 1 ? 1 : 0), third: pair(segmentCount > 2 ? 2 : 0),
    fourth: pair(segmentCount > 2 ? 3 : 0)
  ).load(0)
}

@inline(__always)
private func mixPixel(_ arguments: BilinearRowArguments, _ index: Int, isTransposed: Bool) {
  let position = arguments.columns[index]
  let channels = arguments.channels
  let near = Int(position.lower) &* channels
  let far = Int(position.upper) &* channels
  let upper = arguments.upperWeight
  let lower = arguments.lowerWeight
  for channel in 0..<channels {
    let aboveNear = Float(loadByte(arguments.upper + (near &+ channel)))
    let belowNear = Float(loadByte(arguments.lower + (near &+ channel)))
    let aboveFar = Float(loadByte(arguments.upper + (far &+ channel)))
    let belowFar = Float(loadByte(arguments.lower + (far &+ channel)))
    let mixed =
      isTransposed
      ? aboveNear * position.near * upper + aboveFar * position.far * upper
        + belowNear * position.near * lower + belowFar * position.far * lower
      : aboveNear * upper * position.near + belowNear * lower * position.near
        + aboveFar * upper * position.far + belowFar * lower * position.far
    let value = Int32(mixed + 0.5)
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
    // Four bytes at once; with three channels the next pixel overwrites the last byte.
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

import OcellusKernelABI

// Pixels with few channels would leave most of a vector empty. So the left neighbours of all
// elements of an output row are gathered contiguously, and the right ones too, and then
// interpolated in whole vectors. Adjacent rows of an enlarged image often have the same neighbours,
// which are reused.

/// The type of the elements and their interpolation.
enum MixedElement {
  case float
  /// Bytes interpolated as floats, rounded half up.
  case uint8
  /// Bytes interpolated as integers, with weights in units of 1/1024.
  case int8

  @inline(__always)
  var byteCount: Int { self == .float ? 4 : 1 }
}

/// Whether pixels have few enough channels, and rows at least a vector of elements.
@inline(__always)
func hasFewChannels(_ arguments: ResamplingArguments) -> Bool {
  arguments.channels &* 2 <= SumVector.scalarCount
    && arguments.columnCount &* arguments.channels >= SumVector.scalarCount
}

/// The arrays in scratch memory, of four-byte numbers.
///
/// They are an input row of bytes, then the weights and neighbours of each element of an output
/// row.
private struct FewChannelScratch {
  var input: UnsafeMutableRawPointer
  var near: UnsafeMutableRawPointer
  var far: UnsafeMutableRawPointer
  var upper: UnsafeMutableRawPointer
  var lower: UnsafeMutableRawPointer
  /// The distance from the left neighbours of a row to the right ones.
  var toRight: Int

  static func byteCount(inputElements: Int, rowElements: Int) -> Int {
    arrayBytes(inputElements) &+ 6 &* arrayBytes(rowElements)
  }

  /// Returns the size of an array, with space for one block that is stored at its end.
  @inline(__always)
  private static func arrayBytes(_ elements: Int) -> Int {
    roundUp(elements &* 4 &+ blockBytes, to: 64)
  }

  /// The size in bytes of a block that is copied at once.
  @inline(__always)
  static var blockBytes: Int { 16 }

  @inline(__always)
  init(_ scratch: UnsafeMutableRawPointer, inputElements: Int, rowElements: Int) {
    let arrayBytes = FewChannelScratch.arrayBytes(rowElements)
    input = scratch
    near = scratch + FewChannelScratch.arrayBytes(inputElements)
    far = near + arrayBytes
    upper = far + arrayBytes
    lower = upper + 2 &* arrayBytes
    toRight = arrayBytes
  }
}

func fewChannelScratchByteCount(inputElements: Int, rowElements: Int) -> Int {
  FewChannelScratch.byteCount(inputElements: inputElements, rowElements: rowElements)
}

@inline(__always)
func interpolateFewChannels(_ arguments: ResamplingArguments, _ element: MixedElement) {
  let rowElements = arguments.columnCount &* arguments.channels
  var scratch = FewChannelScratch(
    arguments.scratch, inputElements: arguments.inputWidth &* arguments.channels,
    rowElements: rowElements)
  repeatWeights(arguments, scratch)
  var (upperRow, lowerRow) = (Int32(-1), Int32(-1))
  for row in 0..<arguments.rowCount {
    let position = arguments.rows[row]
    if position.lower == lowerRow && position.lower != upperRow {
      // The next position begins at the row where the last one ended.
      (scratch.upper, scratch.lower) = (scratch.lower, scratch.upper)
      (upperRow, lowerRow) = (lowerRow, upperRow)
    }
    if position.lower != upperRow {
      gatherNeighbours(arguments, position.lower, element, scratch, to: scratch.upper)
      upperRow = position.lower
    }
    if position.upper != lowerRow {
      gatherNeighbours(arguments, position.upper, element, scratch, to: scratch.lower)
      lowerRow = position.upper
    }
    let output = arguments.output + row &* rowElements &* element.byteCount
    mapElements(count: rowElements, lanes: SumVector.scalarCount) { index in
      mix(scratch, index &* 4, position, element)
    } store: { mixed, index in
      let target = output + index &* element.byteCount
      if element == .float { store(mixed, to: target) } else { storeBytes(mixed, to: target) }
    }
  }
}

@inline(never)
private func repeatWeights(_ arguments: ResamplingArguments, _ scratch: FewChannelScratch) {
  var offset = 0
  for index in 0..<arguments.columnCount {
    let column = arguments.columns[index]
    for _ in 0..<arguments.channels {
      store(column.lowerWeight, to: scratch.near + offset)
      store(column.upperWeight, to: scratch.far + offset)
      offset &+= 4
    }
  }
}

/// Gathers the left and right neighbours of all columns in an input row.
@inline(__always)
private func gatherNeighbours(
  _ arguments: ResamplingArguments, _ row: Int32, _ element: MixedElement,
  _ scratch: FewChannelScratch,
  to target: UnsafeMutableRawPointer
) {
  let channels = arguments.channels
  let count = arguments.inputWidth &* channels
  var source = arguments.input + Int(row) &* count &* element.byteCount
  if element != .float {
    widen(source, count: count, element, to: scratch.input)
    source = UnsafeRawPointer(scratch.input)
  }
  let pixelBytes = channels &* 4
  var address = target
  if element != .float && pixelBytes < FewChannelScratch.blockBytes {
    // There is space after the pixels on either side, and the next pixel overwrites the excess.
    for index in 0..<arguments.columnCount {
      let column = arguments.columns[index]
      storeInt32s(loadInt32s(source + Int(column.lower) &* pixelBytes), to: address)
      storeInt32s(
        loadInt32s(source + Int(column.upper) &* pixelBytes), to: address + scratch.toRight)
      address += pixelBytes
    }
    return
  }
  for index in 0..<arguments.columnCount {
    let column = arguments.columns[index]
    copyPixel(source + Int(column.lower) &* pixelBytes, to: address, byteCount: pixelBytes)
    copyPixel(
      source + Int(column.upper) &* pixelBytes, to: address + scratch.toRight, byteCount: pixelBytes
    )
    address += pixelBytes
  }
}

/// Copies a few elements of four bytes.
@inline(__always)
private func copyPixel(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int
) {
  var offset = 0
  while offset &+ FewChannelScratch.blockBytes <= byteCount {
    storeInt32s(loadInt32s(source + offset), to: target + offset)
    offset &+= FewChannelScratch.blockBytes
  }
  while offset < byteCount {
    store(loadInt32(source + offset), to: target + offset)
    offset &+= 4
  }
}

/// Widens bytes to the numbers that are interpolated.
@inline(__always)
private func widen(
  _ row: UnsafeRawPointer, count: Int, _ element: MixedElement, to target: UnsafeMutableRawPointer
) {
  let isSigned = element == .int8
  var index = 0
  while index &+ SumVector.scalarCount <= count {
    let numbers = bytesToLanes(row + index, isSigned: isSigned)
    store(isSigned ? numbers : asLanes(floats(numbers)), to: target + index &* 4)
    index &+= SumVector.scalarCount
  }
  while index < count {
    let number = loadByte(row + index, isSigned: isSigned)
    store(
      isSigned ? number : Int32(bitPattern: Float(number).bitPattern), to: target + index &* 4)
    index &+= 1
  }
}

/// Interpolates the neighbours of some elements, bit-exact with `Resampling`.
@inline(__always)
private func mix(
  _ scratch: FewChannelScratch, _ offset: Int, _ row: PixelPosition, _ element: MixedElement
) -> SumVector {
  let (upper, lower) = (scratch.upper + offset, scratch.lower + offset)
  if element == .int8 {
    let (above, below) = (
      SumVector(repeating: row.lowerWeight), SumVector(repeating: row.upperWeight)
    )
    let left = loadSums(upper) &* above &+ loadSums(lower) &* below
    let right =
      loadSums(upper + scratch.toRight) &* above &+ loadSums(lower + scratch.toRight) &* below
    let sums = left &* loadSums(scratch.near + offset) &+ right &* loadSums(scratch.far + offset)
    // Half away from zero: negative numbers are lowered by one before rounding half up.
    return (sums &+ SumVector(repeating: 1 << 19) &+ (sums &>> 31)) &>> 20
  }
  let above = FloatVector(repeating: weight(row.lowerWeight))
  let below = FloatVector(repeating: weight(row.upperWeight))
  let (near, far) = (loadFloats(scratch.near + offset), loadFloats(scratch.far + offset))
  let mixed =
    loadFloats(upper) * above * near + loadFloats(lower) * below * near
    + loadFloats(upper + scratch.toRight) * above * far
    + loadFloats(lower + scratch.toRight) * below * far
  if element == .float { return unsafeBitCast(mixed, to: SumVector.self) }
  let rounded = truncated(mixed + FloatVector(repeating: 0.5))
  return minimum(maximum(rounded, SumVector()), SumVector(repeating: 255))
}

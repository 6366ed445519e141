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
func isNarrow(_ arguments: ResamplingArguments) -> Bool {
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
    lineBytes(inputElements) &+ 6 &* lineBytes(rowElements)
  }

  /// Returns the size of an array, with space for one block that is stored at its end.
  @inline(__always)
  private static func lineBytes(_ elements: Int) -> Int {
    roundUp(elements &* 4 &+ piece, to: 64)
  }

  /// The bytes of a block that is copied at once.
  @inline(__always)
  static var piece: Int { 16 }

  @inline(__always)
  init(_ scratch: UnsafeMutableRawPointer, inputElements: Int, rowElements: Int) {
    let line = FewChannelScratch.lineBytes(rowElements)
    input = scratch
    near = scratch + FewChannelScratch.lineBytes(inputElements)
    far = near + line
    upper = far + line
    lower = upper + 2 &* line
    toRight = line
  }
}

func fewChannelScratchByteCount(inputElements: Int, rowElements: Int) -> Int {
  FewChannelScratch.byteCount(inputElements: inputElements, rowElements: rowElements)
}

@inline(__always)
func interpolateFewChannels(_ arguments: ResamplingArguments, _ element: MixedElement) {
  let rowElements = arguments.columnCount &* arguments.channels
  var lines = FewChannelScratch(
    arguments.scratch, inputElements: arguments.inputWidth &* arguments.channels,
    rowElements: rowElements)
  repeatWeights(arguments, lines)
  var (upperRow, lowerRow) = (Int32(-1), Int32(-1))
  for row in 0..<arguments.rowCount {
    let place = arguments.rows[row]
    if place.lower == lowerRow && place.lower != upperRow {
      // The next position begins at the row where the last one ended.
      (lines.upper, lines.lower) = (lines.lower, lines.upper)
      (upperRow, lowerRow) = (lowerRow, upperRow)
    }
    if place.lower != upperRow {
      gatherNeighbours(arguments, place.lower, element, lines, to: lines.upper)
      upperRow = place.lower
    }
    if place.upper != lowerRow {
      gatherNeighbours(arguments, place.upper, element, lines, to: lines.lower)
      lowerRow = place.upper
    }
    let output = arguments.output + row &* rowElements &* element.byteCount
    mapElements(count: rowElements, lanes: SumVector.scalarCount) { index in
      mix(lines, index &* 4, place, element)
    } store: { mixed, index in
      let target = output + index &* element.byteCount
      if element == .float { store(mixed, to: target) } else { storeBytes(mixed, to: target) }
    }
  }
}

@inline(never)
private func repeatWeights(_ arguments: ResamplingArguments, _ lines: FewChannelScratch) {
  var place = 0
  for index in 0..<arguments.columnCount {
    let column = arguments.columns[index]
    for _ in 0..<arguments.channels {
      store(column.lowerWeight, to: lines.near + place)
      store(column.upperWeight, to: lines.far + place)
      place &+= 4
    }
  }
}

/// Gathers the left and right neighbours of all columns in an input row.
@inline(__always)
private func gatherNeighbours(
  _ arguments: ResamplingArguments, _ row: Int32, _ element: MixedElement,
  _ lines: FewChannelScratch,
  to line: UnsafeMutableRawPointer
) {
  let channels = arguments.channels
  let count = arguments.inputWidth &* channels
  var source = arguments.input + Int(row) &* count &* element.byteCount
  if element != .float {
    widen(source, count: count, element, to: lines.input)
    source = UnsafeRawPointer(lines.input)
  }
  let pixelBytes = channels &* 4
  var place = line
  if element != .float && pixelBytes < FewChannelScratch.piece {
    // There is space after the pixels on either side, and the next pixel overwrites the excess.
    for index in 0..<arguments.columnCount {
      let column = arguments.columns[index]
      storeInt32s(loadInt32s(source + Int(column.lower) &* pixelBytes), to: place)
      storeInt32s(
        loadInt32s(source + Int(column.upper) &* pixelBytes), to: place + lines.toRight)
      place += pixelBytes
    }
    return
  }
  for index in 0..<arguments.columnCount {
    let column = arguments.columns[index]
    copyPixel(source + Int(column.lower) &* pixelBytes, to: place, byteCount: pixelBytes)
    copyPixel(
      source + Int(column.upper) &* pixelBytes, to: place + lines.toRight, byteCount: pixelBytes)
    place += pixelBytes
  }
}

/// Copies a few elements of four bytes.
@inline(__always)
private func copyPixel(
  _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int
) {
  var place = 0
  while place &+ FewChannelScratch.piece <= byteCount {
    storeInt32s(loadInt32s(source + place), to: target + place)
    place &+= FewChannelScratch.piece
  }
  while place < byteCount {
    store(loadInt32(source + place), to: target + place)
    place &+= 4
  }
}

/// Widens bytes to the numbers that are interpolated.
@inline(__always)
private func widen(
  _ row: UnsafeRawPointer, count: Int, _ element: MixedElement, to line: UnsafeMutableRawPointer
) {
  let isSigned = element == .int8
  var index = 0
  while index &+ SumVector.scalarCount <= count {
    let numbers = bytesToLanes(row + index, isSigned: isSigned)
    store(isSigned ? numbers : asLanes(floats(numbers)), to: line + index &* 4)
    index &+= SumVector.scalarCount
  }
  while index < count {
    let number = loadByte(row + index, isSigned: isSigned)
    store(
      isSigned ? number : Int32(bitPattern: Float(number).bitPattern), to: line + index &* 4)
    index &+= 1
  }
}

/// Interpolates the neighbours of some elements, bit-exact with `Resampling`.
@inline(__always)
private func mix(
  _ lines: FewChannelScratch, _ place: Int, _ row: PixelPosition, _ element: MixedElement
) -> SumVector {
  let (upper, lower) = (lines.upper + place, lines.lower + place)
  if element == .int8 {
    let (above, below) = (
      SumVector(repeating: row.lowerWeight), SumVector(repeating: row.upperWeight)
    )
    let left = loadSums(upper) &* above &+ loadSums(lower) &* below
    let right =
      loadSums(upper + lines.toRight) &* above &+ loadSums(lower + lines.toRight) &* below
    let sums = left &* loadSums(lines.near + place) &+ right &* loadSums(lines.far + place)
    // Half away from zero: negative numbers are lowered by one before rounding half up.
    return (sums &+ SumVector(repeating: 1 << 19) &+ (sums &>> 31)) &>> 20
  }
  let above = FloatVector(repeating: weight(row.lowerWeight))
  let below = FloatVector(repeating: weight(row.upperWeight))
  let (near, far) = (loadFloats(lines.near + place), loadFloats(lines.far + place))
  let mixed =
    loadFloats(upper) * above * near + loadFloats(lower) * below * near
    + loadFloats(upper + lines.toRight) * above * far
    + loadFloats(lower + lines.toRight) * below * far
  if element == .float { return unsafeBitCast(mixed, to: SumVector.self) }
  let rounded = truncated(mixed + FloatVector(repeating: 0.5))
  return minimum(maximum(rounded, SumVector()), SumVector(repeating: 255))
}

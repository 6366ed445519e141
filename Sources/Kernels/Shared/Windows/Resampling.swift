import OcellusKernelABI

// An output row is computed in two passes. The first multiplies the two input rows by their weights
// and stores the products as rows of four-byte elements; the second interpolates between the pixels
// of these rows. This is the order of the reference's multiplications, and the first pass is cheap,
// because most images are enlarged.
//
// Pixels are stored as whole vectors in order: the lanes beyond a pixel are overwritten by the next
// one. Only the end of the row is stored exactly.

var resampling: Resampling {
  Resampling(
    bilinearFloat: { interpolate($0, isFloat: true) },
    bilinearUInt8: interpolateUnsignedBytes, bilinearInt8: interpolateSignedBytes,
    bilinearInt16: interpolateShorts, nearest: copyNearest,
    scratchByteCount: { inputElements, outputElements in
      // Two rows, each with space for a vector that starts at its last element, and one more
      // vector.
      larger(
        (2 &* inputElements &+ 3 &* FloatVector.scalarCount) &* 4,
        fewChannelScratchByteCount(inputElements: inputElements, rowElements: outputElements))
    })
}

// MARK: Floats

/// Interpolates floats, or unsigned bytes as floats.
@inline(__always)
private func interpolate(_ arguments: ResamplingArguments, isFloat: Bool) {
  if hasFewChannels(arguments) {
    return interpolateFewChannels(arguments, isFloat ? .float : .uint8)
  }
  let elementBytes = isFloat ? 4 : 1
  let rowElements = arguments.inputWidth &* arguments.channels
  let products = arguments.scratch
  let secondRow = (rowElements &+ FloatVector.scalarCount) &* 4
  for row in 0..<arguments.rowCount {
    let position = arguments.rows[row]
    let upper = arguments.input + Int(position.lower) &* rowElements &* elementBytes
    let lower = arguments.input + Int(position.upper) &* rowElements &* elementBytes
    scale(
      upper, by: weight(position.lowerWeight), count: rowElements, isFloat: isFloat, to: products)
    scale(
      lower, by: weight(position.upperWeight), count: rowElements, isFloat: isFloat,
      to: products + secondRow)
    forEachVector(ofRow: row, arguments, elementBytes: elementBytes) {
      column, left, right, target in
      let near = FloatVector(repeating: weight(column.lowerWeight))
      let far = FloatVector(repeating: weight(column.upperWeight))
      let mixed =
        loadFloats(products + left) * near + loadFloats(products + (left &+ secondRow)) * near
        + loadFloats(products + right) * far + loadFloats(products + (right &+ secondRow)) * far
      if isFloat { return store(mixed, to: target) }
      let rounded = truncated(mixed + FloatVector(repeating: 0.5))
      storeBytes(
        minimum(maximum(rounded, SumVector()), SumVector(repeating: 255)), to: target)
    }
  }
}

@inline(__always)
func weight(_ bits: Int32) -> Float { Float(bitPattern: UInt32(bitPattern: bits)) }

/// Multiplies a row of floats or unsigned bytes by a weight.
@inline(__always)
private func scale(
  _ row: UnsafeRawPointer, by weight: Float, count: Int, isFloat: Bool,
  to products: UnsafeMutableRawPointer
) {
  let weights = FloatVector(repeating: weight)
  var index = 0
  while index &+ FloatVector.scalarCount <= count {
    let values =
      isFloat
      ? loadFloats(row + index &* 4) : floats(bytesToLanes(row + index, isSigned: false))
    store(values * weights, to: products + index &* 4)
    index &+= FloatVector.scalarCount
  }
  while index < count {
    let value = isFloat ? loadFloat(row + index &* 4) : Float(loadByte(row + index))
    store(value * weight, to: products + index &* 4)
    index &+= 1
  }
}

// MARK: Integers

private func interpolateUnsignedBytes(_ arguments: ResamplingArguments) {
  if hasFixedPointWeights(arguments, isSigned: false) {
    return interpolateInFixedPoint(arguments, isSigned: false)
  }
  interpolate(arguments, isFloat: false)
}

private func interpolateSignedBytes(_ arguments: ResamplingArguments) {
  if hasFixedPointWeights(arguments, isSigned: true) {
    return interpolateInFixedPoint(arguments, isSigned: true)
  }
  if hasFewChannels(arguments) { return interpolateFewChannels(arguments, .int8) }
  interpolateIntegers(
    arguments, elementBytes: 1, loadSignedBytes, { loadByte($0, isSigned: true) }
  ) { left, right, column in
    let sums =
      left &* SumVector(repeating: column.lowerWeight)
      &+ right &* SumVector(repeating: column.upperWeight)
    // Half away from zero: negative numbers are lowered by one before rounding half up.
    return (sums &+ SumVector(repeating: 1 << 19) &+ (sums &>> 31)) &>> 20
  } store: {
    storeBytes($0, to: $1)
  }
}

private func interpolateShorts(_ arguments: ResamplingArguments) {
  interpolateIntegers(
    arguments, elementBytes: 2, int16sToLanes, { Int32(loadInt16($0)) }, mix: mixInInt64Lanes
  ) { storeInt16s($0, to: $1) }
}

/// Interpolates in 64 bits, because the sums of 16-bit numbers weighted along both axes overflow
/// 32.
@inline(__always)
private func mixInInt64Lanes(
  _ left: SumVector, _ right: SumVector, _ column: PixelPosition
) -> SumVector {
  let near = unsafeBitCast(SumVector(repeating: column.lowerWeight), to: WideVector.self)
  let far = unsafeBitCast(SumVector(repeating: column.upperWeight), to: WideVector.self)
  let leftLanes = unsafeBitCast(left, to: WideVector.self)
  let rightLanes = unsafeBitCast(right, to: WideVector.self)
  @inline(__always)
  func rounded(_ left: WideVector, _ right: WideVector) -> WideVector {
    let sum = multiplyEvenLanes(left, near) &+ multiplyEvenLanes(right, far)
    // One less for numbers that are not positive; zero stays zero.
    let one = shiftRightUnsigned(sum &- WideVector(repeating: 1), 63)
    return sum &+ WideVector(repeating: 1 << 19) &- one
  }
  let even = rounded(leftLanes, rightLanes)
  let odd = rounded(oddLanes(leftLanes), oddLanes(rightLanes))
  return merge(even: shiftRightUnsigned(even, 20), odd: shiftRightUnsigned(odd, 20) &<< 32)
}

/// Interpolates between two rows of integers, and then between their pixels.
@inline(__always)
private func interpolateIntegers(
  _ arguments: ResamplingArguments, elementBytes: Int, _ load: (UnsafeRawPointer) -> SumVector,
  _ loadOne: (UnsafeRawPointer) -> Int32,
  mix: (_ left: SumVector, _ right: SumVector, _ column: PixelPosition) -> SumVector,
  store: (SumVector, UnsafeMutableRawPointer) -> Void
) {
  let rowElements = arguments.inputWidth &* arguments.channels
  let rowBytes = rowElements &* elementBytes
  let mixedRow = arguments.scratch
  for row in 0..<arguments.rowCount {
    let position = arguments.rows[row]
    mixRows(
      arguments.input + Int(position.lower) &* rowBytes, position.lowerWeight,
      arguments.input + Int(position.upper) &* rowBytes, position.upperWeight, count: rowElements,
      elementBytes: elementBytes, load, loadOne, to: mixedRow)
    forEachVector(ofRow: row, arguments, elementBytes: elementBytes) {
      column, left, right, target in
      store(mix(loadSums(mixedRow + left), loadSums(mixedRow + right), column), target)
    }
  }
}

/// Multiplies two rows of integers by their weights and adds them.
@inline(__always)
private func mixRows(
  _ upper: UnsafeRawPointer, _ upperWeight: Int32, _ lower: UnsafeRawPointer,
  _ lowerWeight: Int32, count: Int, elementBytes: Int, _ load: (UnsafeRawPointer) -> SumVector,
  _ loadOne: (UnsafeRawPointer) -> Int32, to mixedRow: UnsafeMutableRawPointer
) {
  let upperWeights = SumVector(repeating: upperWeight)
  let lowerWeights = SumVector(repeating: lowerWeight)
  var index = 0
  while index &+ SumVector.scalarCount <= count {
    let offset = index &* elementBytes
    let sums = load(upper + offset) &* upperWeights &+ load(lower + offset) &* lowerWeights
    store(sums, to: mixedRow + index &* 4)
    index &+= SumVector.scalarCount
  }
  while index < count {
    let offset = index &* elementBytes
    let sum = loadOne(upper + offset) &* upperWeight &+ loadOne(lower + offset) &* lowerWeight
    store(sum, to: mixedRow + index &* 4)
    index &+= 1
  }
}

// MARK: Pixels of a row

/// Calls `body` for every vector of every pixel of an output row.
///
/// It passes the column's position, the byte offsets of its neighbours in a row of products, and
/// the destination of the vector.
@inline(__always)
private func forEachVector(
  ofRow row: Int, _ arguments: ResamplingArguments, elementBytes: Int,
  _ body: (
    _ column: PixelPosition, _ left: Int, _ right: Int, _ target: UnsafeMutableRawPointer
  ) -> Void
) {
  let channels = arguments.channels, lanes = FloatVector.scalarCount
  let rowElements = arguments.columnCount &* channels
  let output = arguments.output + row &* rowElements &* elementBytes
  let inputElements = arguments.inputWidth &* channels
  let staging = arguments.scratch + (2 &* (inputElements &+ lanes)) &* 4
  @inline(__always)
  func forEachVector(
    ofColumn index: Int, _ visit: (PixelPosition, Int, Int, UnsafeMutableRawPointer, Int) -> Void
  ) {
    let column = arguments.columns[index]
    let left = Int(column.lower) &* channels &* 4, right = Int(column.upper) &* channels &* 4
    let pixel = output + index &* channels &* elementBytes
    var channel = 0
    repeat {
      let offset = channel &* 4
      visit(column, left &+ offset, right &+ offset, pixel + channel &* elementBytes, channel)
      channel &+= lanes
    } while channel < channels
  }
  // All vectors of the columns before this one end inside the row.
  let lastStart = rowElements &- roundUp(channels, to: lanes)
  let inside = lastStart < 0 ? 0 : smaller(lastStart / channels &+ 1, arguments.columnCount)
  for index in 0..<inside {
    forEachVector(ofColumn: index) { column, left, right, target, _ in
      body(column, left, right, target)
    }
  }
  for index in inside..<arguments.columnCount {
    forEachVector(ofColumn: index) { column, left, right, target, channel in
      body(column, left, right, staging)
      copyEnd(staging, to: target, count: smaller(channels &- channel, lanes) &* elementBytes)
    }
  }
}

// MARK: Nearest neighbours

private func copyNearest(_ arguments: ResamplingArguments) {
  let pixelBytes = arguments.channels
  let rowBytes = arguments.columnCount &* pixelBytes
  for row in 0..<arguments.rowCount {
    let inputRow = arguments.rows[row].lower
    let target = arguments.output + row &* rowBytes
    if row > 0 && inputRow == arguments.rows[row &- 1].lower {
      copyBytes(target - rowBytes, to: target, count: rowBytes)
      continue
    }
    let source = arguments.input + Int(inputRow) &* arguments.inputWidth &* pixelBytes
    for column in 0..<arguments.columnCount {
      copyBytes(
        source + Int(arguments.columns[column].lower) &* pixelBytes,
        to: target + column &* pixelBytes, count: pixelBytes)
    }
  }
}

import OcellusKernelABI

var inspection: Inspection {
  Inspection(
    sumWords: sumWords, sumColumns: sumColumns, momentsOfFloats: momentsOfFloats,
    momentsOfBytes: momentsOfBytes,
    limits: peakLoops)
}

/// `Inspection.blockByteCount` as a constant that the compiler sees in the loops.
private let blockByteCount = 256

// MARK: Floats

private typealias SixteenFloats = SIMD16<Float>

private func momentsOfFloats(_ memory: UnsafeRawPointer, _ blockCount: Int) -> FloatMoments {
  // Two accumulators of each kind hide the latency of the instructions.
  var (low, otherLow) = (FloatVector(repeating: .infinity), FloatVector(repeating: .infinity))
  var (high, otherHigh) = (FloatVector(repeating: -.infinity), FloatVector(repeating: -.infinity))
  var (sum, isFinite) = (0.0, true)
  // The rounding errors of a few thousand additions in single precision are negligible.
  let blocksPerSum = 64
  var first = 0
  while first < blockCount {
    let end = min(first &+ blocksPerSum, blockCount)
    var (even, odd) = (SixteenFloats.zero, SixteenFloats.zero)
    for block in first..<end {
      let numbers = memory + block &* blockByteCount
      even += numbers.loadUnaligned(as: SixteenFloats.self)
      odd += (numbers + 64).loadUnaligned(as: SixteenFloats.self)
      even += (numbers + 128).loadUnaligned(as: SixteenFloats.self)
      odd += (numbers + 192).loadUnaligned(as: SixteenFloats.self)
      var offset = 0
      while offset < blockByteCount {
        let some = loadFloats(numbers + offset)
        let others = loadFloats(numbers + offset + sumVectorBytes)
        low = minimum(low, some)
        high = maximum(high, some)
        otherLow = minimum(otherLow, others)
        otherHigh = maximum(otherHigh, others)
        offset &+= 2 &* sumVectorBytes
      }
    }
    var partialSum = 0.0
    for lane in 0..<SixteenFloats.scalarCount {
      partialSum += Double(even[lane]) + Double(odd[lane])
    }
    // An infinity or NaN shows in the sum, but so does an overflow of finite floats.
    if partialSum - partialSum != 0 {
      isFinite = isFinite && areFinite(memory, first, end)
      partialSum = doubleSum(memory, first, end)
    }
    sum += partialSum
    first = end
  }
  return figures(minimum(low, otherLow), maximum(high, otherHigh), sum, isFinite)
}

/// Whether all floats in some blocks are finite.
private func areFinite(_ memory: UnsafeRawPointer, _ first: Int, _ end: Int) -> Bool {
  // Negative as long as all are finite: without the sign, the bits of a finite number are less than
  // those of infinity.
  var finite = SumVector(repeating: -1)
  var offset = first &* blockByteCount
  while offset < end &* blockByteCount {
    finite &=
      (asLanes(loadFloats(memory + offset)) & SumVector(repeating: Int32.max))
      &- SumVector(repeating: 0x7F80_0000)
    offset &+= sumVectorBytes
  }
  var isFinite = true
  for lane in 0..<SumVector.scalarCount { isFinite = isFinite && finite[lane] < 0 }
  return isFinite
}

/// Returns the sum of the floats in some blocks in double precision.
private func doubleSum(_ memory: UnsafeRawPointer, _ first: Int, _ end: Int) -> Double {
  var sum = 0.0
  var offset = first &* blockByteCount
  while offset < end &* blockByteCount {
    sum += Double((memory + offset).loadUnaligned(as: Float.self))
    offset &+= 4
  }
  return sum
}

@inline(__always)
private func figures(
  _ low: FloatVector, _ high: FloatVector, _ sum: Double, _ isFinite: Bool
) -> FloatMoments {
  var (lowest, highest) = (low[0], high[0])
  for lane in 1..<FloatVector.scalarCount {
    lowest = low[lane] < lowest ? low[lane] : lowest
    highest = high[lane] > highest ? high[lane] : highest
  }
  return FloatMoments(minimum: lowest, maximum: highest, sum: sum, isFinite: isFinite)
}

// MARK: Bytes

/// Computes statistics of bytes, four per lane, as unsigned numbers; signed ones have their sign
/// bit toggled.
private func momentsOfBytes(
  _ memory: UnsafeRawPointer, _ blockCount: Int, _ isSigned: Bool
) -> ByteMoments {
  let signToggle = SumVector(repeating: isSigned ? Int32(bitPattern: 0x8080_8080) : 0)
  var high = SumVector.zero
  // The maximum of the inverted bytes, which gives the minimum.
  var depth = SumVector.zero
  var (sum, lowestCount, highestCount) = (0, 0, 0)
  // The counts must not overflow bytes, nor the sums 16-bit words.
  let vectorsPerSum = 128
  let vectorCount = blockCount &* blockByteCount / sumVectorBytes
  var first = 0
  while first < vectorCount {
    let end = min(first &+ vectorsPerSum, vectorCount)
    var (sums, above, below) = (SumVector.zero, SumVector.zero, SumVector.zero)
    for vector in first..<end {
      let bytes = loadSums(memory + vector &* sumVectorBytes) ^ signToggle
      high = maximumOfBytes(high, bytes, isSigned: false)
      depth = maximumOfBytes(depth, ~bytes, isSigned: false)
      sums &+= pairs(bytes)
      above &+= nonzeroBytes(bytes)
      below &+= nonzeroBytes(~bytes)
    }
    let count = (end &- first) &* sumVectorBytes
    sum &+= sumOfWords(sums)
    lowestCount &+= count &- sumOfWords(pairs(above))
    highestCount &+= count &- sumOfWords(pairs(below))
    first = end
  }
  let offset = isSigned ? 128 : 0
  return ByteMoments(
    minimum: 255 &- highestByte(depth) &- offset, maximum: highestByte(high) &- offset,
    sum: sum &- offset &* (blockCount &* blockByteCount), lowestCount: lowestCount,
    highestCount: highestCount)
}

/// Returns the sums of neighbouring bytes, two 16-bit words per lane.
@inline(__always)
private func pairs(_ bytes: SumVector) -> SumVector {
  let odd = SumVector(repeating: 0x00FF_00FF)
  return (bytes & odd) &+ ((bytes &>> 8) & odd)
}

/// Returns a one in every byte that is not zero.
@inline(__always)
private func nonzeroBytes(_ bytes: SumVector) -> SumVector {
  let sevenBits = SumVector(repeating: 0x7F7F_7F7F)
  let marked = ((bytes & sevenBits) &+ sevenBits) | bytes
  return (marked &>> 7) & SumVector(repeating: 0x0101_0101)
}

@inline(__always)
private func sumOfWords(_ words: SumVector) -> Int {
  var sum = 0
  for lane in 0..<SumVector.scalarCount {
    sum &+= Int(words[lane] & 0xFFFF) &+ Int((words[lane] &>> 16) & 0xFFFF)
  }
  return sum
}

@inline(__always)
private func highestByte(_ bytes: SumVector) -> Int {
  var highest = 0
  for lane in 0..<SumVector.scalarCount {
    for shift in 0..<Int32(4) {
      let byte = Int((bytes[lane] &>> (8 &* shift)) & 0xFF)
      highest = byte > highest ? byte : highest
    }
  }
  return highest
}

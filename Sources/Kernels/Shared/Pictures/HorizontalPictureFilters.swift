import OcellusKernelABI

// Filters along rows.

/// Filters in Pillow's fixed point, with weights split into the 11 lower bits and the rest.
///
/// Both halves are multiplied in 16 bits; the wrapping sums are those of 32-bit multiplications.
func fixedPointHorizontal(_ arguments: HorizontalFilterArguments) {
  let channels = arguments.channels
  let pattern = tapBytes(channels)
  forEachRowGroup(arguments) { inputs, outputs in
    var weights = arguments.weights
    var target = 0
    for index in 0..<arguments.count {
      var offset = Int(arguments.firsts[index]) &* channels
      var low = SumVector(repeating: 1 &<< 21)
      var high = SumVector()
      for _ in 0..<arguments.taps / 4 {
        let taps = shuffled(inputs.load(offset), by: pattern)
        let even = taps & SumVector(repeating: 0x00FF_00FF)
        let odd = (taps &>> 8) & SumVector(repeating: 0x00FF_00FF)
        low = dotPairs(low, even, SumVector(repeating: loadInt32(weights)))
        low = dotPairs(low, odd, SumVector(repeating: loadInt32(weights + 4)))
        high = dotPairs(high, even, SumVector(repeating: loadInt32(weights + 8)))
        high = dotPairs(high, odd, SumVector(repeating: loadInt32(weights + 12)))
        weights += 16
        offset &+= 4 &* channels
      }
      outputs.storeBytes(clampedToBytes((low &+ (high &<< 11)) &>> 22), target)
      target &+= channels
    }
  }
}

/// Returns a shuffle that gathers, in each of four lanes, the bytes of one channel in four pixels.
@inline(__always)
private func tapBytes(_ channels: Int) -> SumVector {
  let step = Int32(truncatingIfNeeded: channels)
  let first = step &<< 8 | step &<< 17 | (step &* 3) &<< 24
  let next: Int32 = 0x0101_0101
  return repeated(SIMD4(first, first &+ next, first &+ next &* 2, first &+ next &* 3))
}

func linearHorizontal(_ arguments: HorizontalFilterArguments) {
  let channels = arguments.channels
  // Gathers two bytes of a channel, as 16-bit numbers.
  let step = Int32(truncatingIfNeeded: channels) &<< 16
  let first = step | Int32(bitPattern: 0xFF00_FF00)
  let pattern = repeated(
    SIMD4(first, first &+ 0x0001_0001, first &+ 0x0002_0002, first &+ 0x0003_0003))
  forEachRowGroup(arguments) { inputs, outputs in
    var target = 0
    for index in 0..<arguments.count {
      let pair = shuffled(inputs.load(Int(arguments.firsts[index]) &* channels), by: pattern)
      let weights = SumVector(repeating: loadInt32(arguments.weights + index &* 4))
      outputs.storeHalves(dotPairs(SumVector(), pair, weights) &>> 4, target)
      target &+= channels &* 2
    }
  }
}

/// Interpolates one row at a time; the 16-byte segments are neighbouring output pixels.
func linearBytesHorizontal(_ arguments: HorizontalFilterArguments) {
  let channels = arguments.channels
  let sums = Int32(bitPattern: 0x8080_0100)
  let near = repeated(
    SIMD4(sums, sums &+ 0x0202, sums &+ 0x0404, sums &+ 0x0606))
  let step = Int32(truncatingIfNeeded: channels &* 2) &* 0x0101
  let far = near &+ SumVector(repeating: step)
  for row in 0..<arguments.rowCount {
    let input = arguments.inputs[row]
    let output = arguments.outputs[row]
    var index = 0
    while index < arguments.count {
      let last = arguments.count &- 1
      // After the last pixel, the segments repeat it, and are stored in the slack after the row.
      let columns = (
        index, smaller(index &+ 1, last), smaller(index &+ 2, last), smaller(index &+ 3, last)
      )
      func pixel(_ column: Int) -> UnsafeRawPointer {
        input + Int(arguments.firsts[column]) &* channels &* 2
      }
      func weights(_ column: Int) -> SIMD4<Int32> {
        SIMD4(repeating: loadInt32(arguments.weights + column &* 4))
      }
      let pairs = SegmentPointers(
        first: pixel(columns.0), second: pixel(columns.1), third: pixel(columns.2),
        fourth: pixel(columns.3)
      ).load(0)
      let both = joined(
        weights(columns.0), weights(columns.1), weights(columns.2), weights(columns.3))
      let first = shuffled(pairs, by: near) &* ((both &<< 16) &>> 16)
      let second = shuffled(pairs, by: far) &* (both &>> 16)
      let sum = (first &>> 16) &+ (second &>> 16) &+ SumVector(repeating: 2)
      let target = output + index &* channels
      MutableSegmentPointers(
        first: target, second: target + channels, third: target + 2 &* channels,
        fourth: target + 3 &* channels
      ).storeBytes(sum &>> 2, 0)
      index &+= segmentCount
    }
  }
}

/// Adds one pixel after the other, in OpenCV's order.
func areaHorizontal(_ arguments: HorizontalFilterArguments) {
  let channels = arguments.channels
  let pattern = tapBytes(channels)
  forEachRowGroup(arguments) { inputs, outputs in
    var weights = arguments.weights
    var target = 0
    for index in 0..<arguments.count {
      var offset = Int(arguments.firsts[index]) &* channels
      var sum = FloatVector()
      var tap = 0
      while tap < arguments.taps {
        var bytes = shuffled(inputs.load(offset), by: pattern)
        // At most four taps. The optimiser would vectorize an unrolled loop over the weights.
        let end = smaller(tap &+ 4, arguments.taps)
        while tap < end {
          let weight = FloatVector(repeating: loadFloat(weights))
          sum += floats(bytes & SumVector(repeating: 255)) * weight
          bytes = bytes &>> 8
          weights += 4
          tap &+= 1
        }
        offset &+= 4 &* channels
      }
      outputs.store(asLanes(sum), target)
      target &+= channels &* 4
    }
  }
}

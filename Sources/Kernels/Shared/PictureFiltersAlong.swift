import OcellusKernelABI

// Filters along rows.

/// Pillow's fixed point: weights are taken apart into 11 lower bits and the rest, which 16-bit
/// products are made of; sums wrap around as those of 32-bit products would.
func fixedAlong(_ arguments: AlongRowArguments) {
  let channels = arguments.channels
  let pattern = tapBytes(channels)
  forEachRowGroup(arguments) { inputs, outputs in
    var weights = arguments.weights
    var target = 0
    for index in 0..<arguments.count {
      var offset = Int(arguments.firsts[index]) &* channels
      var low = SumVector(repeating: 1 &<< 21), high = SumVector()
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

/// For each of four lanes, the bytes of its channel in four pixels.
@inline(__always)
private func tapBytes(_ channels: Int) -> SumVector {
  let step = Int32(truncatingIfNeeded: channels)
  let first = step &<< 8 | step &<< 17 | (step &* 3) &<< 24
  let next: Int32 = 0x0101_0101
  return repeated(SIMD4(first, first &+ next, first &+ next &* 2, first &+ next &* 3))
}

func linearAlong(_ arguments: AlongRowArguments) {
  let channels = arguments.channels
  // Two bytes of a channel, as 16-bit numbers.
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

/// Sums are made one pixel after the other, as OpenCV makes them.
func areaAlong(_ arguments: AlongRowArguments) {
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
        // Four taps at most. Four in a row the optimiser would gather in vectors of their own.
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
      outputs.store(unsafeBitCast(sum, to: SumVector.self), target)
      target &+= channels &* 4
    }
  }
}

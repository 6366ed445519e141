import OcellusKernelABI

// Filters across rows treat all elements of a row alike. The last vector overlaps the one before.

func fixedPointVertical(_ arguments: VerticalFilterArguments) {
  let half: Int32 = 1 &<< 21
  forEachBlock(of: arguments.count) { index, vectors in
    // Four vectors share the row address and the weight of a tap.
    var a = SumVector(repeating: half)
    var b = a
    var c = a
    var d = a
    for tap in 0..<arguments.taps {
      let row = arguments.rows[tap] + index
      let weight = SumVector(repeating: loadInt32(arguments.weights + tap &* 4))
      a = a &+ lanes(row, 0) &* weight
      if vectors > 1 {
        b = b &+ lanes(row, 1) &* weight
        c = c &+ lanes(row, 2) &* weight
        d = d &+ lanes(row, 3) &* weight
      }
    }
    let output = arguments.output + index
    storeBytes(clampedToBytes(a &>> 22), to: output)
    if vectors > 1 {
      storeBytes(clampedToBytes(b &>> 22), to: output + SumVector.scalarCount)
      storeBytes(clampedToBytes(c &>> 22), to: output + 2 &* SumVector.scalarCount)
      storeBytes(clampedToBytes(d &>> 22), to: output + 3 &* SumVector.scalarCount)
    }
  } single: { index in
    var sum = half
    for tap in 0..<arguments.taps {
      let value = Int32(truncatingIfNeeded: loadByte(arguments.rows[tap] + index))
      sum = sum &+ value &* loadInt32(arguments.weights + tap &* 4)
    }
    store(clampedByte(sum &>> 22), to: arguments.output + index)
  }
}

@inline(__always)
private func lanes(_ row: UnsafeRawPointer, _ vector: Int) -> SumVector {
  bytesToLanes(row + vector &* SumVector.scalarCount, isSigned: false)
}

func linearVertical(_ arguments: VerticalFilterArguments) {
  let upper = arguments.rows[0]
  let lower = arguments.rows[1]
  let near = Int32(loadInt16(arguments.weights))
  let far = Int32(loadInt16(arguments.weights + 2))
  forEachBlock(of: arguments.count) { index, vectors in
    for vector in 0..<vectors {
      let start = index &+ vector &* SumVector.scalarCount
      let first = int16sToLanes(upper + start &* 2) &* SumVector(repeating: near)
      let second = int16sToLanes(lower + start &* 2) &* SumVector(repeating: far)
      let sum = (first &>> 16) &+ (second &>> 16) &+ SumVector(repeating: 2)
      storeBytes(sum &>> 2, to: arguments.output + start)
    }
  } single: { index in
    let first = Int32(loadInt16(upper + index &* 2)) &* near
    let second = Int32(loadInt16(lower + index &* 2)) &* far
    let sum = (first &>> 16) &+ (second &>> 16) &+ 2
    store(UInt8(truncatingIfNeeded: sum &>> 2), to: arguments.output + index)
  }
}

func linearSumsVertical(_ arguments: VerticalFilterArguments) {
  let upper = arguments.rows[0]
  let lower = arguments.rows[arguments.taps &- 1]
  let near = Int32(loadInt16(arguments.weights))
  let far = Int32(loadInt16(arguments.weights + 2))
  forEachBlock(of: arguments.count) { index, vectors in
    for vector in 0..<vectors {
      let start = index &+ vector &* SumVector.scalarCount
      let first = lanes(upper + start, 0) &* SumVector(repeating: near)
      let second = lanes(lower + start, 0) &* SumVector(repeating: far)
      storeInt16s((first &+ second) &>> 4, to: arguments.output + start &* 2)
    }
  } single: { index in
    let first = Int32(truncatingIfNeeded: loadByte(upper + index)) &* near
    let second = Int32(truncatingIfNeeded: loadByte(lower + index)) &* far
    store(
      Int16(truncatingIfNeeded: (first &+ second) &>> 4), to: arguments.output + index &* 2)
  }
}

/// Adding this to a float rounds it to an integer, half to even, as no bits are left for a
/// fraction.
private let roundingShift: Float = 0x1.8p23

func areaVertical(_ arguments: VerticalFilterArguments) {
  let scale = arguments.scale
  let offset = arguments.offset
  forEachBlock(of: arguments.count) { index, vectors in
    for vector in 0..<vectors {
      let start = index &+ vector &* SumVector.scalarCount
      var sum = FloatVector()
      for tap in 0..<arguments.taps {
        let weight = FloatVector(repeating: loadFloat(arguments.weights + tap &* 4))
        sum += loadFloats(arguments.rows[tap] + start &* 4) * weight
      }
      let scaled = sum * FloatVector(repeating: scale) + FloatVector(repeating: offset)
      let rounded = scaled + FloatVector(repeating: roundingShift)
      let zero = SumVector(repeating: Int32(bitPattern: roundingShift.bitPattern))
      let value = asLanes(rounded) &- zero
      storeBytes(clampedToBytes(value), to: arguments.output + start)
    }
  } single: { index in
    var sum: Float = 0
    for tap in 0..<arguments.taps {
      sum += loadFloat(arguments.rows[tap] + index &* 4) * loadFloat(arguments.weights + tap &* 4)
    }
    let rounded = (sum * scale + offset) + roundingShift
    let value = Int32(bitPattern: rounded.bitPattern &- roundingShift.bitPattern)
    store(clampedByte(value), to: arguments.output + index)
  }
}

@inline(__always)
private func clampedByte(_ value: Int32) -> UInt8 {
  UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
}

/// Visits a row four vectors at a time, and then one at a time with the last one at the end.
///
/// The elements of a row that is shorter than a vector are visited one by one.
@inline(__always)
private func forEachBlock(
  of count: Int, block: (_ index: Int, _ vectors: Int) -> Void, single: (_ index: Int) -> Void
) {
  let lanes = SumVector.scalarCount
  guard count >= lanes else {
    for index in 0..<count { single(index) }
    return
  }
  var index = 0
  while index &+ 4 &* lanes <= count {
    block(index, 4)
    index &+= 4 &* lanes
  }
  while index < count {
    block(smaller(index, count &- lanes), 1)
    index &+= lanes
  }
}

import OcellusKernelABI

// A packed panel holds, for one vector of columns: the sums of the scaled weights, the bias, and
// for every quantization block its scales and then one vector for every eight elements. That vector
// has eight weights per column: four in the low nibbles of its bytes, the next four in the high
// nibbles. Weights are packed with 8 added, unsigned, and blocks are padded with zeros to eight
// elements:
//
//   Σ x·w = Σ x·(w + 8) - 8·Σ x

var blockwiseGEMM: BlockwiseGEMM {
  BlockwiseGEMM(
    panelColumns: SumVector.scalarCount, packedByteCount: packedByteCount, pack: pack,
    scratchByteCount: scratchByteCount, run: multiply)
}

private let elementsPerVector = 8

extension BlockwiseShape {
  @inline(__always)
  fileprivate var vectorsPerBlock: Int { (blockSize &+ elementsPerVector &- 1) / elementsPerVector }
  @inline(__always)
  fileprivate var panelBytes: Int { (2 &+ blocks &* (1 &+ vectorsPerBlock)) &* sumVectorBytes }
  /// The size of a row whose blocks are padded, in bytes.
  @inline(__always)
  fileprivate var rowBytes: Int { blocks &* vectorsPerBlock &* elementsPerVector }
}

private func packedByteCount(_ shape: BlockwiseShape) -> Int {
  roundUp(shape.columns, to: SumVector.scalarCount) / SumVector.scalarCount * shape.panelBytes
}

private func pack(_ arguments: BlockwisePackingArguments) {
  let shape = arguments.shape
  fillWithZeros(arguments.packed, count: packedByteCount(shape))
  for column in 0..<shape.columns {
    let panel = column / SumVector.scalarCount
    packColumn(
      arguments, column,
      to: arguments.packed
        + (panel &* shape.panelBytes &+ (column &- panel &* SumVector.scalarCount) &* 4))
  }
}

private func packColumn(
  _ arguments: BlockwisePackingArguments, _ column: Int, to lane: UnsafeMutableRawPointer
) {
  let shape = arguments.shape
  var scaledSum: Float = 0
  var target = lane + 2 &* sumVectorBytes
  for block in 0..<shape.blocks {
    let index = column &* shape.blocks &+ block
    let weights = arguments.weights + index &* shape.blockSize
    let scale = arguments.scales[index]
    store(scale, to: target)
    target += sumVectorBytes
    var sum: Int32 = 0
    for vector in 0..<shape.vectorsPerBlock {
      let start = vector &* elementsPerVector
      var bytes: Int64 = 0
      if start &+ elementsPerVector <= shape.blockSize {
        bytes = loadInt64(UnsafeRawPointer(weights + start))
      } else {
        for element in start..<shape.blockSize {
          bytes |= (Int64(weights[element]) & 0xFF) &<< Int64((element &- start) &* 8)
        }
      }
      // Adding 8 in four bits toggles the sign bit.
      let nibbles = (bytes ^ 0x0808_0808_0808_0808) & 0x0F0F_0F0F_0F0F_0F0F
      store(Int32(truncatingIfNeeded: nibbles | nibbles &>> 28), to: target)
      // The highest byte of the product is the sum of all bytes.
      sum &+= Int32(truncatingIfNeeded: (nibbles &* 0x0101_0101_0101_0101) &>> 56) &- 64
      target += sumVectorBytes
    }
    scaledSum += Float(sum) * scale
  }
  // Adding negative zero changes nothing.
  var bias: Float = -0.0
  if let biases = arguments.bias { bias = biases[column] }
  store(scaledSum, to: lane)
  store(bias, to: lane + sumVectorBytes)
}

// Scratch: the initial sum of every block, the row with padded blocks, four vectors.

private func scratchByteCount(_ shape: BlockwiseShape) -> Int {
  roundUp(shape.blocks * 4 + shape.rowBytes, to: 64) + panelsAtOnce * sumVectorBytes
}

/// The panels of a tile: enough independent sums to hide the latency of the multiplier.
private let panelsAtOnce = 4

private func multiply(_ arguments: BlockwiseArguments) {
  let shape = arguments.shape
  let starts = arguments.scratch
  let row = arguments.scratch + shape.blocks &* 4
  let results = arguments.scratch + roundUp(shape.blocks &* 4 &+ shape.rowBytes, to: 64)
  for index in 0..<arguments.rows {
    let source = arguments.input + index &* shape.blocks &* shape.blockSize
    prepare(UnsafeRawPointer(source), shape, starts: starts, row: row)
    let output = UnsafeMutableRawPointer(arguments.output + index &* shape.columns)
    var column = arguments.columns.lowerBound
    while column < arguments.columns.upperBound {
      let panel = arguments.packed + column / SumVector.scalarCount &* shape.panelBytes
      let left = arguments.columns.upperBound &- column
      let panels = smaller(
        (left &+ SumVector.scalarCount &- 1) / SumVector.scalarCount, panelsAtOnce)
      let block = BlockwiseTile(
        shape: shape, row: UnsafeRawPointer(row), starts: UnsafeRawPointer(starts), panel: panel,
        rounding: arguments.roundings[index])
      let isWhole = left >= panels &* SumVector.scalarCount
      let target = isWhole ? output + column &* 4 : results
      if panels == panelsAtOnce {
        block.write(panels: panelsAtOnce, to: target)
      } else {
        for panel in 0..<panels {
          block.advanced(by: panel).write(panels: 1, to: target + panel &* sumVectorBytes)
        }
      }
      if !isWhole { copyEnd(results, to: output + column &* 4, count: left &* 4) }
      column &+= panelsAtOnce &* SumVector.scalarCount
    }
  }
}

/// Pads the blocks of a row, and stores -8 times the sum of each.
private func prepare(
  _ source: UnsafeRawPointer, _ shape: BlockwiseShape, starts: UnsafeMutableRawPointer,
  row: UnsafeMutableRawPointer
) {
  var source = source
  var target = row
  let filledSize = shape.vectorsPerBlock &* elementsPerVector
  for block in 0..<shape.blocks {
    var sum: Int32 = 0
    for element in 0..<shape.blockSize {
      sum &+= Int32(Int8(truncatingIfNeeded: loadByte(source + element)))
    }
    store(sum &* -8, to: starts + block &* 4)
    copyBytes(source, to: target, count: shape.blockSize)
    fillWithZeros(target + shape.blockSize, count: filledSize &- shape.blockSize)
    source += shape.blockSize
    target += filledSize
  }
}

/// A tile of one row and one or more panels.
private struct BlockwiseTile {
  var shape: BlockwiseShape
  var row: UnsafeRawPointer
  var starts: UnsafeRawPointer
  var panel: UnsafeRawPointer
  var rounding: RowQuantization

  @inline(__always)
  func advanced(by panels: Int) -> BlockwiseTile {
    var tile = self
    tile.panel += panels &* shape.panelBytes
    return tile
  }

  /// Computes and stores `panels` vectors of results; `panels` is a literal at every call: 1 or
  /// `panelsAtOnce`.
  @inline(__always)
  func write(panels: Int, to target: UnsafeMutableRawPointer) {
    let stride = shape.panelBytes
    var f0 = FloatVector()
    var (f1, f2, f3) = (f0, f0, f0)
    var weights = panel + 2 &* sumVectorBytes
    var x = row
    for block in 0..<shape.blocks {
      let scales = weights
      weights += sumVectorBytes
      let start = SumVector(repeating: loadInt32(starts + block &* 4))
      var (s0, s1, s2, s3) = (start, start, start, start)
      for _ in 0..<shape.vectorsPerBlock {
        let low = SumVector(repeating: loadInt32(x)), high = SumVector(repeating: loadInt32(x + 4))
        s0 = add(s0, weights, low, high)
        if panels > 1 {
          s1 = add(s1, weights + stride, low, high)
          s2 = add(s2, weights + 2 &* stride, low, high)
          s3 = add(s3, weights + 3 &* stride, low, high)
        }
        weights += sumVectorBytes
        x += elementsPerVector
      }
      f0 += floats(s0) * loadFloats(scales)
      if panels > 1 {
        f1 += floats(s1) * loadFloats(scales + stride)
        f2 += floats(s2) * loadFloats(scales + 2 &* stride)
        f3 += floats(s3) * loadFloats(scales + 3 &* stride)
      }
    }
    store(finished(f0, panel), to: target)
    if panels > 1 {
      store(finished(f1, panel + stride), to: target + sumVectorBytes)
      store(finished(f2, panel + 2 &* stride), to: target + 2 &* sumVectorBytes)
      store(finished(f3, panel + 3 &* stride), to: target + 3 &* sumVectorBytes)
    }
  }

  /// Adds the products of eight weights per lane.
  @inline(__always)
  private func add(
    _ sums: SumVector, _ weights: UnsafeRawPointer, _ low: SumVector, _ high: SumVector
  ) -> SumVector {
    let bytes = loadSums(weights)
    let mask = SumVector(repeating: 0x0F0F_0F0F)
    return dotNibbles(
      dotNibbles(sums, bytes & mask, low), (bytes &>> 4) & mask, high)
  }

  @inline(__always)
  private func finished(_ sums: FloatVector, _ panel: UnsafeRawPointer) -> FloatVector {
    let zeroPoint = FloatVector(repeating: Float(rounding.zeroPoint))
    let products = sums - zeroPoint * loadFloats(panel)
    return products * FloatVector(repeating: rounding.scale)
      + loadFloats(panel + sumVectorBytes)
  }
}

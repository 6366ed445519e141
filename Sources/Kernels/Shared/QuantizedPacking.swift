import OcellusKernelABI

// Packed weights are a `PackedHeader` and panels. A panel is one vector of starting sums, the
// multipliers (`scaleBytes` together), and per `depthPerDot` elements of the depth one vector:
// lane by lane the elements of one column. The depth is filled up with zeros.

@inline(__always)
func quantizedSteps(_ depth: Int) -> Int { (depth &+ depthPerDot &- 1) / depthPerDot }

@inline(__always)
func quantizedPanelStride(_ depth: Int) -> Int {
  scaleBytes &+ quantizedSteps(depth) &* sumVectorBytes
}

func packedQuantizedByteCount(columns: Int, depth: Int) -> Int {
  let panels = (columns + SumVector.scalarCount - 1) / SumVector.scalarCount
  return PackedHeader.byteCount + panels * quantizedPanelStride(depth)
}

func packQuantized(_ arguments: QuantizedPackingArguments) {
  let format = PackedFormat(filter: arguments.filterFormat, input: arguments.inputFormat)
  let panelStride = quantizedPanelStride(arguments.depth)
  PackedHeader(
    scaleKind: scaleKind(
      arguments.requantization, bias: arguments.bias, columns: arguments.columns,
      depth: arguments.depth), rowCorrection: 0 &- format.weightZeroPoint
  ).write(to: arguments.packed)
  var panel = arguments.packed + PackedHeader.byteCount
  var column = 0
  while column < arguments.columns {
    let width = smaller(SumVector.scalarCount, arguments.columns &- column)
    fillWithZeros(panel, count: panelStride)
    for lane in 0..<width {
      let sum = packColumn(
        arguments, column &+ lane, format, to: panel + (scaleBytes &+ lane &* 4))
      store(sum, to: panel + lane &* 4)
    }
    packScales(
      arguments.requantization, column: column, width: width, to: panel + sumVectorBytes)
    panel += panelStride
    column &+= SumVector.scalarCount
  }
}

/// Packs the weights of one column and returns its starting sum.
private func packColumn(
  _ arguments: QuantizedPackingArguments, _ column: Int, _ format: PackedFormat,
  to lane: UnsafeMutableRawPointer
) -> Int32 {
  let filter = arguments.filter + column &* arguments.depth
  var sum: Int32 = 0
  var target = lane
  var element = 0
  while element < arguments.depth {
    for part in 0..<smaller(depthPerDot, arguments.depth &- element) {
      let byte = loadByte(filter + (element &+ part), isSigned: arguments.filterFormat.isSigned)
      storePacked(byte &- format.weightOffset, to: target + part &* packedElementBytes)
      sum &+= byte &- arguments.filterFormat.zeroPoint
    }
    target += sumVectorBytes
    element &+= depthPerDot
  }
  var bias: Int32 = 0
  if let biases = arguments.bias { bias = biases[column] }
  return bias &- format.inputZeroPoint &* sum
}

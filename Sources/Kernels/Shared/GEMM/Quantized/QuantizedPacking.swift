import OcellusKernelABI

// Packed weights are a `PackedHeader` followed by panels. A panel begins with its head
// (`scaleBytes`): one vector of initial sums and then the multipliers. One vector of weights
// follows for every `depthPerDot` elements of the depth; each of its lanes holds the elements of
// one column, or of a share of one (see `lanesPerColumn`). The depth, or every run of it, is padded
// with zeros.

@inline(__always)
func quantizedSteps(_ depth: Int) -> Int {
  roundUp(depth, to: depthPerBlock) / depthPerDot
}

@inline(__always)
func quantizedPanelStride(_ depth: Int, runs: Int) -> Int {
  scaleBytes &+ runs &* quantizedSteps(depth / runs) &* sumVectorBytes
}

func packedQuantizedByteCount(columns: Int, depth: Int, runs: Int = 1) -> Int {
  PackedHeader.byteCount + panelCount(columns) * quantizedPanelStride(depth, runs: runs)
}

/// Returns the number of panels of `columns` columns.
func panelCount(_ columns: Int) -> Int {
  (columns + SumVector.scalarCount - 1) / SumVector.scalarCount
}

/// Returns a bound on the sum over a column of |weight - zero point|, from the weights themselves
/// only where the a-priori bound is too large.
private func maximumWeightSumOfColumns(_ arguments: QuantizedPackingArguments) -> Int {
  let format = arguments.filterFormat
  let bound = weightBound(depth: arguments.depth, format)
  if bound <= maximumWeightSum { return bound }
  var greatest = 0
  for column in 0..<arguments.columns {
    let weights = arguments.filter + column &* arguments.depth
    var sum = 0
    for index in 0..<arguments.depth {
      let distance = loadByte(weights + index, isSigned: format.isSigned) &- format.zeroPoint
      sum &+= Int(distance < 0 ? 0 &- distance : distance)
    }
    greatest = larger(greatest, sum)
  }
  return greatest
}

/// Returns how the sums are scaled.
func scaleKind(_ arguments: QuantizedPackingArguments) -> Int32 {
  scaleKind(
    arguments.requantization, bias: arguments.bias, columns: arguments.columns,
    weight: maximumWeightSumOfColumns(arguments))
}

/// Packs panels for rows of `runs` runs, where `split` lanes share a column.
func packPanels(_ arguments: QuantizedPackingArguments, runs: Int = 1, split: Int = 1) {
  let format = PackedFormat(filter: arguments.filterFormat, input: arguments.inputFormat)
  PackedHeader(
    scaleKind: scaleKind(arguments), rowCorrection: 0 &- format.weightZeroPoint,
    depthSplit: Int32(truncatingIfNeeded: split), runs: Int32(truncatingIfNeeded: runs)
  ).write(to: arguments.packed)
  var head = arguments.packed + PackedHeader.byteCount
  for panel in 0..<panelCount(arguments.columns) {
    let columns = columnsOfPanel(panel, of: arguments.columns)
    let sums = packWeights(
      arguments, columns, format, runs: runs, split: split, to: head + scaleBytes)
    packHead(arguments, columns, sums: sums, split: split, to: head)
    head += quantizedPanelStride(arguments.depth, runs: runs)
  }
}

/// Returns the columns of a panel.
func columnsOfPanel(_ panel: Int, of columns: Int) -> Range<Int> {
  let first = panel &* SumVector.scalarCount
  return first..<smaller(first &+ SumVector.scalarCount, columns)
}

/// Packs the weights of the columns of a panel, and returns the columns' sums of w - zw.
func packWeights(
  _ arguments: QuantizedPackingArguments, _ columns: Range<Int>, _ format: PackedFormat, runs: Int,
  split: Int, to weights: UnsafeMutableRawPointer
) -> SumVector {
  let (column, width) = (columns.lowerBound, columns.count)
  let runSteps = quantizedSteps(arguments.depth / runs)
  let steps = (runs &* runSteps &+ split &- 1) / split
  let hasGaps = runSteps &* depthPerDot &* runs != arguments.depth && runs > 1
  if width < SumVector.scalarCount || split > 1 || hasGaps {
    fillWithZeros(weights, count: steps &* sumVectorBytes)
  } else if depthPerBlock > depthPerDot {
    let written = arguments.depth / depthPerDot
    fillWithZeros(weights + written &* sumVectorBytes, count: (steps &- written) &* sumVectorBytes)
  }
  if hasGaps {
    packRuns(arguments, column: column, width: width, format, runs: runs, to: weights)
  } else {
    packColumns(arguments, column: column, width: width, format, split: split, to: weights)
  }
  arrangeWeights(weights, vectors: steps)
  let sums = sumLanesOfColumns(sumsOfColumns(weights, steps: steps), split: split)
  if split == 1 { arrangeBlocks(weights, steps: steps) }
  // Subtracts Σ zw, where zw is the zero point of the packed weights.
  let correction = Int32(truncatingIfNeeded: arguments.depth) &* format.weightZeroPoint
  return sums &- SumVector(repeating: correction)
}

/// Packs the head of a panel: initial sums and multipliers.
func packHead(
  _ arguments: QuantizedPackingArguments, _ columns: Range<Int>, sums: SumVector, split: Int,
  to head: UnsafeMutableRawPointer
) {
  let inputZeroPoint = PackedFormat(
    filter: arguments.filterFormat, input: arguments.inputFormat
  ).inputZeroPoint
  fillWithZeros(head, count: scaleBytes)
  for lane in 0..<columns.count {
    var bias: Int32 = 0
    if let biases = arguments.bias { bias = biases[columns.lowerBound &+ lane] }
    store(bias &- inputZeroPoint &* sums[lane], to: head + lane &* split &* 4)
    storeWeightSum(
      sums[lane], of: arguments.requantization, lane: lane, to: head + sumVectorBytes)
  }
  packScales(
    arguments.requantization, column: columns.lowerBound, width: columns.count,
    to: head + sumVectorBytes)
}

/// Packs the weights of a panel.
///
/// This function is separate because Swift 6.3 crashes on code that contains both tests of `split`.
@inline(never)
private func packColumns(
  _ arguments: QuantizedPackingArguments, column: Int, width: Int, _ format: PackedFormat,
  split: Int, to weights: UnsafeMutableRawPointer
) {
  // Most of the panel is packed by 4×4 transpositions: four groups of four columns.
  let blockCount = split == 1 ? arguments.depth / (4 &* depthPerDot) : 0
  let columnsInBlocks = width & ~3
  var firstColumn = 0
  while firstColumn < columnsInBlocks {
    packBlocks(
      arguments, column &+ firstColumn, format, count: blockCount, to: weights + firstColumn &* 4)
    firstColumn &+= 4
  }
  for lane in 0..<width {
    let start = lane < columnsInBlocks ? blockCount &* 4 &* depthPerDot : 0
    packColumn(
      arguments, column &+ lane, format, from: start, split: split,
      to: weights + lane &* split &* 4)
  }
}

/// Packs `count` 4×4 blocks of four neighbouring columns; no lanes share a column.
private func packBlocks(
  _ arguments: QuantizedPackingArguments, _ column: Int, _ format: PackedFormat, count: Int,
  to lane: UnsafeMutableRawPointer
) {
  let (isSigned, offset) = (arguments.filterFormat.isSigned, format.weightOffset)
  let depth = arguments.depth
  var filter = arguments.filter + column &* depth
  var target = lane
  for _ in 0..<count {
    let block = transposed(
      packedGroups(filter, isSigned: isSigned, offset: offset),
      packedGroups(filter + depth, isSigned: isSigned, offset: offset),
      packedGroups(filter + 2 &* depth, isSigned: isSigned, offset: offset),
      packedGroups(filter + 3 &* depth, isSigned: isSigned, offset: offset))
    storeInt32s(block.0, to: target)
    storeInt32s(block.1, to: target + sumVectorBytes)
    storeInt32s(block.2, to: target + 2 &* sumVectorBytes)
    storeInt32s(block.3, to: target + 3 &* sumVectorBytes)
    filter += 4 &* depthPerDot
    target += 4 &* sumVectorBytes
  }
}

/// Packs the weights of one column from `start` on, `split` groups of `depthPerDot` per vector.
///
/// The elements before `start` are packed already, in whole vectors.
private func packColumn(
  _ arguments: QuantizedPackingArguments, _ column: Int, _ format: PackedFormat, from start: Int,
  split: Int, to lane: UnsafeMutableRawPointer
) {
  let isSigned = arguments.filterFormat.isSigned
  var filter = arguments.filter + (column &* arguments.depth &+ start)
  var target = lane + start / depthPerDot &* sumVectorBytes
  var shared = 0
  for _ in 0..<((arguments.depth &- start) / depthPerDot) {
    store(packedGroup(filter, isSigned: isSigned, offset: format.weightOffset), to: target)
    filter += depthPerDot
    target += 4
    shared &+= 1
    if shared == split {
      target += sumVectorBytes &- split &* 4
      shared = 0
    }
  }
  let rest = arguments.depth % depthPerDot
  guard rest > 0 else { return }
  store(0 as Int32, to: target)
  for element in 0..<rest {
    let byte = loadByte(filter + element, isSigned: isSigned)
    storePacked(byte &- format.weightOffset, to: target + element &* packedElementBytes)
  }
}

/// Packs the weights of a panel byte by byte, with each run padded to whole steps.
private func packRuns(
  _ arguments: QuantizedPackingArguments, column: Int, width: Int, _ format: PackedFormat,
  runs: Int, to weights: UnsafeMutableRawPointer
) {
  let runDepth = arguments.depth / runs
  let runSteps = quantizedSteps(runDepth)
  for lane in 0..<width {
    let filter = arguments.filter + (column &+ lane) &* arguments.depth
    for index in 0..<arguments.depth {
      let run = index / runDepth
      let element = index &- run &* runDepth
      let step = run &* runSteps &+ element / depthPerDot
      let byte = loadByte(filter + index, isSigned: arguments.filterFormat.isSigned)
      storePacked(
        byte &- format.weightOffset,
        to: weights
          + (step &* sumVectorBytes &+ lane &* 4 &+ element % depthPerDot &* packedElementBytes))
    }
  }
}

/// Returns the sums of the packed weights, column by column.
func sumsOfColumns(_ weights: UnsafeRawPointer, steps: Int) -> SumVector {
  var sums = SumVector.zero
  for step in 0..<steps {
    sums = dot(sums, SumVector(repeating: packedOnes), loadSums(weights + step &* sumVectorBytes))
  }
  return sums
}

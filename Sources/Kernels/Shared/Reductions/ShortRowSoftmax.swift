import OcellusKernelABI

// Rows shorter than a vector, such as the two classes of each box of a face detector, would leave
// most lanes idle. Here each lane is a row.

private let lanes = FloatVector.scalarCount
private let maximumElements = 16

/// The way to sum and normalize the exponentials of a row.
enum SoftmaxOrder {
  /// Adds exponentials at a distance of eight, four, two and one as `StridedSums` does, and
  /// multiplies by the reciprocal of the sum.
  case strided
  /// Adds exponentials in order, and divides by their sum.
  case sequential
}

/// Computes short rows, as many as fill whole vectors.
///
/// - Returns: the number of rows computed; zero for long rows.
@inline(__always)
func softmaxOfShortRows(
  _ arguments: SoftmaxArguments, _ order: SoftmaxOrder, _ exponential: (FloatVector) -> FloatVector
) -> Int {
  let count = arguments.rowLength
  guard count <= maximumElements && count < 2 &* lanes else { return 0 }
  let rowBytes = count &* 4
  var columns = ShortRowColumns()
  var row = 0
  withUnsafeMutableBytes(of: &columns) { bytes in
    let columns = bytes.baseAddress.unsafelyUnwrapped
    while row &+ lanes <= arguments.rowCount {
      transpose4(
        CopyArguments(
          source: arguments.input + row &* rowBytes, target: columns, rowCount: lanes,
          columnCount: count, sourceStride: rowBytes, targetStride: lanes &* 4))
      softmaxOfColumns(columns, count: count, beta: arguments.beta, order, exponential)
      transpose4(
        CopyArguments(
          source: columns, target: arguments.output + row &* rowBytes, rowCount: count,
          columnCount: lanes, sourceStride: lanes &* 4, targetStride: rowBytes))
      row &+= lanes
    }
  }
  return row
}

/// Memory for the transposed rows: one vector per column.
private struct ShortRowColumns {
  private var v0 = FloatVector.zero, v1 = FloatVector.zero
  private var v2 = FloatVector.zero, v3 = FloatVector.zero
  private var v4 = FloatVector.zero, v5 = FloatVector.zero
  private var v6 = FloatVector.zero, v7 = FloatVector.zero
  private var v8 = FloatVector.zero, v9 = FloatVector.zero
  private var v10 = FloatVector.zero, v11 = FloatVector.zero
  private var v12 = FloatVector.zero, v13 = FloatVector.zero
  private var v14 = FloatVector.zero, v15 = FloatVector.zero
}

@inline(__always)
private func softmaxOfColumns(
  _ columns: UnsafeMutableRawPointer, count: Int, beta: Float, _ order: SoftmaxOrder,
  _ exponential: (FloatVector) -> FloatVector
) {
  let vectorBytes = lanes &* 4
  var greatest = FloatVector(repeating: -.greatestFiniteMagnitude)
  for index in 0..<count {
    greatest = maximum(loadFloats(columns + index &* vectorBytes), greatest)
  }
  let beta = FloatVector(repeating: beta)
  var sum = FloatVector.zero
  for index in 0..<count {
    let address = columns + index &* vectorBytes
    let power = exponential((loadFloats(address) - greatest) * beta)
    store(power, to: address)
    sum += power
  }
  switch order {
  case .sequential:
    for index in 0..<count {
      let address = columns + index &* vectorBytes
      store(loadFloats(address) / sum, to: address)
    }
  case .strided:
    let share =
      FloatVector(repeating: 1) / stridedSum(columns, count: count)
    for index in 0..<count {
      let address = columns + index &* vectorBytes
      store(loadFloats(address) * share, to: address)
    }
  }
}

/// Returns the sums of the columns, added at a distance of eight, four, two and one.
@inline(__always)
private func stridedSum(_ columns: UnsafeRawPointer, count: Int) -> FloatVector {
  @inline(__always)
  func column(_ index: Int) -> FloatVector {
    index < count ? loadFloats(columns + index &* lanes &* 4) : .zero
  }
  @inline(__always)
  func pair(_ index: Int) -> FloatVector { column(index) + column(index &+ 8) }
  @inline(__always)
  func four(_ index: Int) -> FloatVector { pair(index) + pair(index &+ 4) }
  return (four(0) + four(2)) + (four(1) + four(3))
}

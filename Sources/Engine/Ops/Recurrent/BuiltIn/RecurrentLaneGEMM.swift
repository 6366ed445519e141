import OcellusKernelABI

/// A multiplication of float rows, which need not be adjacent, by float weights, in the order of
/// LiteRT's built-in kernels.
struct RecurrentLaneGEMM: RecurrentGEMM {
  private let weights: PackedBlock
  private let bias: [Float]
  private let columns: Int
  private let rows: PatchGeometry
  private let order: LaneProduct.Order
  private let columnsPerCall: Int

  /// Plans a multiplication by `columns` rows of weights.
  init(
    _ context: PlanContext, _ purpose: String, _ rows: PatchGeometry, _ order: LaneProduct.Order,
    columns: Int, bias: [Float], filter: @autoclosure @escaping () -> [Float]
  ) {
    (self.rows, self.columns, self.bias, self.order) = (rows, columns, bias, order)
    columnsPerCall = max(Step.longestSlice / rows.depth, 1)
    weights = context.packedWeights("\(purpose), in lanes", byteCount: columns * rows.depth * 4) {
      packed in
      filter().withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: packed, count: $0.count).copyMemory(from: $0)
      }
    }
  }

  var scratchByteCount: Int { 0 }

  func multiply(
    _ input: UnsafeRawPointer, rows count: Int, to sums: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, workers: WorkersReference
  ) {
    let numbers = input.assumingMemoryBound(to: Float.self)
    let matrix = UnsafePointer(weights.base.assumingMemoryBound(to: Float.self))
    for row in 0..<count {
      let (vector, result) = (numbers + row * rows.pixelStride, sums + row * columns)
      workers.forEachSlice(of: 0..<columns, length: columnsPerCall) { slice in
        multiply(slice, of: matrix, times: vector, to: result)
      }
    }
  }

  private func multiply(
    _ slice: Range<Int>, of matrix: UnsafePointer<Float>, times vector: UnsafePointer<Float>,
    to result: UnsafeMutablePointer<Float>
  ) {
    let depth = rows.depth
    if order == .accumulated {
      for column in slice { result[column] = bias.isEmpty ? 0 : bias[column] }
      LaneProduct.accumulate(slice, of: matrix, depth: depth, times: vector, in: result)
    } else if bias.isEmpty {
      LaneProduct.forEach(slice, of: matrix, depth: depth, times: vector) { result[$0] = $1 }
    } else {
      LaneProduct.forEach(slice, of: matrix, depth: depth, times: vector) {
        result[$0] = LaneProduct.sum($1, bias[$0])
      }
    }
  }
}

extension RecurrentLaneGEMM: LSTMGateGEMM {
  static func computeCells(of step: FloatLSTMStep<Self>, _ operands: LSTMOperands) {
    step.computeExactCells(operands, adding: LaneProduct.sum)
  }
}

extension FloatLSTMStep<RecurrentLaneGEMM> {
  /// Makes a cell with float weights and the bits of LiteRT's built-in kernel.
  init?(
    _ context: PlanContext, _ spec: LSTMCellSpec, _ options: FloatLSTMCell.Options,
    _ sizes: LSTMSizes, _ layout: SequenceLayout, name: String
  ) {
    guard layout.multipliesInLanes else { return nil }
    self.init(context, spec, options, sizes, layout, name: name) { gates in
      RecurrentLaneGEMM(
        context, gates.purpose, gates.rows, .crosswise, columns: gates.columns, bias: gates.bias,
        filter: gates.filter())
    }
  }
}

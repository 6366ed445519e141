import OcellusKernelABI

extension RFFT2D {
  /// The longest transform for this step: only damaged files have longer ones, whose rows take too
  /// long without a stop.
  private static let greatestLength = 1 << 20

  /// Plans transforms of single rows, several rows at a time.
  package func plan(_ context: PlanContext) throws(ModelError) -> Step? {
    guard let input = context.inputShapes[0], let lengths = context.knownValues[1]?.integers,
      lengths[0] == 1, (2...Self.greatestLength).contains(lengths[1])
    else { return nil }
    let length = lengths[1]
    let fourier = context.kernels.fourier
    let constants = try Constants(length: length, context)
    let rowCount = input.product(of: 0..<input.rank - 2)
    let grid = WorkItemGrid(
      rows: rowCount, multipleOf: 4, columns: 1, multipleOf: 1,
      multiplyAdds: saturatingProduct(rowCount, FourierTransform.multiplyAdds(length: length)),
      threadCount: context.threadCount)
    // Kernels process four rows at a time.
    let rowsPerCall = max(Self.greatestLength / length / 4 * 4, 4)
    let scratchBytes = fourier.scratchByteCount(length)
    return Step(
      kernelName: "row transforms \(context.kernels.name)",
      scratchByteCount: scratchBytes * grid.count, itemCount: grid.count
    ) { step, item in
      step.workers.forEachSlice(of: grid[item].rows, length: rowsPerCall) { rows in
        fourier.transformRows(
          RowTransformArguments(
            input: step.input(0).assumingMemoryBound(to: Float.self),
            inputStride: input[-2] * input[-1], inputCount: input[-1],
            output: step.output(0).assumingMemoryBound(to: Float.self), rows: rows,
            length: length, roots: constants.roots, reversedIndices: constants.reversedIndices,
            scratch: step.scratch + item * scratchBytes))
      }
    }
  }
}

/// The constants of transforms of one length.
private struct Constants: @unchecked Sendable {
  // Unchecked: the pointers refer to the block, which is read-only after it is filled.
  private let block: PackedBlock
  let roots: UnsafePointer<Double>
  let reversedIndices: UnsafePointer<Int32>

  init(length: Int, _ context: PlanContext) throws(ModelError) {
    let rootBytes = length * MemoryLayout<Double>.stride
    block = try context.makeTable(
      byteCount: rootBytes + length * MemoryLayout<Int32>.stride)
    let roots = block.base.assumingMemoryBound(to: Complex<Double>.self)
    _ = FourierTransform(length: length, roots: roots)
    let indices = (block.base + rootBytes).bindMemory(to: Int32.self, capacity: length)
    let bitCount = length.trailingZeroBitCount
    for index in 0..<length {
      var reversed = 0
      for bit in 0..<bitCount where index & 1 << bit != 0 { reversed |= 1 << (bitCount - 1 - bit) }
      indices[index] = Int32(reversed)
    }
    self.roots = UnsafeRawPointer(roots).assumingMemoryBound(to: Double.self)
    reversedIndices = UnsafePointer(indices)
  }
}

import OcellusKernelABI

/// A multiplication of float rows by constant weights of a recurrent layer, plus optional biases.
protocol RecurrentGEMM: Sendable {
  var scratchByteCount: Int { get }

  /// Multiplies `count` rows, at most as many as the multiplication was planned for.
  func multiply(
    _ input: UnsafeRawPointer, rows count: Int, to sums: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, workers: WorkersReference)
}

/// A multiplication of float rows, which need not be adjacent, by float weights.
struct RecurrentFloatGEMM: RecurrentGEMM {
  private let kernel: FloatGEMM
  private let rows: PatchGeometry
  private let weights: PackedBlock
  private let columns: Int
  private let epilogue: FloatEpilogue
  private let rowsPerCall: Int

  /// Plans a multiplication by `columns` rows of weights.
  init(
    _ context: PlanContext, _ purpose: String, _ rows: PatchGeometry, columns: Int, bias: [Float],
    filter: @autoclosure @escaping () -> [Float]
  ) {
    let chosen = context.chooseFloatGEMM(
      GEMMProblem(rows, rows: rows.inputHeight, columns: columns))
    let kernel = chosen.kernel
    self.kernel = kernel
    self.rows = rows
    self.columns = columns
    epilogue = FloatEpilogue(-.infinity ... .infinity, context.numerics)
    rowsPerCall = WorkItemGrid.rowsPerCall(
      depth: rows.depth, columns: columns, multipleOf: kernel.tileRows)
    weights = context.packedWeights(
      "\(purpose), \(chosen.choice.name)", byteCount: kernel.packedByteCount(columns, rows)
    ) { packed in
      filter().withUnsafeBufferPointer { filter in
        guard let start = filter.baseAddress else { return }
        bias.withUnsafeBufferPointer { bias in
          kernel.pack(
            FloatPackingArguments(
              filter: start, bias: bias.isEmpty ? nil : bias.baseAddress, columns: columns,
              patches: rows, packed: packed))
        }
      }
    }
  }

  var scratchByteCount: Int { kernel.scratchByteCount(rows) }

  func multiply(
    _ input: UnsafeRawPointer, rows count: Int, to sums: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, workers: WorkersReference
  ) {
    workers.forEachSlice(of: 0..<count, length: rowsPerCall) { block in
      kernel.run(
        GEMMBlock(
          patches: rows, input: input, packed: weights.base, output: sums, outputStride: columns,
          rows: block, columns: 0..<columns, epilogue: epilogue, scratch: scratch))
    }
  }
}

extension PatchGeometry {
  /// Creates the rows of a recurrent layer's inputs for one GEMM.
  init(blockOf count: Int, depth: Int, _ layout: SequenceLayout) {
    self.init(matrixOf: count, depth: depth)
    pixelStride = layout.stepDistance * depth
  }
}

import OcellusKernelABI

/// Multiplications of pairs of matrices on the tuned kernels: the plan of BATCH_MATMUL, and of
/// FULLY_CONNECTED with computed weights.
///
/// A computed right matrix is packed before it is multiplied. Pairs that share one follow each
/// other, so it is packed once.
struct BatchGEMM<Kernel: PairGEMM>: Sendable {
  private let kernel: Kernel
  private let pairs: [MatrixPair]
  /// The positions of the operands that contain the left and the right matrices.
  private let positions: (left: Int, right: Int)
  /// All right matrices, packed when the step was planned, if they are constant.
  private let constants: PackedBlock?
  /// The division of a pair's rows and columns among threads, where there are few pairs.
  private let grid: WorkItemGrid
  /// The number of work items that the pairs are divided into, where there are many.
  private let pairItemCount: Int
  private let loop: WorkItemLoop<Product>

  /// One multiplication, with its packed right matrix.
  private struct Product {
    var left: UnsafeRawPointer
    var packed: UnsafeRawPointer
    var output: UnsafeMutableRawPointer
    var working: UnsafeMutableRawPointer
    var workers: WorkersReference
  }

  /// The largest right matrices that are packed, in bytes: packing cannot be stopped, and the
  /// reference kernel does without it.
  private static var maximumRightBytes: Int { 1 << 28 }

  /// Returns a step, or `nil` where panels of few columns or little depth would be mostly padding.
  ///
  /// - Precondition: pairs with the same right matrix follow each other.
  static func step(
    _ kernel: Kernel, _ products: MatrixPairs, _ context: PlanContext
  ) -> Step? {
    guard kernel.packedByteCount / 64 <= kernel.rightBytes + 1024,
      kernel.rightBytes <= maximumRightBytes
    else { return nil }
    let type = kernel.multipliesBFloat16 ? "bfloat16" : context.node.outputs[0].type.name
    return BatchGEMM(kernel, products, context).step("batch gemm \(type) \(context.kernels.name)")
  }

  private init(_ kernel: Kernel, _ products: MatrixPairs, _ context: PlanContext) {
    self.kernel = kernel
    pairs = products.pairs
    positions = products.swapsOperands ? (1, 0) : (0, 1)
    let threadCount = context.threadCount
    let multiplyAdds = saturatingProduct(products.rows, products.depth, products.columns)
    let isShared = saturatingProduct(multiplyAdds, pairs.count) > 200_000
    pairItemCount =
      isShared && threadCount > 1 && pairs.count >= 2 * threadCount ? 2 * threadCount : 1
    let grid = WorkItemGrid(
      rows: products.rows, multipleOf: kernel.tileRows, columns: products.columns,
      multipleOf: kernel.panelColumns, multiplyAdds: multiplyAdds,
      threadCount: pairItemCount == 1 ? threadCount : 1)
    self.grid = grid
    let workingByteCount = ArenaPlanner.aligned(kernel.scratchByteCount)
    loop = WorkItemLoop { product, item in
      if item > 0, product.workers.isOver { return }
      grid.forEachBlock(of: item, product.workers) { rows, columns in
        kernel.multiply(
          product.left, packed: product.packed, to: product.output, (rows, columns),
          in: product.working + item * workingByteCount)
      }
    }
    constants = context.constants[positions.right].map {
      Self.pack($0, kernel, products, context)
    }
  }

  private static func pack(
    _ right: TensorView, _ kernel: Kernel, _ products: MatrixPairs, _ context: PlanContext
  ) -> PackedBlock {
    let stride = ArenaPlanner.aligned(kernel.packedByteCount)
    let count = right.bytes.count / kernel.rightBytes
    return context.packedWeights(
      "matrices, \(kernel.choice?.name ?? "")",
      layout: [
        products.swapsOperands ? 1 : 0, products.transposesRight ? 1 : 0, products.depth,
        kernel.multipliesBFloat16 ? 1 : 0,
      ],
      byteCount: count * stride
    ) { packed in
      withUnsafeTemporaryAllocation(byteCount: kernel.scratchByteCount, alignment: 64) { scratch in
        guard let first = right.bytes.baseAddress, let scratch = scratch.baseAddress else { return }
        for index in 0..<count {
          kernel.pack(
            UnsafeRawPointer(first + index * kernel.rightBytes), to: packed + index * stride,
            in: scratch)
        }
      }
    }
  }

  // The scratch of a work item: the packed right matrix, then the scratch of the kernel.

  private var packedStride: Int { ArenaPlanner.aligned(kernel.packedByteCount) }
  private var packedByteCount: Int { constants == nil ? packedStride : 0 }
  private var workingByteCount: Int { ArenaPlanner.aligned(kernel.scratchByteCount) }
  private var itemByteCount: Int { packedByteCount + workingByteCount }

  private var scratchByteCount: Int {
    pairItemCount > 1
      ? pairItemCount * itemByteCount
      : packedByteCount + grid.count * workingByteCount
  }

  private func step(_ kernelName: String) -> Step {
    if pairItemCount == 1 {
      return Step(
        kernelName: kernelName, strategy: kernel.choice, scratchByteCount: scratchByteCount
      ) { step in
        multiply(pairs.indices, step, step.scratch, step.workers)
      }
    }
    return Step(
      kernelName: kernelName, strategy: kernel.choice, scratchByteCount: scratchByteCount,
      itemCount: pairItemCount
    ) { step, item in
      let (first, last) = (
        item * pairs.count / pairItemCount, (item + 1) * pairs.count / pairItemCount
      )
      multiply(first..<last, step, step.scratch + item * itemByteCount, nil)
    }
  }

  /// Computes some of the pairs; the threads of `workers`, if there are any, share each pair.
  private func multiply(
    _ indices: Range<Int>, _ step: StepContext, _ scratch: UnsafeMutableRawPointer,
    _ workers: WorkersReference?
  ) {
    let (left, right) = (step.input(positions.left), step.input(positions.right))
    let output = step.output(0)
    let working = scratch + packedByteCount
    var packedMatrix = -1
    for index in indices {
      if index > indices.lowerBound, step.workers.isOver { return }
      let pair = pairs[index]
      var packed = scratch
      if let constants {
        packed = constants.base + pair.right * packedStride
      } else if pair.right != packedMatrix {
        kernel.pack(right + pair.right * kernel.rightBytes, to: packed, in: working)
        packedMatrix = pair.right
      }
      let product = Product(
        left: left + pair.left * kernel.leftElementBytes, packed: UnsafeRawPointer(packed),
        output: output + pair.output * kernel.outputElementBytes, working: working,
        workers: step.workers)
      if let workers {
        workers.run(grid.count, loop, product)
      } else {
        loop.runAll(grid.count, with: product, nil)
      }
    }
  }
}

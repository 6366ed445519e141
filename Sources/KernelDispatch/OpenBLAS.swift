public import OcellusKernelABI
import OcellusPlatform

/// OpenBLAS as another float GEMM.
///
/// It is loaded at run time and on request only, so it need not be installed. OpenBLAS itself runs
/// on one thread: the engine's threads share the work, and each calls OpenBLAS for its own blocks.
public struct OpenBLAS: Sendable {
  /// The library's file, as Debian's package libopenblas0 installs it.
  public static let fileName = "libopenblas.so.0"

  /// The library, if this machine has it.
  public static let installed = OpenBLAS()

  private typealias MatrixMultiplication =
    @convention(c) @Sendable (
      _ order: Int32, _ transposesLeft: Int32, _ transposesRight: Int32, _ rows: Int32,
      _ columns: Int32, _ depth: Int32, _ alpha: Float, _ left: UnsafePointer<Float>,
      _ leftStride: Int32, _ right: UnsafePointer<Float>, _ rightStride: Int32, _ beta: Float,
      _ output: UnsafeMutablePointer<Float>, _ outputStride: Int32
    ) -> Void
  private typealias VectorProduct =
    @convention(c) @Sendable (
      _ order: Int32, _ transposes: Int32, _ rows: Int32, _ columns: Int32, _ alpha: Float,
      _ matrix: UnsafePointer<Float>, _ stride: Int32, _ vector: UnsafePointer<Float>,
      _ vectorStride: Int32, _ beta: Float, _ output: UnsafeMutablePointer<Float>,
      _ outputStride: Int32
    ) -> Void
  private typealias SetThreadCount = @convention(c) @Sendable (Int32) -> Void

  // The values of `CBLAS_ORDER` and `CBLAS_TRANSPOSE` in cblas.h.
  private static let rowMajor: Int32 = 101
  private static let plain: Int32 = 111
  private static let transposed: Int32 = 112

  private let sgemm: MatrixMultiplication
  private let sgemv: VectorProduct

  private init?() {
    guard let library = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL),
      let matrices = dlsym(library, "cblas_sgemm"),
      let vectors = dlsym(library, "cblas_sgemv"),
      let setThreadCount = dlsym(library, "openblas_set_num_threads")
    else { return nil }
    sgemm = unsafeBitCast(matrices, to: MatrixMultiplication.self)
    sgemv = unsafeBitCast(vectors, to: VectorProduct.self)
    unsafeBitCast(setThreadCount, to: SetThreadCount.self)(1)
  }

  /// The library's GEMM in place of the kernel of an instruction set.
  ///
  /// It adds in a different order, so results agree with the kernel's up to rounding.
  public var floatGEMM: FloatGEMM {
    FloatGEMM(
      // OpenBLAS has no panels; 16 columns are whole vectors and cache lines on any processor.
      panelColumns: 16, tileRows: 16,
      packedByteCount: { columns, patches in PackedMatrix.byteCount(columns, patches.depth) },
      pack: { PackedMatrix.pack($0) },
      scratchByteCount: { patches in
        patches.isMatrix ? 0 : patches.rowsPerBlock * patches.depth * MemoryLayout<Float>.stride
      },
      run: { run($0) })
  }

  private func run(_ arguments: GEMMBlock<FloatEpilogue>) {
    let patches = arguments.patches
    let matrix = PackedMatrix(arguments.packed, depth: patches.depth)
    let input = arguments.input.assumingMemoryBound(to: Float.self)
    let rowsPerBlock = patches.rowsPerBlock
    for row in stride(
      from: arguments.rows.lowerBound, to: arguments.rows.upperBound, by: rowsPerBlock)
    {
      let rows = row..<min(row + rowsPerBlock, arguments.rows.upperBound)
      if patches.isMatrix {
        multiply(
          input + row * patches.pixelStride, stride: patches.pixelStride, by: matrix,
          rows, arguments)
      } else {
        let scratch = arguments.scratch.assumingMemoryBound(to: Float.self)
        patches.copy(rows, of: input, to: scratch)
        multiply(scratch, stride: patches.depth, by: matrix, rows, arguments)
      }
    }
  }

  /// Multiplies rows that are `stride` elements apart by a range of the columns.
  private func multiply(
    _ input: UnsafePointer<Float>, stride: Int, by matrix: PackedMatrix, _ rows: Range<Int>,
    _ arguments: GEMMBlock<FloatEpilogue>
  ) {
    let columns = arguments.columns
    let weights = matrix.weights + columns.lowerBound * matrix.depth
    let output =
      arguments.output.assumingMemoryBound(to: Float.self)
      + rows.lowerBound * arguments.outputStride + columns.lowerBound
    let depth = Int32(truncatingIfNeeded: matrix.depth)
    let columnCount = Int32(truncatingIfNeeded: columns.count)
    if rows.count == 1 {
      sgemv(
        Self.rowMajor, Self.plain, columnCount, depth, 1, weights, depth, input, 1, 0, output, 1)
    } else {
      sgemm(
        Self.rowMajor, Self.plain, Self.transposed, Int32(truncatingIfNeeded: rows.count),
        columnCount, depth, 1, input, Int32(truncatingIfNeeded: stride), weights, depth, 0,
        output, Int32(truncatingIfNeeded: arguments.outputStride))
    }
    let bias = matrix.bias + columns.lowerBound
    let (minimum, maximum) = (arguments.epilogue.minimum, arguments.epilogue.maximum)
    for row in 0..<rows.count {
      let outputRow = output + row * arguments.outputStride
      for column in 0..<columns.count {
        let sum = outputRow[column] + bias[column]
        // Both comparisons are false for NaN, so it passes unchanged.
        outputRow[column] = sum < minimum ? minimum : sum > maximum ? maximum : sum
      }
    }
  }
}

extension KernelTable {
  /// Returns the same kernels with OpenBLAS's float GEMM.
  public func multiplyingFloats(with library: OpenBLAS) -> KernelTable {
    var table = self
    table.name += "+openblas"
    table.floatGEMM.strategies = [
      KernelStrategy(
        name: "openblas", refusal: { _ in nil },
        work: { KernelWork(products: Double($0.rows * $0.columns * $0.patches.depth)) },
        kernel: library.floatGEMM)
    ]
    return table
  }
}

/// The packed weights for OpenBLAS: the biases, then one row of weights per output column.
private struct PackedMatrix {
  /// The header, which holds the number of columns.
  private static let headerByteCount = 64

  let bias: UnsafePointer<Float>
  let weights: UnsafePointer<Float>
  let depth: Int

  init(_ packed: UnsafeRawPointer, depth: Int) {
    self.depth = depth
    bias = (packed + Self.headerByteCount).assumingMemoryBound(to: Float.self)
    weights = bias + packed.loadUnaligned(as: Int.self)
  }

  static func byteCount(_ columns: Int, _ depth: Int) -> Int {
    headerByteCount + columns * (depth + 1) * MemoryLayout<Float>.stride
  }

  static func pack(_ arguments: FloatPackingArguments) {
    let (columns, depth) = (arguments.columns, arguments.depth)
    arguments.packed.storeBytes(of: columns, as: Int.self)
    let bias = (arguments.packed + headerByteCount).bindMemory(
      to: Float.self, capacity: columns * (depth + 1))
    let weights = bias + columns
    for column in 0..<columns {
      bias[column] = arguments.bias?[column] ?? 0
      let source = arguments.filter + column * arguments.columnStride
      for element in 0..<depth {
        weights[column * depth + element] = source[element * arguments.depthStride]
      }
    }
  }
}

extension PatchGeometry {
  /// Whether the patches are the pixels of the input, in order.
  fileprivate var isMatrix: Bool {
    windowHeight == 1 && windowWidth == 1 && strideHeight == 1 && strideWidth == 1
      && paddingTop == 0 && paddingLeft == 0 && outputHeight == inputHeight
      && outputWidth == inputWidth
  }

  /// The number of patches per call: about a megabyte of them, which stays in the cache.
  fileprivate var rowsPerBlock: Int {
    isMatrix ? 1 << 16 : min(outputHeight * outputWidth, max((1 << 18) / max(depth, 1), 16))
  }

  /// Copies patches to the rows of a matrix (im2col), with zeros for the padding.
  fileprivate func copy(
    _ rows: Range<Int>, of input: UnsafePointer<Float>, to matrix: UnsafeMutablePointer<Float>
  ) {
    var target = matrix
    for row in rows {
      let (outputRow, x) = row.quotientAndRemainder(dividingBy: outputWidth)
      let (image, y) = outputRow.quotientAndRemainder(dividingBy: outputHeight)
      for tapRow in 0..<windowHeight {
        let inputRow = y * strideHeight - paddingTop + tapRow * dilationHeight
        for tapColumn in 0..<windowWidth {
          let inputColumn = x * strideWidth - paddingLeft + tapColumn * dilationWidth
          if (0..<inputHeight).contains(inputRow) && (0..<inputWidth).contains(inputColumn) {
            let pixel = (image * inputHeight + inputRow) * inputWidth + inputColumn
            target.update(from: input + pixel * pixelStride, count: channels)
          } else {
            target.update(repeating: 0, count: channels)
          }
          target += channels
        }
      }
    }
  }
}

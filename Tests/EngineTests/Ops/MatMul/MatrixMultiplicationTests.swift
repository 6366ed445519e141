import Foundation
import OcellusEngine
import OcellusKernelDispatch
import OcellusModelFile
import OcellusTestSupport
import Testing

@Suite struct MatrixMultiplicationTests {
  // MARK: FULLY_CONNECTED

  private func fullyConnected(
    keepsDimensions: Bool = false, activation: Int8 = 0
  ) -> ModelWriter.Options {
    .init(
      tag: BuiltinOptionsTag.fullyConnected, [0: .int8(activation), 2: .bool(keepsDimensions)])
  }

  @Test func rowsAreFlattenedUnlessDimensionsAreKept() throws {
    let operands = [
      TestTensor([2, 1, 2], [1, 2, 3, 4] as [Float]), TestTensor([1, 2], [1, 10] as [Float]),
    ]
    let flat = try run("FULLY_CONNECTED", operands, options: fullyConnected(), as: Float.self)
    #expect(flat.shape == [2, 1])
    #expect(flat.values == [21, 43])
    let kept = try run(
      "FULLY_CONNECTED", operands, version: 5, options: fullyConnected(keepsDimensions: true),
      as: Float.self)
    #expect(kept.shape == [2, 1, 1])
  }

  @Test func withoutDepthThereAreZerosAndNoBias() throws {
    let (shape, values) = try run(
      "FULLY_CONNECTED",
      [
        .init([2, 0], [] as [Float]), .init([2, 0], [] as [Float]), .init([2], [5, 6] as [Float]),
      ], options: fullyConnected(), as: Float.self)
    #expect(shape == [2, 2])
    #expect(values == [0, 0, 0, 0])
  }

  private func productOfOpenBLAS() throws -> [Float] {
    let operands = [
      TestTensor([2, 2], [1, 2, 3, 4] as [Float]), TestTensor([1, 2], [1, 10] as [Float]),
    ]
    return try run(
      "FULLY_CONNECTED", operands, options: fullyConnected(), running: .init(backend: .blas),
      as: Float.self
    ).values
  }

  @Test(.enabled(if: OpenBLAS.installed != nil, "OpenBLAS is not installed"))
  func aBackendMayBeChosen() throws {
    #expect(try productOfOpenBLAS() == [21, 43])
  }

  @Test(.enabled(if: OpenBLAS.installed == nil, "OpenBLAS is installed"))
  func aBackendThatIsNotThereIsAnError() {
    let error = #expect(throws: ModelError.self) { try productOfOpenBLAS() }
    #expect(error?.kind == .unsupported)
    #expect(error?.message.contains("libopenblas0") == true)
  }

  /// In CI, OpenBLAS must be installed, as `make test` ensures; otherwise its tests are skipped.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] == "true", "not in CI"))
  func theTestsHaveOpenBLAS() {
    #expect(OpenBLAS.installed != nil)
  }

  /// 3 · 0.5 = 1.5 rounds to 2 and -1.5 to -2, away from zero, before the zero point of 1 is added.
  @Test func quantizedSumsRoundInDoublePrecision() throws {
    let (_, values) = try run(
      "FULLY_CONNECTED",
      [
        .init([2, 1], [3, -3] as [Int8], scale: 0.5), .init([1, 1], [1] as [Int8], scale: 1),
      ], version: 4, options: fullyConnected(), scale: 1, zeroPoint: 1, as: Int8.self)
    #expect(values == [3, -1])
  }

  @Test func aBiasOfAnotherScaleIsRefused() {
    let error = #expect(throws: ModelError.self) {
      try run(
        "FULLY_CONNECTED",
        [
          .init([1, 1], [3] as [Int8], scale: 0.5), .init([1, 1], [1] as [Int8], scale: 1),
          .init([1], [1] as [Int32], scale: 0.75),
        ], version: 4, options: fullyConnected(), scale: 1, as: Int8.self)
    }
    #expect(error?.message.contains("bias") == true)
  }

  @Test func onlyHybridWeightsTakeTanh() throws {
    let input = TestTensor([1, 1], [127] as [Float])
    #expect(throws: ModelError.self) {
      try run(
        "FULLY_CONNECTED", [input, .init([1, 1], [1] as [Float])],
        options: fullyConnected(activation: 4), as: Float.self)
    }
    let (_, values) = try run(
      "FULLY_CONNECTED", [input, .init([1, 1], [1] as [Int8], scale: 0.5 / 127)], version: 3,
      options: fullyConnected(activation: 4), as: Float.self)
    #expect(abs(values[0] - 0.46211717) < 1e-6)
  }

  /// Weights may be computed, as in attention that was not fused; integer results equal the
  /// reference kernel's.
  @Test(arguments: [(1, 9, 3), (7, 64, 33), (50, 5, 100)], [false, true])
  func weightsMayBeComputed(size: (rows: Int, depth: Int, units: Int), isFloat: Bool) throws {
    var random = SeededGenerator(seed: 20)
    var operands: [TestTensor]
    if isFloat {
      operands = [
        .init([size.rows, size.depth], random.floats(size.rows * size.depth)),
        .init([size.units, size.depth], random.floats(size.units * size.depth)),
        .init([size.units], random.floats(size.units), isConstant: true),
      ]
    } else {
      func numbers(_ count: Int) -> [Int8] {
        random.bytes(count, isSigned: true).map { Int8(bitPattern: $0) }
      }
      operands = [
        .init([size.rows, size.depth], numbers(size.rows * size.depth), scale: 0.5, zeroPoint: 9),
        .init([size.units, size.depth], numbers(size.units * size.depth), scale: 0.02),
      ]
    }
    func results<Element: TensorElement>(isReference: Bool, _: Element.Type) throws -> [Element] {
      try run(
        "FULLY_CONNECTED", operands, version: 4, options: fullyConnected(activation: 1),
        scale: isFloat ? nil : 0.75, zeroPoint: -20,
        running: .init(usesReferenceKernels: isReference),
        as: Element.self
      ).values
    }
    if isFloat {
      let (tuned, plain) = (
        try results(isReference: false, Float.self), try results(isReference: true, Float.self)
      )
      #expect(zip(tuned, plain).allSatisfy { abs($0 - $1) < 1e-5 })
    } else {
      #expect(try results(isReference: false, Int8.self) == results(isReference: true, Int8.self))
    }
  }

  // MARK: BATCH_MATMUL

  private func batchMatMul(_ transposesLeft: Bool, _ transposesRight: Bool) -> ModelWriter.Options {
    .init(
      tag: BuiltinOptionsTag.batchMatMul, [0: .bool(transposesLeft), 1: .bool(transposesRight)])
  }

  /// (1 2; 3 4) · (1 10; 100 1000), where each matrix is given directly or transposed.
  @Test(arguments: [false, true], [false, true])
  func matricesMayBeTransposed(left: Bool, right: Bool) throws {
    let (shape, values) = try run(
      "BATCH_MATMUL",
      [
        .init([2, 2], left ? [1, 3, 2, 4] : [1, 2, 3, 4] as [Float]),
        .init([2, 2], right ? [1, 100, 10, 1000] : [1, 10, 100, 1000] as [Float]),
      ], options: batchMatMul(left, right), as: Float.self)
    #expect(shape == [2, 2])
    #expect(values == [201, 2010, 403, 4030])
  }

  @Test func batchesAreBroadcast() throws {
    let (shape, values) = try run(
      "BATCH_MATMUL",
      [.init([2, 1, 1, 1], [2, 3] as [Float]), .init([3, 1, 1], [1, 10, 100] as [Float])],
      options: batchMatMul(false, false), as: Float.self)
    #expect(shape == [2, 3, 1, 1])
    #expect(values == [2, 20, 200, 3, 30, 300])
  }

  /// One matrix is multiplied by many single columns, as in attention that was not fused, with the
  /// reference kernel's results.
  @Test(arguments: [false, true], [false, true])
  func columnsShareAMatrix(isTransposed: Bool, isFloat: Bool) throws {
    var random = SeededGenerator(seed: 31)
    let (batch, heads, rows, depth) = (5, 2, 19, 7)
    let matrix = isTransposed ? [1, heads, depth, rows] : [1, heads, rows, depth]
    let columns = [batch, heads, depth, 1]
    func results<Element: TensorElement>(
      _ operands: [TestTensor], isReference: Bool, _: Element.Type
    ) throws -> [Element] {
      let (shape, values) = try run(
        "BATCH_MATMUL", operands, version: 3, options: batchMatMul(isTransposed, false),
        scale: isFloat ? nil : 0.75, zeroPoint: -20,
        running: .init(usesReferenceKernels: isReference), as: Element.self)
      #expect(shape == [batch, heads, rows, 1])
      return values
    }
    if isFloat {
      let operands: [TestTensor] = [
        .init(matrix, random.floats(heads * rows * depth)),
        .init(columns, random.floats(batch * heads * depth)),
      ]
      let tuned = try results(operands, isReference: false, Float.self)
      let plain = try results(operands, isReference: true, Float.self)
      #expect(zip(tuned, plain).allSatisfy { abs($0 - $1) < 1e-5 })
    } else {
      func numbers(_ count: Int) -> [Int8] {
        random.bytes(count, isSigned: true).map { Int8(bitPattern: $0) }
      }
      let operands: [TestTensor] = [
        .init(matrix, numbers(heads * rows * depth), scale: 0.1, zeroPoint: 9),
        .init(columns, numbers(batch * heads * depth), scale: 0.02, zeroPoint: -3),
      ]
      #expect(
        try results(operands, isReference: false, Int8.self)
          == results(operands, isReference: true, Int8.self))
    }
  }

  /// One constant 8-bit matrix multiplies the rows of all float matrices, with the reference
  /// kernel's results.
  @Test(arguments: [[5, 3, 40], [1, 2, 33], [4, 1, 1, 17], [2, 3, 4, 24]], [false, true])
  func rowsMeetAConstantMatrixOfBytes(shape: [Int], isTransposed: Bool) throws {
    var random = SeededGenerator(seed: 32)
    let (depth, columns) = (shape[shape.count - 1], 19)
    for isAsymmetric in [false, true] {
      let bytes = random.bytes(depth * columns, isSigned: true).map { Int8(bitPattern: $0) }
      let operands: [TestTensor] = [
        .init(shape, random.floats(shape.reduce(1, *))),
        .init(
          isTransposed ? [columns, depth] : [depth, columns], bytes, scale: 0.02,
          isConstant: true),
      ]
      let options = ModelWriter.Options(
        tag: BuiltinOptionsTag.batchMatMul, [1: .bool(isTransposed), 2: .bool(isAsymmetric)])
      let results = try [false, true].map { isReference in
        try run(
          "BATCH_MATMUL", operands, version: 4, options: options,
          running: .init(usesReferenceKernels: isReference), as: Float.self
        ).values
      }
      #expect(results[0] == results[1])
    }
  }

  /// Several constant 8-bit matrices, as in a grouped layer, multiply floats with the reference
  /// kernel's results, also where the official kernel uses the scales of other rows.
  @Test(arguments: [
    ([8, 1, 33], [8, 33, 20]), ([8, 5, 16], [8, 16, 3]), ([2, 3, 4, 24], [2, 1, 24, 19]),
    ([2, 3, 1, 24], [2, 3, 24, 70]), ([3, 1, 40], [4, 3, 40, 17]), ([2, 1, 7, 9], [1, 5, 9, 130]),
  ])
  func rowsMeetSeveralConstantMatricesOfBytes(left: [Int], right: [Int]) throws {
    var random = SeededGenerator(seed: UInt64(right.reduce(1, *)))
    let bytes = random.bytes(right.reduce(1, *), isSigned: true).map { Int8(bitPattern: $0) }
    for isTransposed in [false, true] {
      let shape =
        isTransposed ? right.dropLast(2) + [right[right.count - 1], right[right.count - 2]] : right
      for isAsymmetric in [false, true] {
        let operands: [TestTensor] = [
          .init(left, random.floats(left.reduce(1, *))),
          .init(shape, bytes, scale: 0.02, isConstant: true),
        ]
        let options = ModelWriter.Options(
          tag: BuiltinOptionsTag.batchMatMul, [1: .bool(isTransposed), 2: .bool(isAsymmetric)])
        let results = try [
          Interpreter.Options(usesReferenceKernels: true), .init(), .init(threads: 2),
        ].map {
          try run(
            "BATCH_MATMUL", operands, version: 4, options: options, running: $0, as: Float.self
          ).values
        }
        #expect(results[0] == results[1])
        #expect(results[0] == results[2])
      }
    }
  }

  @Test func integersMayStayWhole() throws {
    let (_, values) = try run(
      "BATCH_MATMUL",
      [
        .init([1, 2], [-128, 127] as [Int8], scale: 0.1, zeroPoint: 5),
        .init([2, 1], [-128, 127] as [Int8], scale: 0.1, zeroPoint: 5),
      ], version: 3, options: batchMatMul(false, false), as: Int32.self)
    let sum: Int32 = 128 * 128 + 127 * 127
    #expect(values == [sum])
  }

  @Test func hybridMatricesWithoutDepthAreZero() throws {
    let (_, values) = try run(
      "BATCH_MATMUL",
      [.init([2, 0], [] as [Float]), .init([0, 2], [] as [Int8], scale: 1)], version: 4,
      options: batchMatMul(false, false), as: Float.self)
    #expect(values == [0, 0, 0, 0])
  }
}

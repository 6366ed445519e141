import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Float GEMMs, checked against sums in double precision.
///
/// Tables with fused multiply-add agree bit for bit, and blocks change nothing.
@Suite struct FloatGEMMTests {
  struct Problem {
    var geometry: PatchGeometry
    var images: Int
    var columns: Int
    var input: [Float]
    var filter: [Float]
    var bias: [Float]
    var rows: Int { images * geometry.outputHeight * geometry.outputWidth }
    var minimum: Float = -2
    var maximum: Float = 2.5

    init(_ geometry: PatchGeometry, images: Int = 1, columns: Int, seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      self.geometry = geometry
      self.images = images
      self.columns = columns
      input = random.floats(
        images * geometry.inputHeight * geometry.inputWidth * geometry.pixelStride)
      filter = random.floats(columns * geometry.depth)
      bias = random.floats(columns)
    }

    /// Returns the sums in the precision of `Value`, with the bias added last, or the sums of the
    /// terms' magnitudes, which bound the rounding.
    func sums<Value: BinaryFloatingPoint>(
      _: Value.Type, ofMagnitudes: Bool = false
    ) -> [Value] {
      var sums: [Value] = []
      for row in 0..<rows {
        let taps = geometry.taps(of: row)
        for column in 0..<columns {
          var sum: Value = 0
          func add(_ term: Value) { sum += ofMagnitudes ? abs(term) : term }
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            for channel in 0..<geometry.channels {
              let weight = filter[column * geometry.depth + tap * geometry.channels + channel]
              add(Value(input[place + channel]) * Value(weight))
            }
          }
          add(Value(bias[column]))
          sums.append(sum)
        }
      }
      return sums
    }

    func clamped<Value: BinaryFloatingPoint>(_ sum: Value) -> Value {
      min(max(sum, Value(minimum)), Value(maximum))
    }

    func run(
      _ gemm: FloatGEMM, numerics: Numerics = .fast, rowBlock: Int = .max,
      panelBlock: Int = .max
    ) -> [Float] {
      let input = GuardedMemory(self.input)
      let filter = GuardedMemory(self.filter)
      let bias = GuardedMemory(self.bias)
      let packed = GuardedMemory<UInt8>(
        count: gemm.packedByteCount(columns, geometry), filledWith: 0xFF)
      gemm.pack(
        FloatPackingArguments(
          filter: filter.start, bias: bias.start, columns: columns, patches: geometry,
          packed: packed.start))
      let scratch = GuardedMemory<UInt8>(count: gemm.scratchByteCount(geometry), filledWith: 0xFF)
      let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
      forEachBlock(
        rows: rows, columns: columns, rowBlock,
        panelBlock == .max ? columns : panelBlock * gemm.panelColumns
      ) {
        gemm.run(
          GEMMBlock(
            patches: geometry, input: input.start, packed: packed.start, output: output.start,
            outputStride: columns, rows: $0, columns: $1,
            epilogue: FloatEpilogue(minimum: minimum, maximum: maximum, numerics: numerics),
            scratch: scratch.start))
      }
      return output.elements
    }

    /// Returns a check of results: each of n additions and multiplications errs by at most half a
    /// unit in the last place, in whatever order.
    func closeness() -> ([Float]) -> Bool {
      let exact = sums(Double.self)
      let magnitudes = sums(Double.self, ofMagnitudes: true)
      let bound = Double(geometry.depth + 2) * 0x1p-24
      return { got in
        got.indices.allSatisfy {
          abs(Double(got[$0]) - clamped(exact[$0])) <= bound * magnitudes[$0] + 1e-30
        }
      }
    }

    /// Checks that all strategies that accept the problem are accurate and give the same bits.
    func check(_ what: String) {
      let isClose = closeness()
      let plain = sums(Float.self).map { clamped($0).bitPattern }
      let seen = GEMMProblem(geometry, rows: rows, columns: columns)
      var fused: [UInt32]?
      for table in tables {
        var first: [UInt32]?
        for strategy in table.floatGEMM.accepting(seen) {
          let what = "\(what): \(strategy.name) on \(table.name)"
          let gemm = strategy.kernel
          let got = run(gemm)
          #expect(isClose(got), "\(what)")
          #expect(run(gemm, rowBlock: 5, panelBlock: 1) == got, "\(what) in blocks")
          let rounded = run(gemm, numerics: .exact).map(\.bitPattern)
          #expect(rounded == plain, "\(what): rounded products")
          let bits = got.map(\.bitPattern)
          #expect(first == nil || first == bits, "\(what) differs in bits from other strategies")
          first = bits
        }
        guard table.name != "baseline" else { continue }
        #expect(fused == nil || fused == first, "\(what): \(table.name) differs in bits")
        fused = first
      }
    }
  }

  /// Calls `check` for matrices of all pairs of awkward sizes.
  static func forEachMatrix(_ check: (Problem, _ title: String) -> Void) {
    for (index, depth) in awkwardSizes.enumerated() {
      for (other, columns) in awkwardSizes.enumerated() {
        let seed = UInt64(index * 100 + other)
        let rows = awkwardSizes[(index + other) % 17]
        check(
          Problem(PatchGeometry(matrixOf: rows, depth: depth), columns: columns, seed: seed),
          "\(rows) × \(depth) × \(columns), seed \(seed)")
      }
    }
  }

  /// Calls `check` for convolutions of one and of two images.
  static func forEachConvolution(_ check: (Problem, _ title: String) -> Void) {
    for (index, geometry) in convolutionGeometries.enumerated() {
      let columns = awkwardSizes[index % awkwardSizes.count]
      check(
        Problem(geometry, images: 1 + index % 2, columns: columns, seed: UInt64(index)),
        "\(geometry.description), \(columns) columns, seed \(index)")
    }
  }

  @Test func matricesOfAwkwardSizes() { Self.forEachMatrix { $0.check($1) } }

  @Test func convolutions() { Self.forEachConvolution { $0.check($1) } }

  /// OpenBLAS adds in its own order, so its results are close, but have other bits.
  @Test(.enabled(if: OpenBLAS.installed != nil, "OpenBLAS is not installed"))
  func openBLASIsAsClose() throws {
    let gemm = try #require(OpenBLAS.installed).floatGEMM
    for (index, geometry) in convolutionGeometries.enumerated() {
      let columns = awkwardSizes[index % awkwardSizes.count]
      let problem = Problem(geometry, images: 1 + index % 2, columns: columns, seed: UInt64(index))
      let isClose = problem.closeness()
      #expect(isClose(problem.run(gemm)), "\(geometry.description), \(columns) columns")
      #expect(
        isClose(problem.run(gemm, rowBlock: 4, panelBlock: 1)),
        "\(geometry.description), \(columns) columns in blocks")
    }
    for depth in awkwardSizes {
      let problem = Problem(
        PatchGeometry(matrixOf: depth % 11 + 1, depth: depth), columns: 33, seed: UInt64(depth))
      #expect(problem.closeness()(problem.run(gemm)), "\(depth) × 33")
    }
  }

  /// Row-major weights, as computed right-hand sides are, are packed to the same panels.
  @Test func weightsInRowsPackLikeWeightsInColumns() {
    for depth in awkwardSizes.prefix(8) {
      for columns in awkwardSizes {
        var random = SeededGenerator(seed: UInt64(depth * 1000 + columns))
        let byColumns = random.floats(columns * depth)
        var byRows = [Float](repeating: 0, count: columns * depth)
        for column in 0..<columns {
          for element in 0..<depth {
            byRows[element * columns + column] = byColumns[column * depth + element]
          }
        }
        let (first, second) = (GuardedMemory(byColumns), GuardedMemory(byRows))
        let patches = PatchGeometry(matrixOf: 1, depth: depth)
        let strategies = tables.flatMap { $0.floatGEMM.strategies + $0.bfloat16GEMM.strategies }
        for gemm in strategies.map(\.kernel) {
          func packed(_ arguments: (UnsafeMutableRawPointer) -> FloatPackingArguments) -> [UInt8] {
            let memory = GuardedMemory<UInt8>(
              count: gemm.packedByteCount(columns, patches), filledWith: 0xFF)
            gemm.pack(arguments(memory.start))
            return memory.elements
          }
          let expected = packed {
            FloatPackingArguments(
              filter: first.start, bias: nil, columns: columns, patches: patches, packed: $0)
          }
          let got = packed {
            var arguments = FloatPackingArguments(
              filter: second.start, bias: nil, columns: columns, patches: patches, packed: $0)
            (arguments.columnStride, arguments.depthStride) = (1, columns)
            return arguments
          }
          #expect(got == expected, "\(depth) × \(columns)")
        }
      }
    }
  }

  /// Windows over long rows with so few columns that lanes may be pixels (transposed operands).
  @Test func fewColumns() {
    for columns in 1...9 {
      for (channels, kernel, stride, step) in [
        (3, 3, 1, 1), (4, 5, 1, 1), (1, 2, 2, 1), (8, 3, 1, 1), (3, 3, 2, 2), (1, 3, 1, 2),
        (2, 4, 1, 3), (5, 2, 3, 4),
      ] {
        var geometry = PatchGeometry(inputHeight: 5, inputWidth: 68, channels: channels)
        geometry.windowHeight = kernel
        geometry.windowWidth = kernel
        geometry.strideHeight = stride
        geometry.strideWidth = step
        geometry.paddingTop = kernel / 2
        geometry.paddingLeft = kernel / 2
        geometry.outputHeight = (5 + 2 * (kernel / 2) - kernel) / stride + 1
        geometry.outputWidth = (68 + 2 * (kernel / 2) - kernel) / step + 1
        Problem(geometry, images: 2, columns: columns, seed: UInt64(columns))
          .check("\(geometry.description), \(columns) columns")
      }
    }
  }
  /// Deep windows with few columns, where lanes may be rows; some image rows have too few pixels.
  @Test func fewColumnsOfDeepWindows() {
    for columns in 1...9 {
      for (width, channels, kernel) in [
        (70, 33, 3), (16, 18, 3), (35, 64, 1), (9, 20, 3), (33, 17, 2),
      ] {
        var geometry = PatchGeometry(inputHeight: 3, inputWidth: width, channels: channels)
        geometry.windowHeight = kernel
        geometry.windowWidth = kernel
        geometry.paddingTop = kernel / 2
        geometry.paddingLeft = kernel / 2
        geometry.outputHeight = 3 + 2 * (kernel / 2) - kernel + 1
        geometry.outputWidth = width + 2 * (kernel / 2) - kernel + 1
        Problem(geometry, images: 2, columns: columns, seed: UInt64(10 + columns))
          .check("\(geometry.description), \(columns) columns")
      }
    }
  }
}

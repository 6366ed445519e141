import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// The float matrix product against sums in double precision, and against itself: tables with
/// fused multiply-add agree bit for bit, and blocks change nothing.
@Suite struct FloatGEMMTests {
  struct Problem {
    var geometry: PatchGeometry
    var images: Int
    var columns: Int
    var input: [Float]
    var filter: [Float]
    var bias: [Float]
    var rows: Int { images * geometry.outputHeight * geometry.outputWidth }
    let minimum: Float = -2
    let maximum: Float = 2.5

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

    /// The sums of a row and the sums of their terms' magnitudes, which bound the rounding.
    func exact() -> [(value: Double, magnitude: Double)] {
      var sums: [(Double, Double)] = []
      for row in 0..<rows {
        let taps = geometry.taps(of: row)
        for column in 0..<columns {
          var sum = Double(bias[column]), magnitude = abs(sum)
          for (tap, place) in taps.enumerated() {
            guard let place else { continue }
            for channel in 0..<geometry.channels {
              let weight = filter[column * geometry.depth + tap * geometry.channels + channel]
              let term = Double(input[place + channel]) * Double(weight)
              sum += term
              magnitude += abs(term)
            }
          }
          sums.append((min(max(sum, Double(minimum)), Double(maximum)), magnitude))
        }
      }
      return sums
    }

    func run(_ gemm: FloatGEMM, rowBlock: Int = .max, panelBlock: Int = .max) -> [Float] {
      let input = GuardedMemory(self.input), filter = GuardedMemory(self.filter)
      let bias = GuardedMemory(self.bias)
      let packed = GuardedMemory<UInt8>(
        count: gemm.packedByteCount(columns, geometry.depth), filledWith: 0xFF)
      gemm.pack(
        FloatPackingArguments(
          filter: filter.start, bias: bias.start, columns: columns, depth: geometry.depth,
          packed: packed.start))
      let scratch = GuardedMemory<UInt8>(count: gemm.scratchByteCount(geometry), filledWith: 0xFF)
      let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
      let rowStep = min(rowBlock, rows)
      let columnStep = panelBlock == .max ? columns : panelBlock * gemm.panelColumns
      for row in stride(from: 0, to: rows, by: rowStep) {
        for column in stride(from: 0, to: columns, by: columnStep) {
          gemm.run(
            FloatGEMMArguments(
              patches: geometry, input: input.start, packed: packed.start, output: output.start,
              outputStride: columns, rows: row..<min(row + rowStep, rows),
              columns: column..<min(column + columnStep, columns), minimum: minimum,
              maximum: maximum, scratch: scratch.start))
        }
      }
      return output.elements
    }

    func check(_ what: String) {
      let exact = exact()
      var fused: [UInt32]?
      for table in tables {
        let got = run(table.floatGEMM)
        // Each of n additions and products errs by at most half a unit in the last place.
        let bound = Double(geometry.depth + 2) * 0x1p-24
        let isClose = zip(got, exact).allSatisfy {
          abs(Double($0) - $1.value) <= bound * $1.magnitude + 1e-30
        }
        #expect(isClose, "\(what) on \(table.name)")
        #expect(
          run(table.floatGEMM, rowBlock: 5, panelBlock: 1) == got,
          "\(what) in blocks on \(table.name)")
        guard table.name != "baseline" else { continue }
        let bits = got.map(\.bitPattern)
        #expect(fused == nil || fused == bits, "\(what): \(table.name) differs in bits")
        fused = bits
      }
    }
  }

  @Test func matricesOfAwkwardSizes() {
    for (index, depth) in awkwardSizes.enumerated() {
      for (other, columns) in awkwardSizes.enumerated() {
        let seed = UInt64(index * 100 + other)
        let rows = awkwardSizes[(index + other) % 17]
        Problem(PatchGeometry(matrixOf: rows, depth: depth), columns: columns, seed: seed)
          .check("\(rows) × \(depth) × \(columns), seed \(seed)")
      }
    }
  }

  @Test func convolutions() {
    for (index, geometry) in convolutionGeometries.enumerated() {
      let columns = awkwardSizes[index % awkwardSizes.count]
      Problem(geometry, images: 1 + index % 2, columns: columns, seed: UInt64(index))
        .check("\(geometry.description), \(columns) columns, seed \(index)")
    }
  }
}

import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Float Winograd convolutions, checked against sums in double precision and between tables.
@Suite struct FloatWinogradTests {
  private typealias Problem = FloatGEMMTests.Problem

  private static let sizes = [
    (2, 2, 16, 16), (2, 5, 17, 24), (3, 2, 16, 17), (5, 4, 21, 31), (6, 9, 40, 16),
    (7, 7, 64, 21), (11, 16, 18, 40), (23, 31, 16, 19), (9, 20, 130, 33), (8, 8, 400, 16),
  ]

  @Test func convolutions() {
    for (seed, (height, width, channels, columns)) in Self.sizes.enumerated() {
      let geometry = winogradGeometry(
        height, width, channels: channels, padding: seed % 3, pixelStride: channels + seed % 3)
      check(Problem(geometry, images: 1 + seed % 2, columns: columns, seed: UInt64(seed)))
    }
  }

  /// Dilated 3×3 windows.
  @Test func dilatedWindows() {
    for (seed, (height, width, dilation)) in dilatedExtents.enumerated() {
      let geometry = winogradGeometry(
        height, width, channels: 18, padding: dilation - seed % 2, dilation: dilation)
      check(Problem(geometry, images: 1 + seed % 2, columns: 19, seed: UInt64(seed)))
    }
  }

  /// Checks that all instruction sets have the same bits, for every division into blocks.
  private func check(_ clamped: Problem) {
    var problem = clamped
    (problem.minimum, problem.maximum) = (-.infinity, .infinity)
    let sums = problem.sums(Double.self)
    let magnitudes = problem.sums(Double.self, ofMagnitudes: true)
    let width = problem.geometry.outputWidth
    var first: [UInt32]?
    for table in tables {
      guard let kernel = table.floatWinograd else {
        // All other tables have fused multiply-add.
        #expect(table.name == "baseline")
        continue
      }
      let what = "\(problem.geometry.description), \(problem.columns) columns, \(table.name)"
      let got = problem.run(kernel)
      #expect(
        got.indices.allSatisfy { abs(Double(got[$0]) - sums[$0]) <= 1e-6 * magnitudes[$0] },
        "\(what)")
      let bits = got.map(\.bitPattern)
      #expect(bits == first ?? bits, "\(what)")
      first = bits
      #expect(problem.run(kernel, rowBlock: 3 * width, panelBlock: 1) == got, "\(what)")
      #expect(problem.run(kernel, rowBlock: width, panelBlock: 2) == got, "\(what)")
      #expect(clamped.run(kernel) == got.map { clamped.clamped($0) }, "\(what)")
    }
  }
}

import OcellusEngine
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusPlatform
import OcellusTestSupport
import Testing

/// Affine tables, checked against the 256-byte tables that they replace.
@Suite struct AffineTableTests {
  /// A rounded affine function from one quantization to another, optionally with a bend.
  private struct Line {
    var argument, result: ElementType
    var slope: Double
    /// The slope below the argument's zero point, as a ratio to the slope above it.
    var functionBelow = 1.0
    /// The precision to which results are rounded first, as the official fixed-point multiplication
    /// does for small slopes; rounding twice moves ties on both sides away from zero.
    var precision = 1.0
    var zeroPoints: (argument: Int, result: Int)

    init(slope: Double, isBent: Bool, _ random: inout SeededGenerator) {
      argument = Bool.random(using: &random) ? .int8 : .uint8
      result = Bool.random(using: &random) ? .int8 : .uint8
      self.slope = slope
      if isBent { functionBelow = .random(in: 0...1.5, using: &random) }
      if slope < 0.5 { precision = 1 / Double(1 << Int.random(in: 0...3, using: &random)) }
      func zeroPoint(_ type: ElementType) -> Int {
        Int.random(in: type == .int8 ? -128...127 : 0...255, using: &random)
      }
      zeroPoints = (zeroPoint(argument), zeroPoint(result))
    }

    var table: ByteTable {
      ByteTable(of: argument, to: result) { argument in
        let steps = Double(argument - zeroPoints.argument)
        let real = steps * slope * (steps < 0 ? functionBelow : 1)
        return Int(((real / precision).rounded() * precision).rounded()) + zeroPoints.result
      }
    }
  }

  /// The kernels that prefer affine tables, also those chosen for a processor without VBMI.
  private static let kernels = KernelChoice(
    features: CPUFeatures.current.subtracting(.vbmi), requested: nil
  ).candidates.compactMap(\.table?.elementwise).filter(\.prefersAffineTables)

  private func check(_ affineTable: AffineTable, _ table: ByteTable, _ comment: Comment) {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    for kernels in Self.kernels {
      var results = [UInt8](repeating: 0, count: bytes.count)
      kernels.lookUp(
        LookUpArguments(
          input: bytes, table: table.entries, affineTable: affineTable, output: &results,
          count: bytes.count))
      #expect(results == bytes.map { table.entries[Int($0)] }, comment)
    }
  }

  @Test(arguments: [false, true])
  func roundedLinesAreFound(isBent: Bool) throws {
    var random = SeededGenerator(seed: isBent ? 1 : 2)
    for _ in 0..<200 {
      // The slopes lie between 1/64 and 32, or 4 where a bend may make the function flat below it.
      let slope =
        Double.random(in: 1..<2, using: &random)
        * Double(1 << Int.random(in: 0..<(isBent ? 8 : 11), using: &random)) / 64
      let line = Line(slope: slope, isBent: isBent, &random)
      let found = try #require(
        AffineTable(
          line.table, from: line.argument, to: line.result, zeroPoint: line.zeroPoints.argument),
        "\(line)")
      check(found, line.table, "\(line)")
    }
  }

  @Test
  func constantsAndLinesDownwardsAreLines() throws {
    let constant = ByteTable(of: .int8) { _ in 7 }
    check(
      try #require(AffineTable(constant, from: .int8, to: .int8, zeroPoint: 0)), constant,
      "constant")
    for start in stride(from: 1, through: 509, by: 4) {
      let downwards = ByteTable(of: .uint8) { start - $0 }
      check(
        try #require(AffineTable(downwards, from: .uint8, to: .uint8, zeroPoint: 99)), downwards,
        "from \(start) down")
    }
  }

  /// A file may contain any number as a zero point.
  @Test(arguments: [Int.min, Int.max])
  func zeroPointsOutOfRangeAreNoBends(zeroPoint: Int) throws {
    let line = ByteTable(of: .int8) { $0 >> 1 }
    let found = try #require(
      AffineTable(line, from: .int8, to: .int8, zeroPoint: zeroPoint))
    check(found, line, "\(zeroPoint)")
  }

  /// A square and noise must not be taken for affine functions.
  @Test
  func otherTablesAreNot() {
    let square = ByteTable(of: .int8) { $0 * $0 / 128 }
    #expect(AffineTable(square, from: .int8, to: .int8, zeroPoint: 0) == nil)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let noise = ByteTable(entries: random.bytes(256, isSigned: false))
      #expect(AffineTable(noise, from: .uint8, to: .uint8, zeroPoint: 99) == nil)
    }
  }
}

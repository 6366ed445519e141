import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Quantized Winograd convolutions, checked against the quantization specification in 64 bits.
///
/// Float results have the bits of the im2col GEMM.
@Suite struct QuantizedWinogradTests {
  typealias Problem = QuantizedGEMMTests.Problem

  private static let sizes = [(2, 2), (2, 5), (3, 2), (5, 4), (6, 9), (7, 7), (11, 16)]

  @Test(arguments: tables.indices)
  func convolutions(table: Int) {
    var seed: UInt64 = 0
    for (height, width) in Self.sizes {
      for (channels, columns) in [(16, 16), (18, 24), (24, 17), (40, 9), (34, 3), (64, 40)] {
        let geometry = winogradGeometry(
          height, width, channels: channels, padding: Int(seed % 3),
          pixelStride: channels + 2 * Int(seed % 2))
        Problem(
          geometry, images: 1 + Int(seed % 2), columns: columns, seed: seed,
          shifts: seed % 4 == 0 ? -3...2 : -12 ... -3
        ).checkAll(
          tables[table], only: "winograd",
          "\(geometry.description), \(columns) columns, seed \(seed)")
        seed += 1
      }
    }
  }

  /// Dilated 3×3 windows.
  @Test(arguments: tables.indices)
  func dilatedWindows(table: Int) {
    for (seed, (height, width, dilation)) in dilatedExtents.enumerated() {
      let geometry = winogradGeometry(
        height, width, channels: 18, padding: dilation - seed % 2, dilation: dilation)
      Problem(geometry, images: 1 + seed % 2, columns: 19, seed: UInt64(seed))
        .checkAll(tables[table], only: "winograd", "\(geometry.description), seed \(seed)")
    }
  }

  /// More tiles than are multiplied at once, and so many channels that only few tiles are.
  @Test(arguments: tables.indices)
  func manyTiles(table: Int) {
    for (seed, (height, width, channels)) in [(23, 31, 16), (9, 20, 130), (8, 8, 400)].enumerated()
    {
      let geometry = winogradGeometry(height, width, channels: channels, padding: 1)
      Problem(geometry, columns: 19, seed: UInt64(seed))
        .checkAll(tables[table], only: "winograd", "\(geometry.description), seed \(seed)")
    }
  }

  /// Operands with the greatest sums and differences, with the most channels that are accepted.
  @Test(arguments: tables.indices, [0x7F, 0x80, 0xFF, 0x00] as [UInt8])
  func extremes(table: Int, byte: UInt8) {
    for seed in 0..<8 as Range<UInt64> {
      var problem = Problem(
        winogradGeometry(4, 4, channels: 458, padding: 1), columns: 16, seed: seed)
      problem.filterBytes = problem.filterBytes.map { $0 & 1 == 0 ? byte : ~byte }
      problem.inputBytes = problem.inputBytes.map { $0 & 3 == 0 ? byte : ~byte }
      problem.shifts = problem.shifts.map { $0 - 8 }
      problem.checkAll(tables[table], only: "winograd", "bytes of \(byte), seed \(seed)")
      problem.filterBytes = problem.filterBytes.map { _ in byte }
      problem.inputBytes = problem.inputBytes.map { _ in byte }
      problem.checkAll(tables[table], only: "winograd", "all \(byte), seed \(seed)")
    }
  }

  /// The method refuses problems that it cannot compute exactly, or not at all.
  @Test(arguments: tables.indices)
  func whatIsRefused(table: Int) {
    guard let winograd = tables[table].winograd else { return }
    let unsigned = QuantizedFormat(isSigned: false, zeroPoint: 3)
    func refusal(
      _ geometry: PatchGeometry, filter: QuantizedFormat = .init(isSigned: true, zeroPoint: 0),
      _ change: (inout GEMMProblem) -> Void = { _ in }
    ) -> StrategyRefusal? {
      var problem = GEMMProblem(
        geometry, rows: geometry.outputHeight * geometry.outputWidth, columns: 64, filter: filter,
        results: .bytes)
      change(&problem)
      return winograd.refusal(problem)
    }
    let usual = winogradGeometry(20, 20, channels: 64, padding: 1)
    #expect(refusal(usual) == nil && refusal(usual, filter: unsigned) == nil)
    #expect(refusal(winogradGeometry(20, 20, channels: 914, padding: 1)) == .sumsMayOverflow)
    #expect(
      refusal(winogradGeometry(20, 20, channels: 460, padding: 1), filter: unsigned)
        == .sumsMayOverflow
    )
    #expect(refusal(winogradGeometry(20, 20, channels: 17, padding: 1)) == .oddChannels)
    #expect(refusal(winogradGeometry(1, 400, channels: 64, padding: 1)) == .smallOutput)
    var other = usual
    other.strideWidth = 2
    #expect(refusal(other) == .strideTooLong)
    #expect(refusal(usual) { $0.isRowByRow = true } == .computedRowByRow)
    #expect(refusal(usual) { $0.results = .sums } == .wantsUnscaledSums)
    #expect(refusal(usual) { $0.results = .bytesOfRealScales } == .doublePrecisionScales)
    // The 2×2 outputs of a tile lie as far apart as taps do, and must fit into the output.
    #expect(refusal(winogradGeometry(20, 20, channels: 64, padding: 9, dilation: 10)) == nil)
    #expect(
      refusal(winogradGeometry(20, 20, channels: 64, padding: 9, dilation: 11)) == .smallOutput)
  }

  @Test(arguments: tables.indices, [HybridOrder.scales, .sumAndColumn])
  func floats(table: Int, order: HybridOrder) {
    for (seed, (height, width)) in Self.sizes.enumerated() {
      var problem = Problem(
        winogradGeometry(height, width, channels: 32, padding: 1), columns: 21, seed: UInt64(seed))
      problem.input.isSigned = true
      problem.filter = QuantizedFormat(isSigned: true, zeroPoint: 0)
      problem.input.zeroPoint = Int32(seed) * 17 - 50
      guard let (got, want) = problem.floats(tables[table], order) else { return }
      #expect(got == want, "\(height)×\(width), seed \(seed)")
    }
  }
}

extension KernelTable {
  fileprivate var winograd: KernelStrategy<GEMMProblem, QuantizedGEMM>? {
    quantizedGEMM.strategies.first { $0.name == "winograd" }
  }
}

extension QuantizedGEMMTests.Problem {
  /// The bits of float results from Winograd's method and from im2col.
  fileprivate func floats(
    _ table: KernelTable, _ order: HybridOrder
  ) -> (winograd: [UInt32], product: [UInt32])? {
    guard let winograd = table.winograd,
      let gathered = table.quantizedGEMM.strategies.first(where: { $0.name == "im2col" })
    else { return nil }
    return (floats(winograd.kernel, order), floats(gathered.kernel, order))
  }

  private func floats(_ kernel: QuantizedGEMM, _ order: HybridOrder) -> [UInt32] {
    let scales = GuardedMemory((0..<columns).map { 0.001 + Float($0) / 300 })
    let bias = GuardedMemory((0..<columns).map { Float($0) / 7 - 1 })
    let rounding = GuardedMemory(
      count: 1, filledWith: RowQuantization(scale: 0.037, zeroPoint: input.zeroPoint))
    let input = GuardedMemory(inputBytes)
    let filter = GuardedMemory(filterBytes)
    let packed = GuardedMemory<UInt8>(
      count: kernel.packedByteCount(columns, geometry), filledWith: 0xAA)
    kernel.pack(
      QuantizedPackingArguments(
        filter: filter.start, filterFormat: self.filter, inputFormat: self.filter, bias: nil,
        requantization: .hybrid(scales: scales.start, bias: bias.start), columns: columns,
        patches: geometry, packed: packed.start))
    let scratch = GuardedMemory<UInt8>(count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
    let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
    forEachBlock(
      rows: rows, columns: columns, 2 * geometry.outputWidth, kernel.panelColumns
    ) {
      kernel.run(
        GEMMBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          outputStride: columns, rows: $0, columns: $1,
          epilogue: QuantizedEpilogue(
            inputFormat: self.input, range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
            hybrid: HybridScaling(
              rows: rounding.start, stride: 0, order: order, minimum: -90, maximum: 90)),
          scratch: scratch.start))
    }
    return output.elements.map(\.bitPattern)
  }
}

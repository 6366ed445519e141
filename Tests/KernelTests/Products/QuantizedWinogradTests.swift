import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// Winograd's convolutions against the formula of the quantization specification, term by term in 64 bits; floats, bit
/// for bit, against those of the matrix product.
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
        ).check(tables[table], "\(geometry.description), \(columns) columns, seed \(seed)")
        seed += 1
      }
    }
  }

  /// Windows whose taps are apart.
  @Test(arguments: tables.indices)
  func dilatedWindows(table: Int) {
    for (seed, (height, width, dilation)) in dilatedExtents.enumerated() {
      let geometry = winogradGeometry(
        height, width, channels: 18, padding: dilation - seed % 2, dilation: dilation)
      Problem(geometry, images: 1 + seed % 2, columns: 19, seed: UInt64(seed))
        .check(tables[table], "\(geometry.description), seed \(seed)")
    }
  }

  /// More tiles than are multiplied at once, and channels of which few are.
  @Test(arguments: tables.indices)
  func manyTiles(table: Int) {
    for (seed, (height, width, channels)) in [(23, 31, 16), (9, 20, 130), (8, 8, 400)].enumerated()
    {
      let geometry = winogradGeometry(height, width, channels: channels, padding: 1)
      Problem(geometry, columns: 19, seed: UInt64(seed))
        .check(tables[table], "\(geometry.description), seed \(seed)")
    }
  }

  /// The numbers whose sums and differences are the greatest, with the most channels that there may be.
  @Test(arguments: tables.indices, [0x7F, 0x80, 0xFF, 0x00] as [UInt8])
  func extremes(table: Int, byte: UInt8) {
    for seed in 0..<8 as Range<UInt64> {
      var problem = Problem(
        winogradGeometry(4, 4, channels: 458, padding: 1), columns: 16, seed: seed)
      problem.filterBytes = problem.filterBytes.map { $0 & 1 == 0 ? byte : ~byte }
      problem.inputBytes = problem.inputBytes.map { $0 & 3 == 0 ? byte : ~byte }
      problem.shifts = problem.shifts.map { $0 - 8 }
      problem.check(tables[table], "bytes of \(byte), seed \(seed)")
      problem.filterBytes = problem.filterBytes.map { _ in byte }
      problem.inputBytes = problem.inputBytes.map { _ in byte }
      problem.check(tables[table], "all \(byte), seed \(seed)")
    }
  }

  /// Only what is computed exactly, and faster.
  @Test(arguments: tables.indices)
  func whatSuits(table: Int) {
    guard let kernel = tables[table].quantizedWinograd else { return }
    let signed = QuantizedFormat(isSigned: true, zeroPoint: 0)
    let unsigned = QuantizedFormat(isSigned: false, zeroPoint: 3)
    let usual = winogradGeometry(20, 20, channels: 64, padding: 1)
    #expect(kernel.suits(usual, 64, signed) && kernel.suits(usual, 64, unsigned))
    #expect(!kernel.suits(winogradGeometry(20, 20, channels: 914, padding: 1), 64, signed))
    #expect(!kernel.suits(winogradGeometry(20, 20, channels: 460, padding: 1), 64, unsigned))
    #expect(!kernel.suits(winogradGeometry(20, 20, channels: 17, padding: 1), 64, signed))
    #expect(!kernel.suits(winogradGeometry(1, 400, channels: 64, padding: 1), 64, signed))
    var other = usual
    other.strideWidth = 2
    #expect(!kernel.suits(other, 64, signed))
    // Four pixels, as far apart as taps are, must fit into the output.
    #expect(
      kernel.suits(winogradGeometry(20, 20, channels: 64, padding: 9, dilation: 10), 64, signed))
    #expect(
      !kernel.suits(winogradGeometry(20, 20, channels: 64, padding: 9, dilation: 11), 64, signed))
    // Of three lines one would be in two tiles.
    #expect(
      !kernel.suits(winogradGeometry(18, 18, channels: 64, padding: 6, dilation: 6), 64, signed))
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

extension QuantizedGEMMTests.Problem {
  fileprivate func check(_ table: KernelTable, _ what: String) {
    guard let kernel = table.quantizedWinograd else { return }
    let multipliers = GuardedMemory(self.multipliers), shifts = GuardedMemory(self.shifts)
    let scaling = SumScaling.fixedPoint(multipliers: multipliers.start, shifts: shifts.start)
    let want = requantized()
    #expect(run(kernel, scaling) == want, "\(what)")
    #expect(run(kernel, scaling, lines: 3, panels: 1) == want, "\(what), three lines at a time")
    #expect(run(kernel, scaling, lines: 1, panels: 2) == want, "\(what), line by line")
  }

  /// Runs a kernel, so many lines and panels at a time.
  private func run(
    _ kernel: QuantizedWinograd, _ scaling: SumScaling, lines: Int = 1 << 20, panels: Int = 1 << 20
  ) -> [UInt8] {
    let bias = GuardedMemory(self.bias)
    return run(
      kernel, scaling, bias: bias.start, lines: lines, panels: panels,
      finish: QuantizedFinish(inputFormat: self.input, range: range), nothing: 0)
  }

  private func run<Output: BitwiseCopyable>(
    _ kernel: QuantizedWinograd, _ scaling: SumScaling, bias: UnsafePointer<Int32>?,
    lines: Int, panels: Int, finish: QuantizedFinish, nothing: Output
  ) -> [Output] {
    let input = GuardedMemory(inputBytes), filter = GuardedMemory(filterBytes)
    let packed = GuardedMemory<UInt8>(
      count: kernel.packedByteCount(columns, geometry.channels), filledWith: 0xAA)
    kernel.pack(
      QuantizedPackingArguments(
        filter: filter.start, filterFormat: self.filter,
        inputFormat: bias == nil ? self.filter : self.input,
        bias: bias, requantization: scaling, columns: columns, depth: geometry.depth,
        packed: packed.start))
    let scratch = GuardedMemory<UInt8>(count: kernel.scratchByteCount(geometry), filledWith: 0xAA)
    let output = GuardedMemory<Output>(count: rows * columns, filledWith: nothing)
    forEachBlock(
      rows: rows, columns: columns, lines * geometry.outputWidth, panels * kernel.panelColumns
    ) {
      kernel.run(
        ProductBlock(
          patches: geometry, input: input.start, packed: packed.start, output: output.start,
          outputStride: columns, rows: $0, columns: $1, finish: finish, scratch: scratch.start))
    }
    return output.elements
  }

  /// The bits of floats by this method and by the matrix product.
  fileprivate func floats(
    _ table: KernelTable, _ order: HybridOrder
  ) -> (winograd: [UInt32], product: [UInt32])? {
    guard let kernel = table.quantizedWinograd else { return nil }
    let scales = GuardedMemory((0..<columns).map { 0.001 + Float($0) / 300 })
    let bias = GuardedMemory((0..<columns).map { Float($0) / 7 - 1 })
    let rounding = GuardedMemory(
      count: 1, filledWith: RowRounding(scale: 0.037, zeroPoint: input.zeroPoint))
    let finish = QuantizedFinish(
      inputFormat: input, range: QuantizedRange(zeroPoint: 0, minimum: 0, maximum: 0),
      hybrid: HybridScaling(
        rows: rounding.start, stride: 0, order: order, minimum: -90, maximum: 90))
    let scaling = SumScaling.hybrid(scales: scales.start, bias: bias.start)
    let winograd = run(
      kernel, scaling, bias: nil, lines: 2, panels: 1, finish: finish, nothing: Float.nan)
    let gemm = table.quantizedGEMM
    let input = GuardedMemory(inputBytes), filter = GuardedMemory(filterBytes)
    let packed = GuardedMemory<UInt8>(
      count: gemm.packedByteCount(columns, geometry.depth), filledWith: 0xAA)
    gemm.pack(
      QuantizedPackingArguments(
        filter: filter.start, filterFormat: self.filter, inputFormat: self.filter, bias: nil,
        requantization: scaling, columns: columns, depth: geometry.depth, packed: packed.start))
    let scratch = GuardedMemory<UInt8>(count: gemm.scratchByteCount(geometry), filledWith: 0xAA)
    let output = GuardedMemory<Float>(count: rows * columns, filledWith: .nan)
    gemm.run(
      ProductBlock(
        patches: geometry, input: input.start, packed: packed.start, output: output.start,
        outputStride: columns, rows: 0..<rows, columns: 0..<columns, finish: finish,
        scratch: scratch.start))
    return (winograd.map { $0.bitPattern }, output.elements.map { $0.bitPattern })
  }
}

package import OcellusKernelABI

extension FloatGEMM {
  /// Returns whether this kernel gives the bits of another one on a problem whose results show the
  /// order of the sums and every rounding.
  package func hasBits(of other: FloatGEMM) -> Bool {
    let problem = TellingProblem()
    return problem.bits(of: self) == problem.bits(of: other)
  }
}

/// A multiplication of numbers of very different magnitudes, which mostly cancel each other, in whole
/// tiles and parts of tiles.
private struct TellingProblem {
  private let patches = PatchGeometry(matrixOf: 37, depth: 117)
  private let columns = 43
  private let input: [Float]
  private let filter: [Float]

  init() {
    var state: UInt64 = 1
    func number() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let exponent = Int(state >> 59) - 16
      // Signs and significands; every eighth number is zero.
      let bits = UInt32(truncatingIfNeeded: state >> 32) & 0x807F_FFFF | 0x3F80_0000
      let isZero = state >> 56 & 7 == 0
      return isZero
        ? 0 : Float(bitPattern: bits) * Float(sign: .plus, exponent: exponent, significand: 1)
    }
    input = (0..<patches.inputHeight * patches.depth).map { _ in number() }
    filter = (0..<columns * patches.depth).map { _ in number() }
  }

  func bits(of kernel: FloatGEMM) -> [UInt32] {
    let packed = Self.memory(kernel.packedByteCount(columns, patches))
    let scratch = Self.memory(kernel.scratchByteCount(patches))
    defer {
      packed.deallocate()
      scratch.deallocate()
    }
    var results = [Float](repeating: 0, count: patches.inputHeight * columns)
    filter.withUnsafeBufferPointer { filter in
      guard let filter = filter.baseAddress else { return }
      kernel.pack(
        FloatPackingArguments(
          filter: filter, bias: nil, columns: columns, patches: patches, packed: packed))
    }
    input.withUnsafeBytes { input in
      results.withUnsafeMutableBytes { results in
        guard let input = input.baseAddress, let output = results.baseAddress else { return }
        kernel.run(
          GEMMBlock(
            patches: patches, input: input, packed: packed, output: output,
            outputStride: columns, rows: 0..<patches.inputHeight, columns: 0..<columns,
            epilogue: FloatEpilogue(minimum: -.infinity, maximum: .infinity), scratch: scratch))
      }
    }
    return results.map(\.bitPattern)
  }

  private static func memory(_ byteCount: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: byteCount, alignment: 64)
  }
}

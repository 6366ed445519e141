package import OcellusEngine
import OcellusPlatform

/// The deterministic generated values of inputs that the user does not provide.
///
/// They come from a random stream whose seed is the position of the input, so other engines can
/// reproduce them.
package struct InputGenerator {
  private var generator: SplitMix64

  /// Starts the stream of an input.
  package init(input: Int) {
    generator = SplitMix64(seed: UInt64(truncatingIfNeeded: input))
  }

  /// Fills the memory of a tensor with the next numbers.
  ///
  /// Floating-point elements are fractions from 0 to 1 in steps of 2^-24. Integers of 32 and 64
  /// bits, which are often indices or lengths, and complex numbers are 0 or 1. Smaller integers
  /// take any value.
  package mutating func fill(_ memory: UnsafeMutableRawBufferPointer, as type: ElementType) {
    switch type {
    case .float32: fill(memory) { Float(Self.fraction($0)) }
    case .float64: fill(memory) { Self.fraction($0) }
    case .float16: fill(memory) { Float16(Self.fraction($0)) }
    case .bfloat16: fill(memory) { BFloat16(Float(Self.fraction($0))) }
    case .complex64: fill(memory) { SIMD2(Float($0 & 1), 0) }
    case .complex128: fill(memory) { SIMD2(Double($0 & 1), 0) }
    case .int64, .uint64: fill(memory) { $0 & 1 }
    case .int32, .uint32: fill(memory) { UInt32($0 & 1) }
    case .bool: fill(memory) { UInt8($0 & 1) }
    case .int16, .uint16: fill(memory) { UInt16(truncatingIfNeeded: $0) }
    case .int8, .uint8, .int4, .uint4, .int2, .string, .resource, .variant:
      fill(memory) { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// Returns the bytes of a tensor filled with the next numbers.
  package mutating func bytes(of type: ElementType, count: Int) -> [UInt8] {
    let byteCount = type.byteCount(ofElements: count) ?? 0
    return Array(unsafeUninitializedCapacity: byteCount) { bytes, initializedCount in
      fill(UnsafeMutableRawBufferPointer(bytes), as: type)
      initializedCount = byteCount
    }
  }

  private static func fraction(_ bits: UInt64) -> Double { Double(bits >> 40) / 0x1p24 }

  private mutating func fill<Element: BitwiseCopyable>(
    _ memory: UnsafeMutableRawBufferPointer, _ element: (UInt64) -> Element
  ) {
    for offset in stride(from: 0, to: memory.count, by: MemoryLayout<Element>.stride) {
      memory.storeBytes(of: element(generator.next()), toByteOffset: offset, as: Element.self)
    }
  }
}

extension EntryPoint {
  /// Fills an input with the values of the deterministic stream.
  package func fillInput(at index: Int) throws(ModelError) {
    let type = inputDescription(at: index).type
    if type == .string { return try fillWithEmptyStrings(at: index) }
    var stream = InputGenerator(input: index)
    stream.fill(try inputBytes(at: index), as: type)
  }
}

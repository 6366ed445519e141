import OcellusKernelABI

#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

// With `BYTE_DOTS`, `dot` multiplies bytes by signed bytes; elsewhere it multiplies 16-bit
// integers. The formats of the file are converted as follows, where a is an activation, w a weight,
// and za and zw are their zero points:
//
//   Σ (a - za)(w - zw) = Σ a·w - zw·Σa - za·Σ(w - zw)
//
// The last term is a constant of the column, and part of its initial sum. With 16 bits, w - zw is
// packed instead of w, and the second term vanishes. With bytes, 128 is subtracted from unsigned
// weights. Activations of the signedness that `dot` does not take get 128 added (signed) or
// subtracted (unsigned): see `activationOffset`. Zero points change by the same amounts. The second
// term is then a correction of the row, and zero for symmetric weights. Weights for few rows may be
// bytes even where `dot` takes 16 bits (see `ByteWeights`).

#if BYTE_DOTS
  /// Returns the offset that gives activations the signedness that `dot` takes.
  @inline(__always)
  func activationOffset(isSigned: Bool) -> Int32 {
    isSigned == dotTakesSignedActivations ? 0 : isSigned ? 128 : -128
  }

  /// Whether rows of signed bytes can be read in place.
  let prefersSignedRows = dotTakesSignedActivations

  /// The sign bits of four bytes.
  let highestBits = Int32(bitPattern: 0x8080_8080)

  /// Returns the mask whose XOR adds `activationOffset` to four activations.
  @inline(__always)
  func activationSignMask(isSigned: Bool) -> Int32 {
    isSigned == dotTakesSignedActivations ? 0 : highestBits
  }
#else
  /// All bytes are widened in any case.
  let prefersSignedRows = true
#endif

/// The offsets and zero points of weights and activations as `dot` takes them.
struct PackedFormat {
  /// The number that is subtracted from a weight when it is packed.
  var weightOffset: Int32
  /// The zero point of packed weights.
  var weightZeroPoint: Int32
  /// The zero point of converted activations.
  var inputZeroPoint: Int32

  @inline(__always)
  init(filter: QuantizedFormat, input: QuantizedFormat) {
    #if BYTE_DOTS
      weightOffset = byteOffset(filter)
      inputZeroPoint = input.zeroPoint &+ activationOffset(isSigned: input.isSigned)
    #else
      weightOffset = filter.zeroPoint
      inputZeroPoint = input.zeroPoint
    #endif
    weightZeroPoint = filter.zeroPoint &- weightOffset
  }

  /// Creates the format of weights for few rows, which are packed as bytes in any case.
  @inline(__always)
  init(ofRow arguments: QuantizedPackingArguments) {
    self.init(filter: arguments.filterFormat, input: arguments.inputFormat)
    if rowWeightsAreWidened {
      weightOffset = byteOffset(arguments.filterFormat)
      weightZeroPoint = arguments.filterFormat.zeroPoint &- weightOffset
    }
  }
}

/// Returns the offset that makes unsigned weights signed.
@inline(__always)
private func byteOffset(_ filter: QuantizedFormat) -> Int32 { filter.isSigned ? 0 : 128 }

#if BYTE_DOTS
  /// The size in bytes of an element of an im2col row or a packed column.
  let packedElementBytes = 1
#else
  /// The size in bytes of an element of an im2col row or a packed column.
  let packedElementBytes = 2
#endif

/// Stores a weight or an activation as the element that `dot` takes.
@inline(__always)
func storePacked(_ value: Int32, to address: UnsafeMutableRawPointer) {
  #if BYTE_DOTS
    store(UInt8(truncatingIfNeeded: value), to: address)
  #else
    store(Int16(truncatingIfNeeded: value), to: address)
  #endif
}

#if BYTE_DOTS
  /// Returns the sum of converted activations.
  @inline(__always)
  func sumOfElements(_ row: UnsafeRawPointer, byteCount: Int) -> Int32 {
    sumOfBytes(row, count: byteCount)
  }

  /// `depthPerDot` activations equal to 1.
  let packedOnes: Int32 = 0x0101_0101

  /// Returns `depthPerDot` weights as `dot` takes them.
  ///
  /// The offset is 128 or 0, so that subtracting it toggles the sign bit or does nothing.
  @inline(__always)
  func packedGroup(_ weights: UnsafeRawPointer, isSigned _: Bool, offset: Int32) -> Int32 {
    loadInt32(weights) ^ (offset &* 0x0101_0101)
  }

  /// Returns four consecutive groups.
  @inline(__always)
  func packedGroups(_ weights: UnsafeRawPointer, isSigned _: Bool, offset: Int32) -> SIMD4<Int32> {
    loadInt32s(weights) ^ SIMD4(repeating: offset &* 0x0101_0101)
  }
#else
  /// Returns the sum of converted activations.
  @inline(__always)
  func sumOfElements(_ row: UnsafeRawPointer, byteCount: Int) -> Int32 {
    var sums = SumVector.zero
    var offset = 0
    while offset &+ sumVectorBytes <= byteCount {
      sums = dot(sums, SumVector(repeating: packedOnes), loadSums(row + offset))
      offset &+= sumVectorBytes
    }
    var sum = sumOfLanes(sums)
    while offset < byteCount {
      sum &+= Int32(loadInt16(row + offset))
      offset &+= 2
    }
    return sum
  }

  /// `depthPerDot` activations equal to 1.
  let packedOnes: Int32 = 0x0001_0001

  /// Returns `depthPerDot` weights as `dot` takes them.
  @inline(__always)
  func packedGroup(_ weights: UnsafeRawPointer, isSigned: Bool, offset: Int32) -> Int32 {
    let first = loadByte(weights, isSigned: isSigned) &- offset
    let second = loadByte(weights + 1, isSigned: isSigned) &- offset
    return second &<< 16 | (first & 0xFFFF)
  }

  /// Returns four consecutive groups.
  @inline(__always)
  func packedGroups(_ weights: UnsafeRawPointer, isSigned: Bool, offset: Int32) -> SIMD4<Int32> {
    #if arch(x86_64)
      let bytes = _mm_cvtsi64_si128(loadInt64(weights))
      let numbers = isSigned ? _mm_cvtepi8_epi16(bytes) : _mm_cvtepu8_epi16(bytes)
      let offsets = SIMD8(repeating: Int16(truncatingIfNeeded: offset))
      return unsafeBitCast(
        _mm_sub_epi16(numbers, unsafeBitCast(offsets, to: __m128i.self)), to: SIMD4<Int32>.self)
    #else
      return SIMD4(
        packedGroup(weights, isSigned: isSigned, offset: offset),
        packedGroup(weights + 2, isSigned: isSigned, offset: offset),
        packedGroup(weights + 4, isSigned: isSigned, offset: offset),
        packedGroup(weights + 6, isSigned: isSigned, offset: offset))
    #endif
  }
#endif

/// Loads a quantized byte as an integer.
@inline(__always)
func loadByte(_ address: UnsafeRawPointer, isSigned: Bool) -> Int32 {
  let byte = loadByte(address)
  return isSigned ? Int32(Int8(truncatingIfNeeded: byte)) : Int32(byte)
}

/// The conversion of quantized activations during im2col.
struct QuantizedElements: PatchElements {
  var isSigned: Bool
  var padding: Int32

  @inline(__always)
  init(_ format: QuantizedFormat) {
    isSigned = format.isSigned
    padding = PackedFormat(filter: format, input: format).inputZeroPoint
  }

  /// Whether converted elements equal the bytes of the input.
  @inline(__always)
  var needNoConversion: Bool {
    #if BYTE_DOTS
      isSigned == dotTakesSignedActivations
    #else
      false
    #endif
  }

  @inline(__always)
  var inputBytes: Int { 1 }
  @inline(__always)
  var rowBytes: Int { packedElementBytes }

  /// A vector of elements that stand for zero.
  @inline(__always)
  var paddingVector: SumVector {
    let isByte = packedElementBytes == 1
    return SumVector(
      repeating: (padding & (isByte ? 0xFF : 0xFFFF)) &* (isByte ? 0x0101_0101 : 0x0001_0001))
  }

  @inline(__always)
  func copy(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int) {
    #if BYTE_DOTS
      copyBytes(
        source, to: row, count: count, xoring: activationSignMask(isSigned: isSigned))
    #else
      widenBytes(source, to: row, count: count, isSigned: isSigned)
    #endif
  }

  @inline(__always)
  func copyBlock(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    #if BYTE_DOTS
      let signToggle = activationSignMask(isSigned: isSigned)
      storeInt32s(loadInt32s(source) ^ SIMD4(repeating: signToggle), to: row)
    #else
      widenBytes(source, to: row, count: 16, isSigned: isSigned)
    #endif
  }

  @inline(__always)
  func copyBlocks(_ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer) {
    #if BYTE_DOTS
      copyBytes(source, to: row, count: 64, xoring: activationSignMask(isSigned: isSigned))
    #else
      widenBytes(source, to: row, count: 64, isSigned: isSigned)
    #endif
  }
}

#if !BYTE_DOTS
  /// Widens bytes to 16-bit integers.
  @inline(__always)
  private func widenBytes(
    _ source: UnsafeRawPointer, to row: UnsafeMutableRawPointer, count: Int, isSigned: Bool
  ) {
    if isSigned {
      for index in 0..<count {
        let byte = Int8(truncatingIfNeeded: loadByte(source + index))
        store(Int16(byte), to: row + index &* 2)
      }
    } else {
      for index in 0..<count {
        store(Int16(loadByte(source + index)), to: row + index &* 2)
      }
    }
  }
#endif

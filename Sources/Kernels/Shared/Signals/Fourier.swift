import OcellusKernelABI

#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

var fourier: FourierKernels {
  FourierKernels(
    transformRows: transformRows,
    scratchByteCount: { 2 &* $0 &* MemoryLayout<FourRows>.size }, magnitudes: magnitudes)
}

/// One number of each of four rows; lanes are independent, because each belongs to another row.
private typealias FourRows = SIMD4<Double>

private func transformRows(_ arguments: RowTransformArguments) {
  let resultCount = arguments.length / 2 &+ 1
  var row = arguments.rows.lowerBound
  while row < arguments.rows.upperBound {
    // If fewer than four rows are left, the last one is repeated.
    let last = arguments.rows.upperBound &- 1
    let rows = (row, smaller(row &+ 1, last), smaller(row &+ 2, last), smaller(row &+ 3, last))
    load(arguments, rows)
    addNeighbors(arguments)
    var half = 2
    while half < arguments.length {
      combine(arguments, half: half)
      half &*= 2
    }
    for index in 0..<resultCount {
      let real = loadFour(arguments.scratch, 2 &* index)
      let imaginary = loadFour(arguments.scratch, 2 &* index &+ 1)
      for lane in 0..<smaller(4, arguments.rows.upperBound &- row) {
        let result = arguments.output + ((row &+ lane) &* resultCount &+ index) &* 2
        result[0] = Float(real[lane])
        result[1] = Float(imaginary[lane])
      }
    }
    row &+= 4
  }
}

@inline(__always)
private func loadFour(_ numbers: UnsafeRawPointer, _ index: Int) -> FourRows {
  (numbers + index &* MemoryLayout<FourRows>.size).loadUnaligned(as: FourRows.self)
}

@inline(__always)
private func storeFour(_ value: FourRows, _ numbers: UnsafeMutableRawPointer, _ index: Int) {
  (numbers + index &* MemoryLayout<FourRows>.size).storeBytes(of: value, as: FourRows.self)
}

/// Loads four rows and stores their elements at the bit-reversed indices.
@inline(__always)
private func load(_ arguments: RowTransformArguments, _ rows: (Int, Int, Int, Int)) {
  let input = arguments.input, stride = arguments.inputStride
  let first = input + rows.0 &* stride, second = input + rows.1 &* stride
  let third = input + rows.2 &* stride, fourth = input + rows.3 &* stride
  for index in 0..<arguments.length {
    let isThere = index < arguments.inputCount
    let value =
      isThere
      ? FourRows(
        Double(first[index]), Double(second[index]), Double(third[index]),
        Double(fourth[index])) : FourRows.zero
    let reversedIndex = Int(arguments.reversedIndices[index])
    storeFour(value, arguments.scratch, 2 &* reversedIndex)
    storeFour(FourRows.zero, arguments.scratch, 2 &* reversedIndex &+ 1)
  }
}

/// Computes the first stage, whose only twiddle factor is one.
@inline(__always)
private func addNeighbors(_ arguments: RowTransformArguments) {
  var index = 0
  while index < arguments.length {
    let even = loadFour(arguments.scratch, 2 &* index)
    let odd = loadFour(arguments.scratch, 2 &* index &+ 2)
    storeFour(even + odd, arguments.scratch, 2 &* index)
    storeFour(even - odd, arguments.scratch, 2 &* index &+ 2)
    index &+= 2
  }
}

/// Computes a stage: combines the transforms of even and odd elements to those of twice the length.
@inline(__always)
private func combine(_ arguments: RowTransformArguments, half: Int) {
  let rootStep = arguments.length / (2 &* half)
  let numbers = arguments.scratch
  var start = 0
  while start < arguments.length {
    for index in 0..<half {
      let root = arguments.roots + 2 &* index &* rootStep
      let rootReal = FourRows(repeating: root[0]), rootImaginary = FourRows(repeating: root[1])
      let even = 2 &* (start &+ index), odd = even &+ 2 &* half
      let oddReal = loadFour(numbers, odd), oddImaginary = loadFour(numbers, odd &+ 1)
      let real = oddReal * rootReal - oddImaginary * rootImaginary
      let imaginary = oddReal * rootImaginary + oddImaginary * rootReal
      let evenReal = loadFour(numbers, even), evenImaginary = loadFour(numbers, even &+ 1)
      storeFour(evenReal - real, numbers, odd)
      storeFour(evenImaginary - imaginary, numbers, odd &+ 1)
      storeFour(evenReal + real, numbers, even)
      storeFour(evenImaginary + imaginary, numbers, even &+ 1)
    }
    start &+= 2 &* half
  }
}

// MARK: Magnitudes

/// Computes magnitudes as `hypotf` does: an infinite component takes precedence over NaN.
private func magnitudes(
  _ numbers: UnsafePointer<Float>, _ results: UnsafeMutablePointer<Float>, _ count: Int
) {
  var index = 0
  while index &+ 2 <= count {
    let pair = pairOfMagnitudes(numbers + 2 &* index)
    results[index] = pair.0
    results[index &+ 1] = pair.1
    index &+= 2
  }
  if index < count { results[index] = magnitude(numbers + 2 &* index) }
  for index in 0..<count where results[index].isNaN {
    let isInfinite =
      numbers[2 &* index].magnitude == .infinity
      || numbers[2 &* index &+ 1].magnitude == .infinity
    if isInfinite { results[index] = .infinity }
  }
}

@inline(__always)
private func magnitude(_ number: UnsafePointer<Float>) -> Float {
  let real = Double(number[0]), imaginary = Double(number[1])
  return Float((real * real + imaginary * imaginary).squareRoot())
}

#if arch(x86_64)
  @inline(__always)
  private func pairOfMagnitudes(_ numbers: UnsafePointer<Float>) -> (Float, Float) {
    let components = UnsafeRawPointer(numbers).loadUnaligned(as: __m128.self)
    let first = _mm_cvtps_pd(components),
      second = _mm_cvtps_pd(_mm_movehl_ps(components, components))
    let squares = _mm_hadd_pd(first * first, second * second)
    let roots = _mm_cvtpd_ps(_mm_sqrt_pd(squares))
    return (roots[0], roots[1])
  }
#else
  @inline(__always)
  private func pairOfMagnitudes(_ numbers: UnsafePointer<Float>) -> (Float, Float) {
    (magnitude(numbers), magnitude(numbers + 2))
  }
#endif

import Foundation
import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct FourierTests {
  /// The transform equals its definition in double precision: sums of numbers times roots of unity.
  @Test(arguments: tables.indices)
  func rowsAreTransformed(table: Int) {
    let fourier = tables[table].fourier
    var random = SeededGenerator(seed: 51)
    for (length, present) in [(2, 2), (4, 3), (8, 8), (16, 20), (64, 50)] {
      let roots = (0..<length / 2).flatMap { index in
        let angle = -2 * Double.pi * Double(index) / Double(length)
        return [cos(angle), sin(angle)]
      }
      let bits = length.trailingZeroBitCount
      let reversed = (0..<length).map { index in
        (0..<bits).reduce(Int32(0)) { $0 | Int32((index >> $1 & 1) << (bits - 1 - $1)) }
      }
      let rowCount = 7
      let resultCount = length / 2 + 1
      let numbers = random.floats(rowCount * present)
      let input = GuardedMemory(numbers)
      let rootMemory = GuardedMemory(roots)
      let indexMemory = GuardedMemory(reversed)
      let scratch = GuardedMemory<UInt8>(
        count: fourier.scratchByteCount(length), filledWith: 0xFF)
      let output = GuardedMemory<Float>(count: rowCount * resultCount * 2, filledWith: 77)
      for rows in [0..<2, 2..<7] {
        fourier.transformRows(
          RowTransformArguments(
            input: input.start, inputStride: present, inputCount: present,
            output: output.start, rows: rows, length: length, roots: rootMemory.start,
            reversedIndices: indexMemory.start, scratch: scratch.start))
      }
      for row in 0..<rowCount {
        for frequency in 0..<resultCount {
          var real = 0.0
          var imaginary = 0.0
          for index in 0..<min(present, length) {
            let angle = -2 * Double.pi * Double(index * frequency) / Double(length)
            real += Double(numbers[row * present + index]) * cos(angle)
            imaginary += Double(numbers[row * present + index]) * sin(angle)
          }
          let place = (row * resultCount + frequency) * 2
          #expect(abs(Double(output.start[place]) - real) < 1e-6)
          #expect(abs(Double(output.start[place + 1]) - imaginary) < 1e-6)
        }
      }
    }
  }

  @Test(arguments: tables.indices)
  func magnitudesAreThoseOfTheLibrary(table: Int) {
    var random = SeededGenerator(seed: 52)
    let special: [Float] = [0, -0, .infinity, -.infinity, .nan, 3e38, 0x1p-130, 3, -4]
    for count in awkwardSizes {
      let numbers = (0..<2 * count).map { _ in
        Bool.random(using: &random)
          ? special[Int.random(in: 0..<special.count, using: &random)]
          : Float.random(in: -9...9, using: &random)
      }
      let input = GuardedMemory(numbers)
      let output = GuardedMemory<Float>(count: count, filledWith: 77)
      tables[table].fourier.magnitudes(input.start, output.start, count)
      for index in 0..<count {
        let want = hypotf(numbers[2 * index], numbers[2 * index + 1])
        let result = output.elements[index]
        #expect(result == want || (result.isNaN && want.isNaN))
      }
    }
  }
}

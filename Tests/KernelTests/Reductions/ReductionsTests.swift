import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

@Suite struct ReductionsTests {
  private struct Extents {
    var outer: Int
    var reduced: Int
    var inner: Int
    /// The number of unused elements between outer positions.
    var gap = 0
    var stride: Int { reduced * inner + gap }
    var count: Int { (outer - 1) * stride + reduced * inner }

    /// The elements of each result, in their order.
    func runs<Element>(_ elements: [Element]) -> [[Element]] {
      (0..<outer).flatMap { outer in
        (0..<inner).map { inner in
          (0..<reduced).map { elements[outer * stride + $0 * self.inner + inner] }
        }
      }
    }
  }

  private static let extents =
    awkwardSizes.flatMap { size in
      [(1, 3, size), (3, size, 1), (2, 7, size), (5, size, 3), (2, 131, size)].map {
        Extents(outer: $0.0, reduced: $0.1, inner: $0.2)
      }
    } + awkwardSizes.map { Extents(outer: 4, reduced: $0, inner: 1, gap: 2) }
    // So many runs that both calls fill the lanes of a vector.
    + [1, 2, 4, 7, 15, 16, 19, 31, 48, 62, 64, 71, 130, 192].flatMap { reduced in
      [0, 2].map { Extents(outer: 37, reduced: reduced, inner: 1, gap: $0) }
    }
    // More bytes than 16-bit sums can hold.
    + [(1, 600, 70), (2, 300, 257), (2, 20_000, 1), (1, 20_000, 8)].map {
      Extents(outer: $0.0, reduced: $0.1, inner: $0.2)
    }

  /// Runs a kernel in two calls.
  private func run<Element: BitwiseCopyable & ExpressibleByIntegerLiteral, Result>(
    _ kernel: Reductions.Kernel, _ extents: Extents, _ elements: [Element], initial: Float = 0,
    divisor: Float = 1, numerics: Numerics = .exact
  ) -> [Result] where Result: BitwiseCopyable & ExpressibleByIntegerLiteral {
    let input = GuardedMemory(elements)
    let output = GuardedMemory<Result>(count: extents.outer * extents.inner, filledWith: 77)
    for outer in [0..<extents.outer / 2, extents.outer / 2..<extents.outer] {
      kernel(
        ReductionArguments(
          input: input.start, output: output.start, outer: outer, outerCount: extents.outer,
          outerStride: extents.stride, reducedCount: extents.reduced, innerCount: extents.inner,
          initial: initial, divisor: divisor, numerics: numerics))
    }
    return output.elements
  }

  @Test(arguments: tables.indices)
  func floats(table: Int) {
    let reductions = tables[table].reductions
    var random = SeededGenerator(seed: 31)
    for extents in Self.extents {
      let elements = random.floats(extents.count)
      let runs = extents.runs(elements)
      let sums = runs.map { $0.reduce(0, +) }
      #expect(run(reductions.sumFloat, extents, elements) == sums)
      #expect(
        run(reductions.sumFloat, extents, elements, divisor: 3) == sums.map { $0 / 3 })
      let reordered: [Float] = run(reductions.sumFloat, extents, elements, numerics: .fast)
      #expect(zip(reordered, sums).allSatisfy { abs($0 - $1) < 1e-6 * Float(9 + extents.reduced) })
      #expect(
        reordered
          == run(KernelTable.available[0].reductions.sumFloat, extents, elements, numerics: .fast))
      #expect(
        run(reductions.maximumFloat, extents, elements, initial: 0.25)
          == runs.map { max($0.max() ?? 0, 0.25) })
      #expect(
        run(reductions.minimumFloat, extents, elements, initial: 0.25)
          == runs.map { min($0.min() ?? 0, 0.25) })
    }
  }

  @Test(arguments: tables.indices)
  func bytes(table: Int) {
    let reductions = tables[table].reductions
    var random = SeededGenerator(seed: 32)
    for extents in Self.extents {
      let unsigned = random.bytes(extents.count, isSigned: false)
      let signed = random.bytes(extents.count, isSigned: true).map { Int8(bitPattern: $0) }
      let unsignedRuns = extents.runs(unsigned)
      let signedRuns = extents.runs(signed)
      #expect(
        run(reductions.sumUInt8, extents, unsigned)
          == unsignedRuns.map { $0.reduce(Int32(0)) { $0 + Int32($1) } })
      #expect(
        run(reductions.sumInt8, extents, signed)
          == signedRuns.map { $0.reduce(Int32(0)) { $0 + Int32($1) } })
      #expect(
        run(reductions.maximumUInt8, extents, unsigned, initial: 0)
          == unsignedRuns.map { $0.max() ?? 0 })
      #expect(
        run(reductions.maximumInt8, extents, signed, initial: -128)
          == signedRuns.map { $0.max() ?? 0 })
      #expect(
        run(reductions.minimumUInt8, extents, unsigned, initial: 255)
          == unsignedRuns.map { $0.min() ?? 0 })
      #expect(
        run(reductions.minimumInt8, extents, signed, initial: 127)
          == signedRuns.map { $0.min() ?? 0 })
    }
  }

  /// Runs of contiguous elements, and runs of elements at a stride.
  private static func runs(outer: Int) -> [Extents] {
    (awkwardSizes + [300]).flatMap { size in
      [
        Extents(outer: outer, reduced: size, inner: 1), Extents(outer: 3, reduced: 5, inner: size),
        Extents(outer: 2, reduced: size, inner: 3),
      ]
    }
  }

  @Test(arguments: tables.indices)
  func placesOfExtremes(table: Int) {
    let reductions = tables[table].reductions
    var random = SeededGenerator(seed: 33)
    for extents in Self.runs(outer: 7) {
      // The values are few, so that the largest one occurs more than once.
      let unsigned = (0..<extents.count).map { _ in
        [0, 1, 127, 128, 255].randomElement(using: &random) ?? 0 as UInt8
      }
      let signed = unsigned.map { Int8(bitPattern: $0) }
      let wide = unsigned.map { [.min, -1, .max, 1, 0][Int($0) % 5] as Int32 }
      func places<Element: Comparable>(
        _ elements: [Element], _ extreme: ([Element]) -> Element?
      ) -> [Int32] {
        extents.runs(elements).map { run in Int32(run.firstIndex { $0 == extreme(run) } ?? -1) }
      }
      #expect(
        run(reductions.indexOfMaximumUInt8, extents, unsigned) == places(unsigned) { $0.max() })
      #expect(
        run(reductions.indexOfMinimumUInt8, extents, unsigned) == places(unsigned) { $0.min() })
      #expect(
        run(reductions.indexOfMaximumInt8, extents, signed) == places(signed) { $0.max() })
      #expect(
        run(reductions.indexOfMinimumInt8, extents, signed) == places(signed) { $0.min() })
      #expect(run(reductions.indexOfMaximumInt32, extents, wide) == places(wide) { $0.max() })
      #expect(run(reductions.indexOfMinimumInt32, extents, wide) == places(wide) { $0.min() })
    }
  }

  @Test(arguments: tables.indices)
  func placesOfExtremeFloats(table: Int) {
    let reductions = tables[table].reductions
    var random = SeededGenerator(seed: 34)
    for extents in Self.runs(outer: 40) {
      // The values are few, so that the largest one occurs more than once; some runs are all NaN.
      let choices: [Float] = [.nan, .nan, -.infinity, -2, 0, -0.0, 7, .infinity]
      let elements = (0..<extents.count).map { index in
        choices[Int.random(in: 0..<(index / extents.reduced % 8 + 1), using: &random)]
      }
      func places(_ isBetter: (Float, Float) -> Bool) -> [Int32] {
        extents.runs(elements).map { run in
          var best: Int?
          for (position, number) in run.enumerated() where !number.isNaN {
            if best.map({ isBetter(number, run[$0]) }) ?? true { best = position }
          }
          return Int32(best ?? 0)
        }
      }
      #expect(run(reductions.indexOfMaximumFloat, extents, elements) == places(>))
      #expect(run(reductions.indexOfMinimumFloat, extents, elements) == places(<))
    }
  }

  @Test(arguments: tables.indices)
  func comparisonsSkipNaN(table: Int) {
    let reductions = tables[table].reductions
    for count in awkwardSizes where count > 2 {
      let extents = Extents(outer: 1, reduced: count, inner: 1)
      var elements = [Float](repeating: .nan, count: count)
      elements[count - 1] = 3
      elements[count / 2] = -2
      #expect(run(reductions.maximumFloat, extents, elements, initial: -5) == [3 as Float])
      #expect(run(reductions.minimumFloat, extents, elements, initial: 5) == [-2 as Float])
      let first: [Float] = run(reductions.maximumFloat, extents, elements, initial: .nan)
      #expect(first[0].isNaN)
    }
  }

  /// As in the reference kernel, an equal element does not replace the current one.
  @Test(arguments: tables.indices)
  func firstOfBothZerosCounts(table: Int) {
    let reductions = tables[table].reductions
    for count in awkwardSizes where count > 2 {
      let extents = Extents(outer: 1, reduced: count, inner: 1)
      for (first, isNegative) in [(0, true), (1, false), (count / 2, true), (count - 2, false)] {
        var elements = [Float](repeating: isNegative ? 0 : -0.0, count: count)
        elements[first] = isNegative ? -0.0 : 0
        for (kernel, other) in [(reductions.maximumFloat, -1), (reductions.minimumFloat, 1)] {
          for index in 0..<first { elements[index] = Float(other) }
          let found: [Float] = run(kernel, extents, elements, initial: Float(2 * other))
          #expect(found.map(\.bitPattern) == [elements[first].bitPattern], "\(count), \(first)")
        }
      }
    }
  }
}

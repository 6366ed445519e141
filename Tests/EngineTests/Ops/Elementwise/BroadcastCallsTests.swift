import OcellusEngine
import OcellusModelFile
import OcellusTestSupport
import Testing

/// Binary operators on the tuned kernels, with shapes that reach every case of the planning.
@Suite struct BroadcastCallsTests {
  private static let shapes: [([Int], [Int])] = [
    ([70_000], [70_000]), ([5], [5]), ([300, 3], [3]), ([3], [300, 3]), ([2, 200, 5], [2, 1, 5]),
    ([40, 2000], [2000]), ([40, 2000], [40, 1]), ([40, 1], [40, 2000]), ([3, 1, 7], [1, 5, 1]),
    ([2, 3, 4, 5], [3, 1, 5]), ([70_000], [1]), ([1], [9]), ([1, 1], [1]), ([3, 30_000], [3, 1]),
    ([400, 1, 200], [1, 200]), ([2100], [2100]), ([700, 3], [3]),
    ([7, 1, 3, 1], [1, 4, 1, 5]),
  ]

  private func elementCount(_ shape: [Int]) -> Int { shape.reduce(1, *) }

  /// The operands' element offsets for every element of the result, from the broadcasting rule.
  private func sources(_ first: [Int], _ second: [Int]) -> [(Int, Int)] {
    let rank = max(first.count, second.count)
    func padded(_ shape: [Int]) -> [Int] {
      [Int](repeating: 1, count: rank - shape.count) + shape
    }
    let (a, b) = (padded(first), padded(second))
    let result = zip(a, b).map { max($0, $1) }
    return (0..<elementCount(result)).map { element in
      var (rest, offsets, distances) = (element, (0, 0), (1, 1))
      for axis in (0..<rank).reversed() {
        let index = rest % result[axis]
        rest /= result[axis]
        offsets.0 += a[axis] == 1 ? 0 : index * distances.0
        offsets.1 += b[axis] == 1 ? 0 : index * distances.1
        distances = (distances.0 * a[axis], distances.1 * b[axis])
      }
      return offsets
    }
  }

  @Test(arguments: [1, 3])
  func differences(threads: Int) throws {
    for (first, second) in Self.shapes {
      var random = SeededGenerator(seed: 9)
      let a = random.floats(elementCount(first)), b = random.floats(elementCount(second))
      let (_, values) = try run(
        "SUB", [TestTensor(first, a), TestTensor(second, b)],
        running: Interpreter.Options(threads: threads), as: Float.self)
      #expect(values == sources(first, second).map { a[$0] - b[$1] }, "\(first) \(second)")
    }
  }

  /// 8-bit sums equal the reference kernel's, with either scale the greater one, and with ties.
  @Test(arguments: [(0.1, 0.03, 0.12), (0.02, 0.11, 0.1), (0.5, 0.5, 1.0), (0.25, 1.0, 0.5)])
  func sumsOfBytes(scales: (first: Float, second: Float, result: Float)) throws {
    let shapes = Self.shapes.filter { elementCount($0.0) * elementCount($0.1) < 5_000_000 }
    for (first, second) in shapes {
      for name in ["ADD", "SUB"] {
        var random = SeededGenerator(seed: 10)
        let operands = [(first, scales.first, 7), (second, scales.second, -20)].map {
          let bytes = random.bytes(elementCount($0.0), isSigned: true).map { Int8(bitPattern: $0) }
          return TestTensor($0.0, bytes, scale: $0.1, zeroPoint: $0.2)
        }
        let results = try [false, true].map { usesReference in
          try run(
            name, operands, version: 2, scale: scales.result, zeroPoint: 3,
            running: Interpreter.Options(usesReferenceKernels: usesReference), as: Int8.self
          ).values
        }
        #expect(results[0] == results[1], "\(name) of \(first) \(second)")
      }
    }
  }
}

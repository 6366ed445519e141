import OcellusKernelABI
import OcellusKernelDispatch
import OcellusTestSupport
import Testing

/// The kernels for audits and profiles, checked against plain loops.
@Suite struct InspectionTests {
  private static let blockCounts = [1, 2, 3, 31, 32, 33, 127, 128, 129, 700]
  private static let size = Inspection.blockByteCount

  /// The sums by their definition.
  private static func sums(of words: [UInt64]) -> WordSums {
    var (sum, products): (UInt64, UInt64) = (0, 0)
    for (place, word) in words.enumerated() {
      let keyed = word ^ (UInt64(place + 1) &* 11_400_714_819_323_198_485)
      sum &+= word
      products &+= (keyed % 4_294_967_296) &* (keyed / 4_294_967_296)
    }
    var sums = WordSums()
    (sums.words, sums.products) = (sum, products)
    return sums
  }

  @Test(arguments: tables.indices)
  func wordsAreSummed(table: Int) {
    for count in Self.blockCounts {
      var random = SeededGenerator(seed: UInt64(count))
      let words = (0..<count * Self.size / 8).map { _ in random.next() }
      let memory = GuardedMemory(words)
      let found = tables[table].inspection.sumWords(memory.start, count)
      #expect(found == Self.sums(of: words), "\(count) blocks")
    }
  }

  @Test(arguments: tables.indices)
  func columnsAreSummedLikeTheirTransposition(table: Int) {
    for rows in [2, 4, 6, 16, 38] {
      for columns in [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 40, 49] {
        var random = SeededGenerator(seed: UInt64(rows * 100 + columns))
        let elements = (0..<rows * columns).map { _ in
          UInt32(truncatingIfNeeded: random.next())
        }
        let memory = GuardedMemory(elements)
        let found = tables[table].inspection.sumColumns(memory.start, rows, columns)
        let turned = (0..<columns).flatMap { column in
          (0..<rows).map { row in UInt64(elements[row * columns + column]) }
        }
        let words = stride(from: 0, to: turned.count, by: 2).map {
          turned[$0] | turned[$0 + 1] << 32
        }
        #expect(found == Self.sums(of: words), "\(rows) rows, \(columns) columns")
      }
    }
  }

  @Test(arguments: tables.indices)
  func floatsHaveExtremesAndASum(table: Int) {
    for count in Self.blockCounts {
      var random = SeededGenerator(seed: UInt64(count))
      let numbers = random.floats(count * Self.size / 4).map { $0 * 100 - 30 }
      let memory = GuardedMemory(numbers)
      let found = tables[table].inspection.momentsOfFloats(memory.start, count)
      #expect(found.isFinite)
      #expect(found.minimum == numbers.min() && found.maximum == numbers.max())
      let sum = numbers.reduce(0) { $0 + Double($1) }
      let size = numbers.reduce(0) { $0 + Double(abs($1)) }
      #expect(abs(found.sum - sum) <= 1e-6 * size, "\(count) blocks")
      // All tables have the same bits, because traces of different machines are compared.
      #expect(found.sum == tables[0].inspection.momentsOfFloats(memory.start, count).sum)
    }
  }

  @Test(arguments: tables.indices, [Float.infinity, -.infinity, .nan, .signalingNaN])
  func oddFloatsAreNoticedWhereverTheyAre(table: Int, odd: Float) {
    for place in 0..<64 {
      var numbers = [Float](repeating: 1, count: 64)
      numbers[place] = odd
      let memory = GuardedMemory(numbers)
      let found = tables[table].inspection.momentsOfFloats(memory.start, 1)
      #expect(!found.isFinite, "\(odd) at \(place)")
    }
    let large = GuardedMemory<Float>(count: 64, filledWith: .greatestFiniteMagnitude)
    let found = tables[table].inspection.momentsOfFloats(large.start, 1)
    #expect(found.isFinite && found.sum == 64 * Double(Float.greatestFiniteMagnitude))
  }

  @Test(arguments: tables.indices, [false, true])
  func bytesHaveExtremesASumAndEnds(table: Int, isSigned: Bool) {
    for count in Self.blockCounts {
      var random = SeededGenerator(seed: UInt64(count))
      for bytes in [
        random.bytes(count * Self.size, isSigned: false),
        [UInt8](repeating: 0, count: count * Self.size),
        [UInt8](repeating: 255, count: count * Self.size),
        [UInt8](repeating: 128, count: count * Self.size),
        (0..<count * Self.size).map { UInt8(100 + $0 % 7) },
      ] {
        let numbers = bytes.map { isSigned ? Int(Int8(bitPattern: $0)) : Int($0) }
        let ends = isSigned ? (-128, 127) : (0, 255)
        let memory = GuardedMemory(bytes)
        let found = tables[table].inspection.momentsOfBytes(memory.start, count, isSigned)
        #expect(found.minimum == numbers.min() && found.maximum == numbers.max())
        #expect(found.sum == numbers.reduce(0, +), "\(count) blocks")
        #expect(found.lowestCount == numbers.count { $0 == ends.0 })
        #expect(found.highestCount == numbers.count { $0 == ends.1 })
      }
    }
  }

  /// The loops that measure peak throughput have correct results, so no work was optimised away.
  @Test(arguments: tables.indices)
  func limitLoopsDoTheirWork(table: Int) {
    let limits = tables[table].inspection.limits
    let lanes = limits.floatProductsPerRound / 12
    let memory = GuardedMemory<Float>(count: PeakLoops.memoryByteCount / 4, filledWith: 0.5)
    limits.multiplyFloats(10, memory.start)
    // Each lane holds the total of twelve sums that begin with a half and add a quarter ten times.
    #expect(memory.elements[..<lanes].allSatisfy { $0 == 12 * (0.5 + 10 * 0.25) })
    #expect(limits.byteProductsPerRound >= limits.floatProductsPerRound)

    let bytes = GuardedMemory<Int32>(count: 5 * PeakLoops.readByteCount / 4, filledWith: 3)
    let sum = GuardedMemory<Int32>(count: 16, filledWith: 0)
    limits.read(bytes.start, bytes.count * 4, sum.start)
    #expect(sum.elements.reduce(0, +) == Int32(3 * bytes.count))
  }
}

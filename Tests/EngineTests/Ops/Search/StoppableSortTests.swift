import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct StoppableSortTests {
  private func sorted(_ values: [Int32], _ control: RunControl? = nil) -> [Int32] {
    var (elements, scratch) = (
      values,
      [Int32](
        repeating: 0,
        count: UnsafeMutableBufferPointer<Int32>.scratchCountForSorting(values.count))
    )
    elements.withUnsafeMutableBufferPointer { elements in
      scratch.withUnsafeMutableBufferPointer { elements.sort(in: $0, control, by: <) }
    }
    return elements
  }

  @Test(arguments: [0, 1, 2, 4095, 4096, 4097, 8192, 12289, 50_000])
  func blocksAreMerged(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let values = (0..<count).map { Int32($0) }.shuffled(using: &random)
    #expect(sorted(values) == (0..<count).map { Int32($0) })
    #expect(sorted(values.sorted(by: >), RunControl()) == (0..<count).map { Int32($0) })
  }

  /// A stopped sort leaves only elements that it was given, because the caller uses them for a
  /// while.
  @Test func elementsOfASortThatWasStoppedAreAmongThoseGiven() {
    let control = RunControl()
    control.cancel()
    let values = (1...20_000).map { Int32($0) }.reversed() as [Int32]
    let result = sorted(values, control)
    #expect(result != values.sorted())
    #expect(result.allSatisfy { (1...20_000).contains($0) })
  }
}

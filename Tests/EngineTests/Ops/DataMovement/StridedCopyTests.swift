import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct StridedCopyTests {
  private func copy<Element: BitwiseCopyable>(
    _ copy: StridedCopy, from input: [Element], to output: [Element]
  ) -> [Element] {
    var output = output
    input.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { output in
        copy.run(
          from: input.baseAddress, to: output.baseAddress,
          elementWidth: MemoryLayout<Element>.stride)
      }
    }
    return output
  }

  @Test func transposes() {
    let transposed = StridedCopy(
      extents: [3, 2], source: .init(strides: [1, 3]), destination: .init(strides: [2, 1]))
    #expect(
      copy(transposed, from: [1, 2, 3, 4, 5, 6] as [Int16], to: [0, 0, 0, 0, 0, 0])
        == [1, 4, 2, 5, 3, 6])
  }

  @Test func runsBackwardsAndRepeats() {
    let backwards = StridedCopy(
      extents: [3], source: .init(offset: 2, strides: [-1]), destination: .init(strides: [1]))
    #expect(copy(backwards, from: [1, 2, 3] as [UInt8], to: [0, 0, 0]) == [3, 2, 1])
    let twice = StridedCopy(
      extents: [2, 2], source: .init(strides: [0, 1]), destination: .init(strides: [2, 1]))
    #expect(copy(twice, from: [7, 8] as [Int64], to: [0, 0, 0, 0]) == [7, 8, 7, 8])
  }

  @Test(arguments: [1, 7, 16, 33, 70])
  func reversesRowsOfAnyLength(length: Int) {
    func reverse<Element: BinaryInteger & BitwiseCopyable>(_: Element.Type) {
      let rows = (0..<5).map { row in
        (0..<length).map { Element(truncatingIfNeeded: row * 51 + $0) }
      }
      let reversed = StridedCopy(
        extents: [5, length], source: .init(offset: length - 1, strides: [length, -1]),
        destination: .init(strides: [length, 1]))
      let results = copy(
        reversed, from: rows.flatMap { $0 }, to: [Element](repeating: 0, count: 5 * length))
      #expect(results == rows.flatMap { $0.reversed() })
    }
    reverse(UInt8.self)
    reverse(Int16.self)
    reverse(UInt32.self)
    reverse(Int64.self)
  }

  @Test func fillsABoxAndNothingAround() {
    let middle = StridedCopy(
      extents: [2, 2], source: .init(strides: [2, 1]),
      destination: .init(offset: 5, strides: [4, 1]))
    #expect(
      copy(middle, from: [1, 2, 3, 4] as [Float], to: .init(repeating: 9, count: 12))
        == [9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9])
  }

  @Test func movesSixteenBytes() {
    let backwards = StridedCopy(
      extents: [2], source: .init(offset: 1, strides: [-1]), destination: .init(strides: [1]))
    let elements: [SIMD2<Double>] = [[1, 2], [3, 4]]
    #expect(copy(backwards, from: elements, to: [.zero, .zero]) == [[3, 4], [1, 2]])
  }

  /// Axes of one element are dropped, and axes that are contiguous on both sides are joined.
  @Test func joinsAxes() {
    let shape = Shape([2, 1, 3, 4])
    let whole = StridedCopy(extents: [2, 1, 3, 4], source: .init(shape), destination: .init(shape))
    #expect(whole.extents == [24])
    let rows = StridedCopy(
      extents: [2, 3, 4], source: .init(strides: [12, 4, 1]),
      destination: .init(strides: [20, 4, 1]))
    #expect(rows.extents == [2, 12])
    let element = StridedCopy(
      extents: [1, 1], source: .init(strides: [9, 9]), destination: .init(strides: [7, 7]))
    #expect(copy(element, from: [5] as [UInt8], to: [0]) == [5])
  }

  /// Transposes planes with few rows, few columns or neither, which tiles do not divide, as a whole
  /// and in slices; each element is checked by its index.
  @Test(arguments: [[70, 45], [3, 100], [100, 3], [5, 33, 40]], [1, 3, 1000])
  func transposesPlanes(extents: [Int], sliceCount: Int) {
    let shape = Shape(extents)
    let transposed = Shape(extents.reversed())
    let copy = StridedCopy(
      extents: transposed.dimensions, source: .init(strides: shape.strides.reversed()),
      destination: .init(transposed))
    let input = (0..<shape.elementCount).map(UInt32.init)
    var output = [UInt32](repeating: .max, count: input.count)
    let slices = copy.split(into: sliceCount)
    #expect(slices.reduce(0) { $0 + $1.elementCount } == input.count)
    for slice in slices { output = self.copy(slice, from: input, to: output) }
    // Element (i, …, k) of the result is element (k, …, i) of the input.
    for index in output.indices {
      var (rest, source) = (index, 0)
      for axis in extents.indices {
        source += rest % extents[axis] * shape.strides[axis]
        rest /= extents[axis]
      }
      #expect(output[index] == input[source])
    }
  }

  @Test func wantsNoMemoryForNothing() {
    let nothing = StridedCopy(
      extents: [0, 3], source: .init(strides: [3, 1]), destination: .init(strides: [3, 1]))
    nothing.run(from: nil, to: nil, elementWidth: 4)
  }

  /// A box and its gaps hold every element of the destination once.
  @Test(arguments: [
    ([2, 3, 4, 5], [0, 1, 2, 0], [0, 2, 0, 0], 1), ([1, 6, 1, 3], [1, 0, 0, 4], [2, 0, 3, 1], 1),
    ([3, 4], [2, 1], [0, 0], 3), ([5], [0], [0], 1), ([1, 1], [1, 2], [3, 0], 1),
  ])
  func gapsAreWhatIsLeftOut(extents: [Int], before: [Int], after: [Int], step: Int) throws {
    let whole = Shape(extents.indices.map { before[$0] + extents[$0] * step + after[$0] })
    let box = StridedCopy(
      extents: extents, source: .init(Shape(extents)),
      destination: .init(
        offset: zip(before, whole.strides).reduce(0) { $0 + $1.0 * $1.1 },
        strides: whole.strides.map { $0 * step }))
    let gaps = try #require(box.gaps(in: whole.elementCount))
    var counts = [Int](repeating: 0, count: whole.elementCount)
    func count(_ extents: [Int], _ layout: StridedCopy.Layout, length: Int) {
      guard let extent = extents.first, let stride = layout.strides.first else {
        for index in 0..<length { counts[layout.offset + index] += 1 }
        return
      }
      for index in 0..<extent {
        count(
          Array(extents.dropFirst()),
          .init(offset: layout.offset + index * stride, strides: Array(layout.strides.dropFirst())),
          length: length)
      }
    }
    count(box.extents, box.destination, length: 1)
    for runs in gaps { count(runs.extents, runs.layout, length: runs.length) }
    #expect(counts.allSatisfy { $0 == 1 })
  }

  @Test func overlappingAxesHaveNoGaps() {
    let columns = StridedCopy(
      extents: [2, 3], source: .init(strides: [3, 1]), destination: .init(strides: [1, 2]))
    #expect(columns.gaps(in: 6) == nil)
  }

  /// A copy in slices of at most `most` elements equals the whole copy, for any order of axes.
  @Test(arguments: [1, 2, 7, 64, 1000])
  func slicesMakeUpTheCopy(most: Int) {
    var random = SeededGenerator(seed: UInt64(most))
    for _ in 0..<40 {
      let shape = Shape(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
          Int.random(in: 1...9, using: &random)
        })
      let axes = shape.dimensions.indices.shuffled(using: &random)
      let whole = StridedCopy(
        extents: axes.map { shape[$0] }, source: .init(strides: axes.map { shape.strides[$0] }),
        destination: .init(offset: 1, strides: Shape(axes.map { shape[$0] }).strides))
      let slices = whole.slices(ofAtMost: most)
      #expect(slices.allSatisfy { (1...most).contains($0.elementCount) })
      let input = (0..<shape.elementCount).map { Int32($0) }
      let empty = [Int32](repeating: -1, count: input.count + 2)
      let result = slices.reduce(empty) { copy($1, from: input, to: $0) }
      #expect(result == copy(whole, from: input, to: empty))
    }
  }

  @Test func largeCopiesAreStopped() {
    let side = 1 << 11
    let copy = StridedCopy(
      extents: [side, side], source: .init(strides: [1, side]),
      destination: .init(strides: [side, 1]))
    let input = (0..<side * side).map { Int32(truncatingIfNeeded: $0) }
    func result(_ control: RunControl?) -> [Int32] {
      var output = [Int32](repeating: -1, count: input.count)
      input.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { output in
          copy.run(from: input.baseAddress, to: output.baseAddress, elementWidth: 4, control)
        }
      }
      return output
    }
    let control = RunControl()
    #expect(result(control) == result(nil))
    control.cancel()
    #expect(result(control).contains(-1))
  }
}

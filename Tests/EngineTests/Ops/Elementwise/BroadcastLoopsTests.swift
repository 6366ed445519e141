import OcellusEngine
import Testing

@Suite struct BroadcastLoopsTests {
  /// The offsets into each operand for all elements of the result, in order.
  private func offsets(_ operands: Shape..., to result: Shape) -> [[Int]] {
    let loops = BroadcastLoops(operands[0], operands.count == 1 ? [] : operands[1], to: result)
    var offsets: [[Int]] = []
    loops.forEachRow(unless: { false }) { start, starts, count in
      #expect(start == offsets.count)
      for index in 0..<count {
        offsets.append(operands.indices.map { starts[$0] + index * loops.rowStrides[$0] })
      }
    }
    return offsets
  }

  @Test func equalShapesAreOneRow() {
    let loops = BroadcastLoops([2, 3, 4], [2, 3, 4], to: [2, 3, 4])
    #expect(loops.rowLength == 24)
  }

  @Test func axesOfOneElementDoNotBreakRows() {
    #expect(BroadcastLoops([2, 1, 4], [2, 1, 4], to: [2, 1, 4]).rowLength == 8)
    #expect(BroadcastLoops([1, 8, 1], [1], to: [1, 8, 1]).rowLength == 8)
  }

  @Test func scalarsAreOneRow() {
    let loops = BroadcastLoops([5, 7], [], to: [5, 7])
    #expect(loops.rowLength == 35)
    #expect(loops.rowStrides[0] == 1 && loops.rowStrides[1] == 0)
  }

  @Test func bothOperandsMayBeRepeated() {
    #expect(
      offsets([2, 1], [1, 3], to: [2, 3]) == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
  }

  @Test func repetitionInTheMiddleStartsOver() {
    #expect(
      offsets([2, 1, 2], to: [2, 3, 2]).map { $0[0] } == [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3])
  }

  @Test func missingAxesAreRepeated() {
    #expect(offsets([2], to: [3, 2]).map { $0[0] } == [0, 1, 0, 1, 0, 1])
  }

  @Test func scalarResultsHaveOneElement() {
    #expect(offsets([], [], to: []) == [[0, 0]])
  }

  @Test func emptyResultsHaveNoRows() {
    #expect(offsets([0, 1], [1, 3], to: [0, 3]).isEmpty)
    #expect(offsets([3, 0], to: [3, 0]).isEmpty)
  }
}

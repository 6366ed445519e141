import OcellusEngine
import OcellusTestSupport
import Testing

@Suite struct SelectTests {
  private let condition = TestTensor([2], [Boolean(true), Boolean(false)])

  @Test func aVectorChoosesOutermostSlices() throws {
    let (shape, values) = try run(
      "SELECT",
      [
        condition, .init([2, 2], [1, 2, 3, 4] as [Float]),
        .init([2, 2], [-1, -2, -3, -4] as [Float]),
      ], as: Float.self)
    #expect(shape == [2, 2])
    #expect(values == [1, 2, -3, -4])
  }

  @Test func theSecondVersionBroadcastsAVectorAlongTheLastAxis() throws {
    let (_, values) = try run(
      "SELECT_V2",
      [condition, .init([2, 2], [1, 2, 3, 4] as [Float]), .init([], [0] as [Float])],
      as: Float.self)
    #expect(values == [1, 0, 3, 0])
  }

  /// Each operand has either the result's columns or one element for each row.
  @Test(arguments: [1, 5, 40])
  func everyWayToBroadcastRows(length: Int) throws {
    for widths in 0..<8 {
      let (c, a, b) = (
        widths & 1 > 0 ? length : 1, widths & 2 > 0 ? length : 1, widths & 4 > 0 ? length : 1
      )
      let holds = (0..<3 * c).map { $0 * 5 % 3 != 1 }
      let firsts = (0..<3 * a).map { Float($0) }
      let seconds = (0..<3 * b).map { -1 - Float($0) }
      let (shape, values) = try run(
        "SELECT_V2",
        [
          .init([3, c], holds.map { Boolean($0) }), .init([3, a], firsts), .init([3, b], seconds),
        ], as: Float.self)
      let width = max(a, b, c)
      #expect(shape == [3, width])
      let wanted = (0..<3).flatMap { row in
        (0..<width).map { column in
          holds[row * c + column % c] ? firsts[row * a + column % a] : seconds[row * b + column % b]
        }
      }
      #expect(values == wanted, "\(c), \(a), \(b)")
    }
  }

  @Test func amongSingleElementsTheFileDecidesTheShape() throws {
    let (shape, _) = try run(
      "SELECT_V2",
      [.init([], [Boolean(true)]), .init([1], [1] as [Float]), .init([1], [2] as [Float])],
      declaredShape: [1, 1, 1], as: Float.self)
    #expect(shape == [1, 1, 1])
  }

  @Test func whereListsIndicesInOrder() throws {
    let (shape, indices) = try run(
      "WHERE", [.init([2, 3], [0, 5, 0, -1, 0, 2] as [Int32])], as: Int64.self)
    #expect(shape == [3, 2])
    #expect(indices == [0, 1, 1, 0, 1, 2])
  }

  @Test(arguments: [[1], [16], [700], [3, 33], [2, 3, 5, 40]], [0, 0.02, 0.5, 1])
  func whereListsAllThatIsNotZero(shape: [Int], share: Double) throws {
    var random = SeededGenerator(seed: 31)
    let count = shape.reduce(1, *)
    let isTrue = (0..<count).map { _ in Double.random(in: 0..<1, using: &random) < share }
    let want = (0..<count).filter { isTrue[$0] }.flatMap { place in
      shape.indices.map { axis in
        Int64(place / shape[(axis + 1)...].reduce(1, *) % shape[axis])
      }
    }
    let got = try run("WHERE", [.init(shape, isTrue.map { Boolean($0) })], as: Int64.self)
    #expect(got.shape == [isTrue.count { $0 }, shape.count])
    #expect(got.values == want)
  }
}

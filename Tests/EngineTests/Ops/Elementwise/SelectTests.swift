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
}

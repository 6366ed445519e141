import Testing

@testable import OcellusEngine

@Suite struct SegmentLayoutTests {
  private func offsets(_ layout: SegmentLayout) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: layout.tensorOffsets.map { ($0.tensor, $0.offset) })
  }

  /// Tensor 1 shows the elements of tensor 0 up to step 3, so tensor 2 cannot have their place.
  @Test func aViewKeepsTheMemoryOfItsSource() throws {
    var layout = SegmentLayout()
    layout.addTensor(0, byteCount: 128, from: 0, to: 1)
    let isView = layout.addView(1, of: 0, byteCount: 128, to: 3)
    layout.addTensor(2, byteCount: 128, from: 2, to: 3)
    let byteCount = layout.place()
    #expect(isView)
    #expect(byteCount == 256)
    let offsets = offsets(layout)
    #expect(offsets[0] == offsets[1])
    #expect(offsets[2] != offsets[0])
  }

  @Test func viewsOfViewsShareOnePlace() {
    var layout = SegmentLayout()
    layout.addTensor(0, byteCount: 64, from: 0, to: 1)
    let areViews = [
      layout.addView(1, of: 0, byteCount: 64, to: 2),
      layout.addView(2, of: 1, byteCount: 64, to: 3),
    ]
    let byteCount = layout.place()
    #expect(areViews == [true, true])
    #expect(byteCount == 64)
    #expect(offsets(layout) == [0: 0, 1: 0, 2: 0])
  }

  /// Inputs of the graph lie elsewhere, and a result of another size is no view.
  @Test func onlyAPlacedTensorOfTheSameSizeIsShown() {
    var layout = SegmentLayout()
    layout.addTensor(0, byteCount: 64, from: 0, to: 1)
    let areViews = [
      layout.addView(1, of: 7, byteCount: 64, to: 2),
      layout.addView(1, of: 0, byteCount: 32, to: 2),
    ]
    #expect(areViews == [false, false])
  }
}

import OcellusEngine
import Testing

@Suite struct SegmentLayoutTests {
  private func offsets(_ layout: SegmentLayout) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: layout.tensorOffsets.map { ($0.tensor, $0.offset) })
  }

  /// Tensor 1 is a view of tensor 0 until step 3, so tensor 2 cannot reuse its memory.
  @Test func aViewKeepsTheMemoryOfItsSource() throws {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 128, from: 0, to: 1)
    let isView = layout.addView(1, of: 0, at: 0, byteCount: 128, to: 3)
    layout.addTensor(2, byteCount: 128, from: 2, to: 3)
    let byteCount = layout.place()
    #expect(isView)
    #expect(byteCount == 256)
    let offsets = offsets(layout)
    #expect(offsets[0] == offsets[1])
    #expect(offsets[2] != offsets[0])
  }

  @Test func viewsOfViewsShareOnePlace() {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 64, from: 0, to: 1)
    let areViews = [
      layout.addView(1, of: 0, at: 0, byteCount: 64, to: 2),
      layout.addView(2, of: 1, at: 0, byteCount: 64, to: 3),
    ]
    let byteCount = layout.place()
    #expect(areViews == [true, true])
    #expect(byteCount == 64)
    #expect(offsets(layout) == [0: 0, 1: 0, 2: 0])
  }

  /// Tensor 1 is half of tensor 0; tensor 2 is so small that it is not worth keeping tensor 0
  /// alive.
  @Test func largePartsShareTheMemoryOfTheWhole() {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 65536, from: 0, to: 1)
    let areViews = [
      layout.addView(1, of: 0, at: 32768, byteCount: 32768, to: 3),
      layout.addView(2, of: 0, at: 0, byteCount: 8192, to: 3),
    ]
    _ = layout.place()
    #expect(areViews == [true, false])
    #expect(offsets(layout) == [0: 0, 1: 32768])
  }

  /// Slices of a small tensor, such as unrolled input steps, are views: copies would save nothing.
  @Test func smallPartsShareTheMemoryOfASmallWhole() {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 256, from: 0, to: 1)
    let isView = layout.addView(1, of: 0, at: 96, byteCount: 9, to: 3)
    _ = layout.place()
    #expect(isView)
    #expect(offsets(layout) == [0: 0, 1: 96])
  }

  /// A tensor that the layout does not place, such as a graph input, cannot have views.
  @Test func onlyAPlacedTensorIsShown() {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 64, from: 0, to: 1)
    let isView = layout.addView(1, of: 7, at: 0, byteCount: 64, to: 2)
    #expect(!isView)
  }

  /// Tensors 0 and 1 are computed in steps 0 and 1 and concatenated in step 2; a view of tensor 1
  /// moves with it, and tensor 4, alive in step 0, does not overlap them.
  @Test func joinedTensorsAreMadeInPlace() throws {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(4, byteCount: 64, from: 0, to: 0)
    layout.addTensor(0, byteCount: 64, from: 0, to: 2)
    layout.addTensor(1, byteCount: 128, from: 1, to: 2)
    _ = layout.addView(2, of: 1, at: 64, byteCount: 64, to: 2)
    layout.addTensor(3, byteCount: 192, from: 2, to: 3)
    let arePut = [
      layout.put(0, into: 3, at: 0, byteCount: 64), layout.put(1, into: 3, at: 64, byteCount: 128),
    ]
    let byteCount = layout.place()
    let offsets = offsets(layout)
    let whole = try #require(offsets[3])
    #expect(arePut == [true, true])
    #expect(offsets[0] == whole)
    #expect(offsets[1] == whole + 64)
    #expect(offsets[2] == whole + 128)
    #expect(byteCount == 256)
  }

  @Test func aTensorIsPutIntoOneWholeOnly() {
    var layout = SegmentLayout(tensorCount: 8)
    layout.addTensor(0, byteCount: 64, from: 0, to: 2)
    layout.addTensor(1, byteCount: 128, from: 1, to: 3)
    layout.addTensor(2, byteCount: 128, from: 2, to: 3)
    let arePut = [
      layout.put(0, into: 1, at: 0, byteCount: 64), layout.put(0, into: 1, at: 64, byteCount: 64),
      layout.put(0, into: 2, at: 0, byteCount: 64),
    ]
    #expect(arePut == [true, false, false])
  }
}

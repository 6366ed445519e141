import OcellusEngine
import Testing

/// Paddings of `1 2 3`, compared with results written by hand.
@Suite struct AxisPaddingTests {
  private func padded(_ padding: AxisPadding) -> [Int] {
    (0..<max(padding.padded(3), 0)).map { position in
      padding.source(of: position, extent: 3).map { $0 + 1 } ?? 0
    }
  }

  @Test func padsEnds() {
    #expect(padded(AxisPadding(low: 1, high: 2)) == [0, 1, 2, 3, 0, 0])
  }

  @Test func padsBetweenElements() {
    #expect(padded(AxisPadding(interior: 2)) == [1, 0, 0, 2, 0, 0, 3])
  }

  @Test func cropsThroughInteriorPadding() {
    #expect(padded(AxisPadding(low: -1, interior: 2)) == [0, 0, 2, 0, 0, 3])
    #expect(padded(AxisPadding(high: -1, interior: 2)) == [1, 0, 0, 2, 0, 0])
  }

  @Test func keepsWhatIsLeft() {
    #expect(AxisPadding(low: -1, interior: 2).kept(of: 3) == 1..<3)
    #expect(AxisPadding(high: -1, interior: 2).kept(of: 3) == 0..<2)
    #expect(AxisPadding(low: -9, high: 20).kept(of: 3).isEmpty)
    #expect(AxisPadding(low: 5).kept(of: 0).isEmpty)
  }

  @Test func refusesWhatWouldOverflow() {
    #expect(!AxisPadding(low: .min).isReasonable)
    #expect(!AxisPadding(interior: .max).isReasonable)
    #expect(!AxisPadding(interior: -1).isReasonable)
  }
}

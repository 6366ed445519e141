import OcellusImaging
import OcellusVision
import Testing

@Suite struct LineCounterTests {
  /// Returns a counter for the segment from (100, 100) to (300, 100); its right side is below.
  private func line(_ options: CountingOptions = .init()) -> LineCounter {
    LineCounter(
      from: PixelPoint(x: 100, y: 100), to: PixelPoint(x: 300, y: 100), options: options)
  }

  /// Moves one object through the points at ten frames a second and returns its crossings.
  private func crossings(
    _ points: [(Double, Double)], of counter: inout LineCounter, id: Int? = 1
  ) -> [LineCounter.Crossing] {
    points.enumerated().flatMap { index, point in
      counter.update([Track.at(id, point.0, point.1)], at: .milliseconds(100 * index))
    }
  }

  @Test func anObjectThatCrossesCountsOnceInItsDirection() {
    var counter = line()
    let crossings = crossings((0..<20).map { (200, 50 + 5 * Double($0)) }, of: &counter)
    #expect(crossings.map(\.direction) == [.leftToRight])
    #expect(crossings.map(\.id) == [1])
    // The object first leaves the band of 5 pixels at y = 110.
    #expect(crossings.map(\.time) == [.milliseconds(1200)])
    #expect(counter.count(.leftToRight) == 1)
    #expect(counter.count(.rightToLeft) == 0)
  }

  /// Requirement I5: a box that trembles on the line within the band counts once.
  @Test func tremblingWithinTheBandIsOneCrossing() {
    var counter = line()
    var points: [(Double, Double)] = [(200, 80), (200, 90)]
    for index in 0..<50 { points.append((200, index.isMultiple(of: 2) ? 97 : 104)) }
    points += [(200, 110), (200, 103), (200, 97), (200, 120)]
    #expect(crossings(points, of: &counter).map(\.direction) == [.leftToRight])
  }

  /// Requirement I5: an object that passes beyond the ends of the segment does not count.
  @Test(arguments: [50.0, 99, 301, 400])
  func passingBeyondTheEndsIsNoCrossing(x: Double) {
    var counter = line()
    #expect(crossings([(x, 50), (x, 150), (x, 50), (x, 150)], of: &counter).isEmpty)
  }

  /// An object that goes around the end of the line and comes back through it counts once.
  @Test func theWayBackCountsOnItsOwn() {
    var counter = line()
    let crossings = crossings(
      [(200, 50), (350, 90), (350, 150), (200, 150), (200, 50)], of: &counter)
    #expect(crossings.map(\.direction) == [.rightToLeft])
  }

  /// Requirement I4: objects without an identity never count.
  @Test func objectsWithoutIdentityNeverCount() {
    var counter = line()
    for frame in 0..<200 {
      let tracks = (0..<10).map { index in
        Track.at(nil, 110 + 15 * Double(index), (frame + index).isMultiple(of: 2) ? 60 : 140)
      }
      #expect(counter.update(tracks, at: .milliseconds(33 * frame)).isEmpty)
    }
    #expect(counter.count(.leftToRight) == 0)
    #expect(counter.count(.rightToLeft) == 0)
  }

  @Test func shortVisitsDoNotCount() {
    var counter = line(CountingOptions(minimumDwell: .milliseconds(300)))
    let visit = [(200.0, 50.0), (200, 50), (200, 50), (200, 50), (200, 120), (200, 120), (200, 50)]
    #expect(crossings(visit, of: &counter).isEmpty)
    counter = line(CountingOptions(minimumDwell: .milliseconds(300)))
    let move =
      Array(repeating: (200.0, 50.0), count: 4) + Array(repeating: (200.0, 120.0), count: 4)
    #expect(crossings(move, of: &counter).map(\.time) == [.milliseconds(700)])
  }

  @Test func categoriesAreCountedApart() {
    var counter = line(CountingOptions(categories: [1, 2]))
    for (frame, y) in [50.0, 150].enumerated() {
      _ = counter.update(
        [
          Track.at(1, 150, y, category: 1), Track.at(2, 200, y, category: 2),
          Track.at(3, 220, y, category: 2), Track.at(4, 250, y, category: 3), Track.at(5, 280, y),
        ], at: .seconds(frame))
    }
    #expect(counter.count(.leftToRight) == 3)
    #expect(counter.count(.leftToRight, category: 1) == 1)
    #expect(counter.count(.leftToRight, category: 2) == 2)
    #expect(counter.count(.leftToRight, category: 3) == 0)
  }

  @Test func theFootOfAnObjectMayCount() {
    var counter = line(CountingOptions(anchor: .bottom))
    // The centre stays above the line; the foot, 20 pixels below it, crosses.
    #expect(crossings([(200, 60), (200, 90)], of: &counter).count == 1)
  }

  @Test func aLineOfNoLengthCountsNothing() {
    let point = PixelPoint(x: 100, y: 100)
    var counter = LineCounter(from: point, to: point)
    #expect(crossings([(100, 50), (100, 150), (50, 100), (.nan, 1)], of: &counter).isEmpty)
  }
}

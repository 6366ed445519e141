import OcellusImaging
import OcellusVision
import Testing

@Suite struct ZoneCounterTests {
  /// Returns a counter for the square from (100, 100) to (200, 200).
  private func zone(_ options: CountingOptions = .init()) -> ZoneCounter {
    ZoneCounter(
      corners: [(100, 100), (200, 100), (200, 200), (100, 200)].map { PixelPoint(x: $0, y: $1) },
      options: options)
  }

  @Test func objectsEnterAndLeave() {
    var counter = zone()
    var events: [ZoneCounter.Event] = []
    for (frame, x) in [50.0, 80, 97, 103, 98, 120, 150, 197, 204, 198, 230].enumerated() {
      events += counter.update([Track.at(7, x, 150)], at: .milliseconds(100 * frame))
      #expect(counter.occupants == ((5...9).contains(frame) ? [7] : []))
    }
    #expect(events.map(\.change) == [.entered, .left])
    #expect(events.map(\.id) == [7, 7])
    #expect(counter.count(.entered) == 1)
  }

  @Test func objectsAppearAndVanish() {
    var counter = zone(CountingOptions(memory: .seconds(1)))
    #expect(counter.update([Track.at(1, 150, 150)], at: .zero).map(\.change) == [.appeared])
    #expect(counter.update([Track.at(nil, 150, 150)], at: .seconds(1)).isEmpty)
    #expect(counter.occupants == [1])
    #expect(counter.update([], at: .seconds(2)).map(\.change) == [.vanished])
    #expect(counter.occupants.isEmpty)
  }

  @Test func dwellKeepsPassersByOut() {
    var counter = zone(CountingOptions(minimumDwell: .seconds(1)))
    var events: [ZoneCounter.Event] = []
    for frame in 0..<30 {
      let time = Duration.milliseconds(100 * frame)
      // One object walks through in 0.8 seconds; another one stays.
      events += counter.update(
        [
          Track.at(1, frame < 8 ? 150 : 300, 150), Track.at(2, frame < 10 ? 50 : 150, 150),
        ], at: time)
    }
    #expect(events.map(\.id) == [2])
    #expect(events.map(\.time) == [.seconds(2)])
  }

  @Test(arguments: 0..<3)
  func degenerateZonesHoldNothing(corners: Int) {
    var counter = ZoneCounter(
      corners: Array(repeating: PixelPoint(x: 100, y: 100), count: corners))
    #expect(counter.update([Track.at(1, 100, 100), Track.at(2, 300, 300)], at: .zero).isEmpty)
  }
}

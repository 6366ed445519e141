import OcellusCompatibility
import OcellusImaging
import Testing

@Suite struct StreamClockTests {
  private let start = ContinuousClock.now

  private func picture(at milliseconds: Int?) -> SuppliedPicture {
    SuppliedPicture(
      Image(uninitialized: .rgb8, size: PixelSize(width: 1, height: 1)), orientation: .up,
      time: milliseconds.map { .milliseconds($0) })
  }

  /// Returns the times of pictures, given their own times and those at which they are processed.
  private func times(_ pictures: [(own: Int?, processed: Int)]) -> [Duration] {
    var clock = StreamClock()
    return pictures.map { own, processed in
      clock.time(of: picture(at: own), at: start + .milliseconds(processed))
    }
  }

  @Test func picturesWithoutTimesGetThatWhichPassed() {
    #expect(
      times([(nil, 100), (nil, 140), (nil, 250)])
        == [.zero, .milliseconds(40), .milliseconds(150)])
  }

  /// A single picture between frames takes no time that the next frame would contradict, however
  /// long the frames before took.
  @Test func framesGoOnAfterAPictureWithoutATime() {
    #expect(
      times([(0, 0), (33, 500), (nil, 900), (66, 1400), (nil, 1500), (66, 1600)])
        == [0, 33, 33, 66, 66, 66].map { .milliseconds($0) })
  }

  /// Frames whose times count from anywhere follow pictures without times.
  @Test func framesFollowPicturesWithoutTimes() {
    #expect(
      times([(nil, 0), (nil, 100), (5000, 150), (5033, 900), (nil, 950)])
        == [0, 100, 150, 183, 183].map { .milliseconds($0) })
    #expect(
      times([(nil, 0), (nil, 100), (0, 150), (33, 160)])
        == [0, 100, 150, 183].map { .milliseconds($0) })
  }

  /// A frame older than the one before it gets an older time, which is an error later on; the next
  /// one is right again.
  @Test func olderFramesDoNotSetTheClockBack() {
    #expect(
      times([(100, 0), (50, 10), (133, 20)]) == [100, 50, 133].map { .milliseconds($0) })
    #expect(
      times([(nil, 0), (100, 10), (50, 20), (133, 30)])
        == [0, 10, -40, 43].map { .milliseconds($0) })
  }
}

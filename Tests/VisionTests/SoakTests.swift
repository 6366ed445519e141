import Foundation
import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Testing

/// Long streams: cameras run for days, and anything that grows with each frame would end them.
@Suite struct SoakTests {
  #if DEBUG
    private static let frames = 3_000
  #else
    private static let frames = 100_000
  #endif

  /// The process's resident memory in bytes.
  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(Int(text.split(separator: " ")[1])) * 4096
  }

  /// Runs in its own process, because other tests allocate memory as well.
  @Test func memoryStaysFlatAndBadFramesDoNoHarm() async {
    await #expect(processExitsWith: .success) { try SoakTests.run() }
  }

  /// Processes objects that come and go, late frames, and pictures that cannot be used.
  private static func run() throws {
    let detector = try ObjectDetector(SyntheticDetector.model())
    let recognizer = ObjectRecognizer(detector, classifier: try SyntheticLabeler.labeler())
    let sizes = [PixelSize(width: 40, height: 20), PixelSize(width: 16, height: 48)]
    let pictures = sizes.map { Image(uninitialized: .rgb8, size: $0) }
    let broken = Image(uninitialized: .planarFloat(channels: 2), size: sizes[0])
    var resident = 0
    var refused = 0
    for frame in 0..<frames {
      // A scene lasts for 50 frames; then all objects have other positions and new identities.
      let picture = frame % 997 == 500 ? broken : pictures[frame / 50 % 2]
      let time = Duration.milliseconds(frame % 1009 == 700 ? 33 * frame - 500 : 33 * frame)
      do { _ = try recognizer.process(picture, at: time) } catch { refused += 1 }
      if frame == frames / 10 { resident = try residentBytes() }
    }
    #expect(refused >= frames / 1009)
    #expect(refused <= 2 * frames / 997 + 2)
    #expect(try residentBytes() - resident < 8 << 20)
    #expect(try recognizer.process(pictures[0], at: .milliseconds(33 * frames)).count == 2)
  }
}

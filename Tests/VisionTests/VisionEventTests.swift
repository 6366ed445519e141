import OcellusImaging
import OcellusTestSupport
import OcellusVision
import Synchronization
import Testing

@Suite struct VisionEventTests {
  /// Events reach the observer; the test runs in its own process because the observer is global.
  @Test func whatHappensIsTold() async {
    await #expect(processExitsWith: .success) {
      let log = Mutex<[String]>([])
      VisionEvent.observer = { event in
        let word =
          switch event {
          case .modelLoaded(let path, let time) where time > .zero:
            "loaded \(path.split(separator: "/").last ?? "")"
          case .planMade(let time, let memory) where time > .zero && memory > 0: "planned"
          case .pictureSeen(let stages)
          where stages.preparing > .zero && stages.running > .zero && stages.reading > .zero:
            "seen"
          case .frameDropped: "dropped"
          default: "something without a time"
          }
        log.withLock { $0.append(word) }
      }
      let detector = try ObjectDetector(path: EmbeddedModel.detector.path)
      let image = Image(uninitialized: .rgb8, size: PixelSize(width: 64, height: 48))
      _ = try detector.detect(in: image)
      VisionEvent.observer = nil
      _ = try detector.detect(in: image)
      #expect(log.withLock { $0 } == ["loaded scenes-detector.tflite", "planned", "seen"])
    }
  }

  /// The observer is read for every event, in processes that run for months.
  @Test func readingTheObserverLeavesItAsItIs() async {
    await #expect(processExitsWith: .success) {
      let count = Mutex(0)
      VisionEvent.observer = { _ in count.withLock { $0 += 1 } }
      for _ in 0..<2_000_000 { _ = VisionEvent.observer }
      // If each reading had wrapped it once more, no stack would be large enough for this call.
      VisionEvent.observer?(.frameDropped)
      #expect(count.withLock { $0 } == 1)
    }
  }
}

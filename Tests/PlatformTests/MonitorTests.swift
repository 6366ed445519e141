import OcellusPlatform
import Testing

@Suite struct MonitorTests {
  @Test func waitingEndsWithAChange() {
    let monitor = Monitor(0)
    SystemThread.run { monitor.change { $0 = 7 } }
    #expect(monitor.wait(upTo: .seconds(60)) { $0 > 0 ? $0 : nil } == 7)
  }

  @Test(arguments: [Duration.seconds(-1), .zero, .milliseconds(30)])
  func waitingEndsWithTheTime(limit: Duration) {
    let start = ContinuousClock.now
    #expect(Monitor(0).wait(upTo: limit) { $0 > 0 ? $0 : nil } == nil)
    #expect(start.duration(to: .now) >= limit)
  }

  @Test func whatIsThereIsNotWaitedFor() {
    #expect(Monitor(1).wait(upTo: .zero) { $0 } == 1)
    #expect(Monitor(1).wait(upTo: .seconds(Int64.max)) { $0 } == 1)
  }
}

import OcellusImaging
import OcellusVision
import Testing

@Suite struct LabelCacheTests {
  private let size = PixelSize(width: 400, height: 200)
  private let names = [Category(index: 3, label: "mug", score: 0.8)]

  private func object(_ id: Int?, x: Double, side: Double) -> Detection {
    Detection(
      box: BoundingBox(x: x, y: 20, width: side, height: side), categories: [], score: 0.9,
      trackingID: id)
  }

  private func urgent(
    _ memory: LabelCache, _ objects: [Detection], at milliseconds: Int, limit: Int = 5
  ) -> [Int?] {
    memory.mostUrgent(of: objects, in: size, at: .milliseconds(milliseconds), limit: limit).map {
      objects[$0].trackingID
    }
  }

  private func asked(_ answer: [OcellusVision.Category], about object: Detection) -> LabelCache {
    var memory = LabelCache()
    memory.remember(answer, of: object, as: 1, among: [object], in: size, at: .zero)
    return memory
  }

  @Test func newObjectsComeFirstLargeOnesBeforeSmall() {
    let memory = asked(names, about: object(1, x: 0, side: 20))
    let objects = [
      object(1, x: 0, side: 60), object(2, x: 100, side: 30), object(nil, x: 150, side: 50),
      object(3, x: 220, side: 50),
    ]
    #expect(urgent(memory, objects, at: 10) == [3, 2, 1])
    #expect(urgent(memory, objects, at: 10, limit: 1) == [3])
    #expect(urgent(memory, objects, at: 10, limit: -1) == [])
  }

  @Test func anEmptyAnswerIsAskedForAgainAfterAPause() {
    let mug = object(1, x: 0, side: 40)
    var memory = asked([], about: mug)
    #expect(urgent(memory, [mug], at: 100) == [])
    #expect(urgent(memory, [mug], at: 250) == [1])
    memory.remember(names, of: mug, as: 1, among: [mug], in: size, at: .milliseconds(250))
    #expect(memory[1] == names)
    #expect(urgent(memory, [mug], at: 5000) == [])
  }

  @Test func noAnswerTakesNoneAway() {
    let mug = object(1, x: 0, side: 40)
    var memory = asked(names, about: mug)
    memory.remember([], of: mug, as: 1, among: [mug], in: size, at: .seconds(1))
    #expect(memory[1] == names)
  }

  @Test func whatHasGrownIsAskedAboutAgain() {
    let memory = asked(names, about: object(1, x: 0, side: 40))
    #expect(urgent(memory, [object(1, x: 0, side: 50)], at: 100) == [])
    #expect(urgent(memory, [object(1, x: 0, side: 60)], at: 100) == [1])
  }

  @Test func whatCameInFromTheEdgeIsAskedAboutAgain() {
    let memory = asked(names, about: object(1, x: -30, side: 40))
    #expect(urgent(memory, [object(1, x: 10, side: 40)], at: 100) == [1])
  }

  @Test func whatCameOutFromBehindIsAskedAboutAgain() {
    let (mug, other) = (object(1, x: 100, side: 40), object(2, x: 105, side: 40))
    var memory = LabelCache()
    for (id, detection) in [(1, mug), (2, other)] {
      memory.remember(names, of: detection, as: id, among: [mug, other], in: size, at: .zero)
    }
    #expect(urgent(memory, [mug, other], at: 100) == [])
    #expect(urgent(memory, [mug, object(2, x: 300, side: 40)], at: 100) == [1, 2])
  }
}

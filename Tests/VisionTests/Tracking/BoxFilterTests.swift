import OcellusImaging
import OcellusVision
import Testing

@Suite struct BoxFilterTests {
  private static let boxes = [
    BoundingBox(x: 100, y: 50, width: 40, height: 100),
    BoundingBox(x: 104, y: 51, width: 41, height: 101),
    BoundingBox(x: 109, y: 53, width: 40, height: 99),
    BoundingBox(x: 113, y: 54, width: 42, height: 102),
  ]

  /// Coordinates and velocities after `boxes`, by the published filters in full matrix form (NumPy,
  /// F P Fᵀ + Q and so on).
  private static let published: [(MotionModel, SIMD4<Double>, SIMD4<Double>)] = [
    (
      .sort, [133.9233472270573, 104.79305038880564, 4200.262755032319, 0.40617488879076086],
      [4.716280956193549, 1.7037688600297336, 67.88762424024821, 0]
    ),
    (
      .byteTrack, [133.1476468672054, 104.5111332062841, 0.40065971205296347, 101.30476290813151],
      [3.243661665756018, 1.1575971431590744, 8.264309208519685e-10, 0.3456207781048608]
    ),
    (
      .botSort, [133.13538551038604, 104.5111332062841, 41.55933028146938, 101.30476290813151],
      [3.2264273003633885, 1.1575971431590744, 0.3686217288926714, 0.3456207781048608]
    ),
  ]

  @Test(arguments: 0..<3)
  func thirtyFramesASecondAreThePublishedFilters(index: Int) {
    let (model, position, velocity) = Self.published[index]
    var filter = BoxFilter(Self.boxes[0], model: model)
    for box in Self.boxes.dropFirst() {
      filter.predict(1, model: model, isLost: false)
      filter.correct(with: box, score: 0.9, model: model)
    }
    for lane in 0..<4 {
      #expect(abs(filter.position[lane] - position[lane]) <= 1e-9 * abs(position[lane]))
      #expect(abs(filter.velocity[lane] - velocity[lane]) <= 1e-9 * max(1, abs(velocity[lane])))
    }
  }

  /// One prediction over three frames equals three over one: the frame rate does not matter.
  ///
  /// The noise is proportional to the size, which is constant here: its velocity is zero at first.
  @Test func oneLongStepIsSeveralShortOnes() {
    var model = MotionModel.botSort
    model.velocityNoise.relative = [0.02, 0.02, 0, 0]
    model.initialVelocityNoise.relative = [0.1, 0.1, 0, 0]
    var long = BoxFilter(Self.boxes[0], model: model)
    var short = long
    long.predict(3, model: model, isLost: false)
    for _ in 0..<3 { short.predict(1, model: model, isLost: false) }
    long.correct(with: Self.boxes[3], score: 1, model: model)
    short.correct(with: Self.boxes[3], score: 1, model: model)
    for lane in 0..<4 {
      #expect(abs(long.position[lane] - short.position[lane]) < 1e-9)
      #expect(abs(long.velocity[lane] - short.velocity[lane]) < 1e-9)
    }
  }

  /// A surprising measurement raises the uncertainty: a steady filter follows a turn after a few
  /// frames.
  @Test func surprisesMakeVelocitiesUncertain() {
    func velocity(_ model: MotionModel) -> Double {
      var filter = BoxFilter(Self.boxes[0], model: model)
      for frame in 1...33 {
        filter.predict(1, model: model, isLost: false)
        let way = frame <= 30 ? 8 * Double(frame) : 240 - 8 * Double(frame - 30)
        filter.correct(with: Self.boxes[0].offset(x: way, y: 0), score: 1, model: model)
      }
      return filter.velocity.x
    }
    var model = MotionModel.steady
    #expect(velocity(model) < -2)
    model.greatestSurprise = .infinity
    #expect(velocity(model) > 2)
  }

  @Test(arguments: 0..<3)
  func sizesNeverBecomeNegative(index: Int) {
    let model = Self.published[index].0
    var filter = BoxFilter(BoundingBox(x: 0, y: 0, width: 80, height: 80), model: model)
    for size in [70.0, 50, 30, 10] {
      filter.predict(1, model: model, isLost: false)
      filter.correct(
        with: BoundingBox(x: 0, y: 0, width: size, height: size), score: 1, model: model)
    }
    for _ in 0..<50 {
      filter.predict(1, model: model, isLost: false)
      let box = filter.box(model: model)
      #expect(box.width > 0 && box.height > 0)
    }
  }
}

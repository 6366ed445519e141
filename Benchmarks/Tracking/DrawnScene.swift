import Foundation
import OcellusImaging
import OcellusVision

/// A simulated scene for which no tracker was tuned: people or cars on a plane, seen by a camera.
///
/// Lengths are in meters, positions in the picture in pixels of 1920 × 1080.
struct DrawnScene {
  enum Kind: String, CaseIterable {
    /// A group of similar dancers who leap and swap positions.
    case dancers
    /// Many people in a street, seen from above.
    case crowd
    /// A crowd with a weak detector.
    case weakCrowd
    /// A street from a handheld camera, whose owner may walk.
    case handheld
    /// A road from a car.
    case road
    /// Players who follow a ball, as the camera does.
    case players
    /// A low frame rate.
    case fewPictures
  }

  /// A moving person or car.
  private struct Mover {
    var id: Int
    var place: SIMD2<Double>
    var velocity: SIMD2<Double> = .zero
    /// The position to which a dancer returns.
    var home: SIMD2<Double> = .zero
    var size: SIMD2<Double>
    var phase: Double
  }

  private static let picture = PixelSize(width: 1920, height: 1080)
  private static let focalLength = 1000.0

  private let kind: Kind
  private let seed: UInt64
  private var dice: Dice
  private var movers: [Mover] = []
  private var lastID = 0
  /// The camera's horizontal and vertical shift in pixels.
  private var turn = 0.0
  private var lift = 0.0
  private var ball = SIMD2(0.0, 25.0)

  private init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    self.seed = seed
    dice = Dice(seed: seed &* 977 &+ UInt64(kind.rawValue.utf8.reduce(0) { $0 * 31 + Int($1) }))
    let count =
      switch kind {
      case .dancers: 5 + Int(9 * dice.share())
      case .crowd, .weakCrowd: 20 + Int(25 * dice.share())
      case .handheld: 12 + Int(10 * dice.share())
      case .players: 20
      case .road, .fewPictures: 10
      }
    for _ in 0..<count { movers.append(newMover(isInside: true)) }
  }

  /// Returns 250 frames of a scene, with detections by a simulated detector.
  static func sequence(_ kind: Kind, seed: UInt64) -> Sequence {
    var scene = DrawnScene(kind, seed: seed)
    let truth = (0..<250).map { frame in
      scene.advance(to: Double(frame) / scene.rate)
      return scene.boxes(at: Double(frame) / scene.rate)
    }
    let detector: SimulatedDetector = kind == .weakCrowd || seed % 2 == 0 ? .weak : .good
    let found = detector.detect(truth, &scene.dice)
    return Sequence(
      boxes: found.boxes, scores: found.scores, truth: truth, framesPerSecond: scene.rate)
  }

  // MARK: The world

  private var rate: Double {
    switch kind {
    case .dancers: 20
    case .crowd, .weakCrowd: [14, 25, 30][Int(seed % 3)]
    case .handheld: [30, 15][Int(seed % 2)]
    case .road: 10
    case .players: 25
    case .fewPictures: [5, 7][Int(seed % 2)]
    }
  }

  private var isFromAbove: Bool { kind == .crowd || kind == .weakCrowd || kind == .players }

  private var depths: ClosedRange<Double> {
    switch kind {
    case .dancers: 5...11
    case .players: 12...40
    case .road: 5...60
    default: 5...25
    }
  }

  /// Returns the lateral distance up to which the camera sees objects at a depth.
  private func side(at depth: Double) -> Double {
    Double(Self.picture.width) / 2 / Self.focalLength * depth
  }

  /// Returns a new object, inside the scene or entering it.
  private mutating func newMover(isInside: Bool) -> Mover {
    lastID += 1
    let depth = Double.random(in: depths, using: &dice)
    let width = kind == .dancers ? 3.5 : side(at: depth)
    var mover = Mover(
      id: lastID, place: [width * (2 * dice.share() - 1), depth],
      size: [0.55 * exp(dice.normal(0.1)), 1.7 * exp(dice.normal(0.06))],
      phase: 2 * .pi * dice.share())
    switch kind {
    case .dancers, .players: mover.home = mover.place
    case .road: drive(&mover, isInside: isInside)
    default:
      let direction: Double = dice.happens(0.5) ? 1 : -1
      if !isInside { mover.place.x = -direction * (width + 0.5) - turnInMeters(at: depth) }
      if dice.happens(0.85) {
        mover.velocity = [direction * (1.2 + dice.normal(0.3)), dice.normal(0.4)]
      }
    }
    return mover
  }

  private mutating func drive(_ mover: inout Mover, isInside: Bool) {
    mover.size = [1.8 * exp(dice.normal(0.08)), 1.5 * exp(dice.normal(0.08))]
    let lane = Int(4 * dice.share())
    mover.place.x = [-6, -3, 3, 7][lane]
    // Of four lanes, two come, one goes, and one is for parked cars.
    mover.velocity.y = [-8 + dice.normal(4), -8 + dice.normal(4), 10 + dice.normal(3), 0][lane]
    if !isInside { mover.place.y = mover.velocity.y > 9 ? depths.lowerBound : depths.upperBound }
  }

  private func turnInMeters(at depth: Double) -> Double { turn / Self.focalLength * depth }

  private mutating func advance(to time: Double) {
    let step = 1 / rate
    if kind == .players {
      ball = [ball.x + step * 14 * sin(0.9 * time + Double(seed)), 25 + 8 * sin(0.37 * time)]
    }
    let pace = moveCamera(at: time, step: step)
    if kind == .dancers, time.truncatingRemainder(dividingBy: 2.5) < step { changePlaces() }
    for index in movers.indices {
      var mover = movers[index]
      accelerate(&mover, step: step)
      mover.place += step * (mover.velocity - SIMD2(0, pace))
      movers[index] = hasLeft(mover) ? newMover(isInside: false) : mover
    }
  }

  /// Moves the camera and returns its forward speed.
  private mutating func moveCamera(at time: Double, step: Double) -> Double {
    switch kind {
    case .handheld:
      turn += step * (dice.normal(60) + (seed % 2 == 0 ? 200 * sin(0.5 * time) : 0))
      lift = 12 * sin(11 * time) + dice.normal(4)
      return seed % 3 == 0 ? 1.2 : 0
    case .road:
      turn += step * 150 * sin(0.4 * time + Double(seed))
      lift = dice.normal(2)
      return 9
    case .players:
      turn = -0.7 * Self.focalLength * ball.x / ball.y
      return 0
    default: return 0
    }
  }

  private mutating func changePlaces() {
    let order = movers.indices.shuffled(using: &dice)
    for pair in stride(from: 0, to: order.count - 1, by: 2) where dice.happens(0.6) {
      let home = movers[order[pair]].home
      movers[order[pair]].home = movers[order[pair + 1]].home
      movers[order[pair + 1]].home = home
    }
    let shift = dice.normal(0.7)
    for index in movers.indices { movers[index].home.x += shift - 0.1 * movers[index].home.x }
  }

  private mutating func accelerate(_ mover: inout Mover, step: Double) {
    switch kind {
    case .dancers:
      mover.velocity += step * (6 * (mover.home - mover.place) - 4 * mover.velocity)
      mover.velocity += [dice.normal(0.08), dice.normal(0.04)]
    case .players:
      let goal = SIMD2(
        0.6 * ball.x + 12 * sin(7 * mover.phase), 0.5 * ball.y + 12.5 + 10 * cos(5 * mover.phase))
      mover.velocity += step * 1.2 * (goal - mover.place - mover.velocity)
      mover.velocity += [dice.normal(0.4), dice.normal(0.3)]
    case .road: break
    default:
      let stray = 0.15 * step.squareRoot()
      mover.velocity += [dice.normal(stray), dice.normal(stray)]
      if dice.happens(0.02 * step) { mover.velocity.x = -mover.velocity.x }
    }
  }

  private func hasLeft(_ mover: Mover) -> Bool {
    guard kind != .dancers, kind != .players else { return false }
    let depth = mover.place.y
    let limit = 1.3 * side(at: depth) + 1 + abs(turnInMeters(at: depth))
    return depth < 2.5 || depth > 1.3 * depths.upperBound || abs(mover.place.x) > limit
  }

  // MARK: The picture

  /// Returns the boxes of visible objects.
  private func boxes(at time: Double) -> [TruthBox] {
    movers.compactMap { mover in
      guard mover.place.y > 1 else { return nil }
      let box = box(of: mover, at: time)
      let visible = box.clipped(to: Self.picture)
      guard visible.area > 0.3 * box.area, box.height > 20 else { return nil }
      return TruthBox(id: mover.id, box: visible)
    }
  }

  private func box(of mover: Mover, at time: Double) -> BoundingBox {
    let scale = Self.focalLength / mover.place.y
    var size = scale * mover.size
    var middle = scale * mover.place.x
    switch kind {
    case .dancers:
      // Arms and legs, side steps and leaps follow the same music.
      let beat = 2 * .pi * (0.4 + 0.1 * Double(seed % 5)) * time
      let arms = 0.2 * sin(2 * beat + mover.phase) + 0.08 * sin(6 * time + 2 * mover.phase)
      size.x *= 1.3 * (1 + arms)
      size.y *= 0.93 + 0.07 * sin(2 * beat + 0.2 * mover.phase)
      middle += scale * 0.12 * sin(beat + 0.3 * mover.phase)
    case .road: break
    default: size.x *= 1 + 0.12 * sin(10 * time + mover.phase)
    }
    let bottom = (isFromAbove ? 300 : 450) + lift + scale * (isFromAbove ? 4 : 1.6)
    return BoundingBox(
      x: Double(Self.picture.width) / 2 + middle + turn - size.x / 2, y: bottom - size.y,
      width: size.x, height: size.y)
  }
}

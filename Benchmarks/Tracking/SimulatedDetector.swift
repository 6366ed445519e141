import Foundation
import OcellusImaging
import OcellusVision

/// A detector that sees the visible part of true boxes, with the errors that detectors make.
struct SimulatedDetector {
  /// The probability to miss an object in plain sight.
  var missRate: Double
  /// The error of boxes, relative to their size.
  var jitter: Double
  /// The deviation of scores.
  var scoreNoise: Double
  /// The probability of a false detection between objects.
  var ghostRate: Double

  static let good = SimulatedDetector(
    missRate: 0.02, jitter: 0.02, scoreNoise: 0.06, ghostRate: 0.1)
  static let weak = SimulatedDetector(
    missRate: 0.06, jitter: 0.04, scoreNoise: 0.12, ghostRate: 0.3)

  /// Returns the detections in a sequence of frames.
  func detect(
    _ truth: [[TruthBox]], _ dice: inout Dice
  ) -> (boxes: [[BoundingBox]], scores: [[Float]]) {
    // An object that is hard to see stays so for some frames.
    var moods: [Int: Double] = [:]
    var boxes: [[BoundingBox]] = []
    var scores: [[Float]] = []
    for picture in truth {
      let objects = picture.filter { $0.kind == .object }
      var seen: [(box: BoundingBox, score: Double)] = []
      for object in objects {
        moods[object.id] = 0.8 * moods[object.id, default: 0] + dice.normal(0.6)
        let mood = moods[object.id, default: 0]
        if let sight = look(at: object, among: objects, mood: mood, &dice) { seen.append(sight) }
      }
      if dice.happens(ghostRate), let object = objects.randomElement(using: &dice) {
        seen.append((object.box.jittered(by: 0.2, &dice), 0.15 + 0.4 * dice.share()))
      }
      boxes.append(seen.map(\.box))
      scores.append(seen.map { Float(min($0.score, 0.98)) })
    }
    return (boxes, scores)
  }

  private func look(
    at object: TruthBox, among others: [TruthBox], mood: Double, _ dice: inout Dice
  ) -> (box: BoundingBox, score: Double)? {
    // An object that ends lower in the picture is nearer.
    let nearer = others.filter { $0.id != object.id && $0.box.bottom > object.box.bottom }
    let hidden = nearer.map { $0.box.intersection(object.box).area }.max() ?? 0
    let share = hidden / max(object.box.area, 1)
    let score = 0.9 - (0.6 + 5 * missRate) * share * share + scoreNoise * mood
    guard share < 0.9, score >= 0.1, !dice.happens(missRate + 0.5 * max(0, share - 0.5)) else {
      return nil
    }
    return (object.box.jittered(by: jitter * (1 + 2 * share), &dice), score)
  }
}

extension BoundingBox {
  /// Returns a box of nearly the same size and position.
  func jittered(by share: Double, _ dice: inout Dice) -> BoundingBox {
    let (width, height) = (width * exp(dice.normal(share)), height * exp(dice.normal(share)))
    return BoundingBox(
      x: center.x + dice.normal(share) * width - width / 2,
      y: center.y + dice.normal(share) * height - height / 2, width: width, height: height)
  }
}

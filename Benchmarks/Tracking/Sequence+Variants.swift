import Foundation
import OcellusImaging
import OcellusVision

/// Variants of a sequence.
extension Sequence {
  /// The named variants of a sequence.
  static let variants: [(name: String, draw: @Sendable (Sequence, UInt64) -> Sequence)] = [
    ("half the frames", { sequence, _ in sequence.halved }),
    ("shaken camera", { sequence, _ in sequence.shaken }),
    ("backwards", { sequence, _ in sequence.reversed }),
    ("disturbed", { $0.disturbed(seed: $1) }),
    ("every other person", { $0.thinned(seed: $1) }),
    ("other detector", { $0.redetected(by: .good, seed: $1) }),
    ("weak detector", { $0.redetected(by: .weak, seed: $1) }),
  ]

  /// Returns the variants by which options are chosen: those that keep the detector's own errors.
  static func drawnAnew(_ family: [Sequence]) -> [[Sequence]] {
    let seeded = family.enumerated()
    return [
      family.map(\.halved), family.map(\.shaken),
      seeded.map { $0.element.disturbed(seed: UInt64($0.offset + 1)) },
      seeded.map { $0.element.thinned(seed: UInt64($0.offset + 1)) },
    ]
  }

  /// Every second frame.
  var halved: Sequence {
    let frames = stride(from: 0, to: boxes.count, by: 2)
    var half = with(
      boxes: frames.map { boxes[$0] }, scores: frames.map { scores[$0] },
      truth: frames.map { truth[$0] })
    half.framesPerSecond = framesPerSecond / 2
    return half
  }

  /// The sequence from a handheld camera, which sways by half the usual object's height, and pans.
  var shaken: Sequence {
    let heights = boxes.joined().map(\.height).sorted()
    let sway = 0.5 * (heights.isEmpty ? 0 : heights[heights.count / 2])
    var shaken = self
    for frame in boxes.indices {
      let time = Double(frame) / framesPerSecond
      let x = sway * (sin(5 * time) + 3 * sin(0.7 * time))
      let y = sway * 0.5 * sin(7 * time)
      shaken.boxes[frame] = boxes[frame].map { $0.offset(x: x, y: y) }
      for index in truth[frame].indices {
        shaken.truth[frame][index].box = truth[frame][index].box.offset(x: x, y: y)
      }
    }
    return shaken
  }

  /// The frames in reverse order.
  var reversed: Sequence {
    with(boxes: boxes.reversed(), scores: scores.reversed(), truth: truth.reversed())
  }

  /// Returns the sequence without a tenth of the detections, and with errors added to the others.
  func disturbed(seed: UInt64) -> Sequence {
    var dice = Dice(seed: seed)
    var disturbed = self
    for frame in boxes.indices {
      let kept = boxes[frame].indices.filter { _ in !dice.happens(0.1) }
      disturbed.boxes[frame] = kept.map { boxes[frame][$0].jittered(by: 0.04, &dice) }
      disturbed.scores[frame] = kept.map { scores[frame][$0] }
    }
    return disturbed
  }

  /// Returns the sequence with a random half of the objects, and without the others' detections.
  func thinned(seed: UInt64) -> Sequence {
    var dice = Dice(seed: seed)
    var isKept: [Int: Bool] = [:]
    var thinned = self
    for frame in boxes.indices {
      let objects = truth[frame].filter { $0.kind == .object }
      for object in objects where isKept[object.id] == nil {
        isKept[object.id] = dice.happens(0.5)
      }
      let kept = boxes[frame].indices.filter { index in
        let overlaps = objects.map { $0.box.intersectionOverUnion(boxes[frame][index]) }
        guard let best = overlaps.indices.max(by: { overlaps[$0] < overlaps[$1] }),
          overlaps[best] > 0.3
        else { return true }
        return isKept[objects[best].id] == true
      }
      thinned.boxes[frame] = kept.map { boxes[frame][$0] }
      thinned.scores[frame] = kept.map { scores[frame][$0] }
      thinned.truth[frame].removeAll { $0.kind == .object && isKept[$0.id] != true }
    }
    return thinned
  }

  /// Returns the sequence with detections by a simulated detector.
  func redetected(by detector: SimulatedDetector, seed: UInt64) -> Sequence {
    var dice = Dice(seed: seed)
    let found = detector.detect(truth, &dice)
    return with(boxes: found.boxes, scores: found.scores, truth: truth)
  }

  private func with(
    boxes: [[BoundingBox]], scores: [[Float]], truth: [[TruthBox]]
  ) -> Sequence {
    var other = self
    (other.boxes, other.scores, other.truth) = (boxes, scores, truth)
    return other
  }
}

import Foundation
import OcellusVision

/// Estimates how the choice of the default options generalizes to other scenes.
///
/// The options are chosen on all families but one and evaluated on that one, for each family in
/// turn.
struct LeaveOneOut {
  /// The sequences of a family, unchanged and in variants.
  private struct Family {
    var name: String
    var sequences: [Sequence]
    var drawnAnew: [[Sequence]]
  }

  /// The HOTA in percent: of unchanged sequences, and the mean over these and their variants.
  private struct Score {
    var plain: Double
    var mean: Double
  }

  private var families: [Family] = []
  private var known: [TrackerOptions: [Score]] = [:]

  /// Reads the families of a folder with `groups.json`.
  init(folder: String, names: [String]) throws {
    for (name, sequences) in zip(names, try Sequence.families(names, in: folder)) {
      families.append(
        Family(name: name, sequences: sequences, drawnAnew: Sequence.drawnAnew(sequences)))
    }
  }

  /// Prints the scores of the default, and of the options chosen without each family.
  mutating func report() throws {
    let all = Array(families.indices)
    print("default", try row(of: .default))
    print("start", try row(of: Self.start))
    let chosen = try choose(by: all)
    print("chosen by all", try row(of: chosen))
    print("  \(difference(of: chosen))")
    var leftOut: [Double] = []
    for family in all {
      let options = try choose(by: all.filter { $0 != family })
      leftOut.append(try scores(of: options)[family].plain)
      print("without \(families[family].name)", try row(of: options))
      print("  \(difference(of: options))")
    }
    let mean = leftOut.reduce(0, +) / Double(leftOut.count)
    print("left out", (leftOut + [mean]).map { String(format: "%.1f", $0) }.joined(separator: " "))
  }

  /// Returns the HOTA of each family, and the mean.
  private mutating func row(of options: TrackerOptions) throws -> String {
    let values = try scores(of: options).map(\.plain)
    let mean = values.reduce(0, +) / Double(values.count)
    return (values + [mean]).map { String(format: "%.1f", $0) }.joined(separator: " ")
  }

  private mutating func scores(of options: TrackerOptions) throws -> [Score] {
    if let scores = known[options] { return scores }
    let scores = try families.map { family in
      let plain = try hota(of: options, family.sequences)
      let others = try family.drawnAnew.map { try hota(of: options, $0) }
      return Score(
        plain: plain, mean: (plain + others.reduce(0, +)) / Double(1 + others.count))
    }
    known[options] = scores
    return scores
  }

  private func hota(of options: TrackerOptions, _ sequences: [Sequence]) throws -> Double {
    var sum = MOTEvaluation()
    for sequence in sequences { sum += try sequence.evaluation(of: options) }
    return 100 * sum.hota
  }

  /// Returns the best options for some families by coordinate search, repeated once if it helps.
  private mutating func choose(by indices: [Int]) throws -> TrackerOptions {
    var best = Self.start
    var bestValue = try value(of: best, by: indices)
    for _ in 0..<2 {
      let before = best
      for choice in Self.choices {
        let round = best
        for change in choice {
          var options = round
          change(&options)
          let value = try value(of: options, by: indices)
          // A smaller gain is noise.
          if value > bestValue + 0.02 { (best, bestValue) = (options, value) }
        }
      }
      if best == before { break }
    }
    return best
  }

  private mutating func value(of options: TrackerOptions, by indices: [Int]) throws -> Double {
    let scores = try scores(of: options)
    return indices.reduce(0) { $0 + scores[$1].mean } / Double(indices.count)
  }

  // MARK: The numbers

  /// The default's association stages with the published trackers' values: ByteTrack's overlaps,
  /// BoT-SORT's filter and lifetime.
  private static let start: TrackerOptions = {
    var options = TrackerOptions.byteTrack
    options.motion = .botSort
    options.reportsFilteredBox = false
    options.duplicateOverlap = .infinity
    let observed = AssociationStage(
      tracks: [.visible, .lost], detections: .high, place: .observed, minimumOverlap: 1.01)
    options.stages.insert(observed, at: 1)
    return options
  }()

  private typealias Change = (inout TrackerOptions) -> Void

  /// The options that are varied, each with its values.
  nonisolated(unsafe) private static let choices: [[Change]] = [
    [MotionModel.byteTrack, .botSort, .steady, .sort].map { model in
      { options in
        let (surprise, weighs) = (options.motion.greatestSurprise, options.motion.weighsScores)
        options.motion = model
        (options.motion.greatestSurprise, options.motion.weighsScores) = (surprise, weighs)
      }
    },
    [0.05, 0.1, 0.15, 0.2, 0.3].map { share in { $0.stages[0].minimumOverlap = share } },
    [false, true].map { flag in { $0.stages[0].modulatesHeight = flag } },
    [false, true].map { flag in { $0.stages[0].fusesScore = flag } },
    [0, 0.25, 0.5, 1].map { weight in { $0.stages[0].scoreWeight = weight } },
    [0, 0.1, 0.2, 0.4].map { weight in { $0.stages[0].directionWeight = weight } },
    [0, 0.1, 0.2, 0.3].map { margin in { $0.stages[0].margin = margin } },
    [0.3, 0.4, 0.5, 0.6, 1.01].map { share in { $0.stages[1].minimumOverlap = share } },
    [.milliseconds(300), .milliseconds(600), .seconds(1), nil].map { gap in
      { $0.stages[1].longestGap = gap }
    },
    [false, true].map { flag in { $0.stages[1].modulatesHeight = flag } },
    [0.2, 0.35, 0.5, 0.6].map { share in { $0.stages[2].minimumOverlap = share } },
    [.visible, [.visible, .lost]].map { tracks in { $0.stages[2].tracks = tracks } },
    [false, true].map { flag in { $0.stages[2].modulatesHeight = flag } },
    [0.5, 1, 2, 3].map { seconds in { $0.lifetime = .seconds(seconds) } },
    [false, true].map { flag in { $0.replaysGaps = flag } },
    [nil, CameraCompensation(persistence: 0), CameraCompensation()].map { camera in
      { $0.camera = camera }
    },
    [false, true].map { flag in { $0.motion.weighsScores = flag } },
    [2, 3, 4, 6, .infinity].map { surprise in { $0.motion.greatestSurprise = surprise } },
    [false, true].map { flag in { $0.reportsFilteredBox = flag } },
    [1, 2].map { hits in { $0.confirmationHits = hits } },
  ]

  /// Returns the differences from the start.
  private func difference(of options: TrackerOptions) -> String {
    let (new, old) = (options, Self.start)
    var words: [String] = []
    if new.motion != old.motion {
      let name =
        switch new.motion.velocityNoise {
        case MotionModel.byteTrack.velocityNoise: "ByteTrack"
        case MotionModel.botSort.velocityNoise: "BoT-SORT"
        case MotionModel.steady.velocityNoise: "steady"
        default: "SORT"
        }
      words.append(
        "filter \(name)\(new.motion.weighsScores ? ", weighted" : ""), "
          + "surprise \(new.motion.greatestSurprise), reported \(new.reportsFilteredBox)")
    }
    for (index, stage) in new.stages.enumerated() where stage != old.stages[index] {
      words.append(
        "round \(index + 1): overlap \(stage.minimumOverlap), heights \(stage.modulatesHeight), "
          + "scores \(stage.fusesScore) \(stage.scoreWeight), direction \(stage.directionWeight), margin \(stage.margin), "
          + "gap \(stage.longestGap.map { "\($0)" } ?? "any"), lost \(stage.tracks.contains(.lost))"
      )
    }
    words.append("lifetime \(new.lifetime), replay \(new.replaysGaps)")
    words.append("camera \(new.camera.map { "persistence \($0.persistence)" } ?? "none")")
    words.append("confirmed after \(new.confirmationHits)")
    return words.joined(separator: "; ")
  }
}

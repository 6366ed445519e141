extension MOTEvaluation {
  /// Counts matches and errors for MOTA.
  ///
  /// Pairs of the previous frame are kept as long as they overlap enough.
  mutating func countDetections(in sequence: MOTSequence) {
    var matching = Matching()
    var lastTrack = [Int?](repeating: nil, count: sequence.truthCount)
    var trackInLastFrame = lastTrack
    for frame in sequence.frames {
      truthCount += frame.truths.count
      // As in TrackEval, identities are compared across frames that have both objects and tracks.
      guard !frame.truths.isEmpty, !frame.tracks.isEmpty else {
        falsePositives += frame.tracks.count
        falseNegatives += frame.truths.count
        continue
      }
      let matches = frame.matches(by: &matching) { pair in
        guard pair.overlap >= Self.threshold else { return 0 }
        let isKept = trackInLastFrame[frame.truths[pair.truth]] == frame.tracks[pair.track]
        return pair.overlap + (isKept ? 1000 : 0)
      }
      trackInLastFrame = [Int?](repeating: nil, count: sequence.truthCount)
      for match in matches {
        let truth = frame.truths[match.truth]
        let track = frame.tracks[match.track]
        if let last = lastTrack[truth], last != track { identitySwitches += 1 }
        lastTrack[truth] = track
        trackInLastFrame[truth] = track
      }
      truePositives += matches.count
      falseNegatives += frame.truths.count - matches.count
      falsePositives += frame.tracks.count - matches.count
    }
  }

  /// Counts matches for IDF1, in which each object has one track over the whole sequence.
  mutating func countIdentities(in sequence: MOTSequence) {
    var frames: [[Int: Int]] = Array(repeating: [:], count: sequence.truthCount)
    var truthTotal = 0
    var trackTotal = 0
    for frame in sequence.frames {
      truthTotal += frame.truths.count
      trackTotal += frame.tracks.count
      for pair in frame.pairs where pair.overlap >= Self.threshold {
        frames[frame.truths[pair.truth]][frame.tracks[pair.track], default: 0] += 1
      }
    }
    var matching = Matching()
    matching.begin(columns: sequence.trackCount)
    for row in frames {
      matching.addRow()
      for (track, count) in row { matching.addPair(column: track, profit: Double(count)) }
    }
    matching.solve()
    for (row, track) in zip(frames, matching.columnOfRow) {
      identityTruePositives += row[track] ?? 0
    }
    identityFalseNegatives = truthTotal - identityTruePositives
    identityFalsePositives = trackTotal - identityTruePositives
  }

  /// Counts matches for HOTA.
  ///
  /// Pairs are chosen by how well object and track agree over the whole sequence. Each pair is
  /// weighted by the share of the frames of both in which they are paired.
  mutating func countAssociations(in sequence: MOTSequence) {
    var counts = PairCounts(sequence)
    var matching = Matching()
    for frame in sequence.frames {
      let matches = frame.matches(by: &matching) { pair in
        pair.overlap * counts.agreement(frame.truths[pair.truth], frame.tracks[pair.track])
      }
      for (index, threshold) in Self.hotaThresholds.enumerated() {
        var found = 0
        for match in matches where match.overlap >= threshold - .ulpOfOne {
          found += 1
          counts.add(frame.truths[match.truth], frame.tracks[match.track], threshold: index)
        }
        hotaTruePositives[index] += Double(found)
        hotaErrors[index] += Double(frame.truths.count + frame.tracks.count - 2 * found)
      }
    }
    for index in Self.hotaThresholds.indices {
      associationSums[index] = counts.associationSum(threshold: index)
    }
  }
}

/// The numbers of frames in which objects and tracks appear, alone and together.
private struct PairCounts {
  private struct Pair: Hashable {
    var truth: Int
    var track: Int
  }

  private var truthFrames: [Double]
  private var trackFrames: [Double]
  /// The sum over frames of a pair's overlap as a share of all overlaps of the two.
  private var potential: [Pair: Double] = [:]
  /// The number of frames in which a pair was chosen, for each threshold.
  private var chosen: [Pair: [Double]] = [:]

  init(_ sequence: MOTSequence) {
    truthFrames = [Double](repeating: 0, count: sequence.truthCount)
    trackFrames = [Double](repeating: 0, count: sequence.trackCount)
    for frame in sequence.frames {
      var truthOverlap = [Double](repeating: 0, count: frame.truths.count)
      var trackOverlap = [Double](repeating: 0, count: frame.tracks.count)
      for pair in frame.pairs {
        truthOverlap[pair.truth] += pair.overlap
        trackOverlap[pair.track] += pair.overlap
      }
      for pair in frame.pairs {
        let total = truthOverlap[pair.truth] + trackOverlap[pair.track] - pair.overlap
        let key = Pair(truth: frame.truths[pair.truth], track: frame.tracks[pair.track])
        potential[key, default: 0] += pair.overlap / total
      }
      for truth in frame.truths { truthFrames[truth] += 1 }
      for track in frame.tracks { trackFrames[track] += 1 }
    }
  }

  func agreement(_ truth: Int, _ track: Int) -> Double {
    let shared = potential[Pair(truth: truth, track: track)] ?? 0
    let total = truthFrames[truth] + trackFrames[track] - shared
    return total > 0 ? shared / total : 0
  }

  mutating func add(_ truth: Int, _ track: Int, threshold: Int) {
    let none = [Double](repeating: 0, count: MOTEvaluation.hotaThresholds.count)
    chosen[Pair(truth: truth, track: track), default: none][threshold] += 1
  }

  func associationSum(threshold: Int) -> Double {
    chosen.reduce(0) { sum, entry in
      let count = entry.value[threshold]
      let total = truthFrames[entry.key.truth] + trackFrames[entry.key.track] - count
      return sum + count * count / max(1, total)
    }
  }
}

import OcellusPlatform

/// The position of a machine in staged rollouts of a model, in 0..<100 percent.
///
/// It depends only on the key and the name of the model, so it is stable over time and the same on
/// all machines with the key. Positions for different models are independent.
struct RolloutBucket: Sendable {
  let percent: Double

  init(key: String, model: ModelName) {
    // A name cannot contain a line break, so different pairs give different texts.
    let hash = SHA256.hash(Array("\(model.text)\n\(key)".utf8))
    let number = hash.prefix(7).reduce(0) { $0 << 8 | Int($1) }
    percent = Double(number) / Double(1 << 56) * 100
  }

  /// Returns the version for this position; `nil` if no version covers it.
  ///
  /// Versions take their shares in order; a version without a share takes the rest. A growing share
  /// keeps its machines, as long as the shares before it do not change.
  func version(of offered: [OfferedVersion]) -> OfferedVersion? {
    var taken = 0.0
    for version in offered {
      guard let rollout = version.rollout else { return version }
      taken += rollout
      if percent < taken { return version }
    }
    return nil
  }
}

import OcellusPlatform

/// Where somebody stands among all who ask for a model: 0 and more, less than 100.
///
/// It depends on the caller's key and the model's name alone, so it is the same tomorrow and on another
/// machine with this key, and being early with one model does not mean to be early with all.
struct RolloutBucket: Sendable {
  let percent: Double

  init(key: String, model: ModelName) {
    // The name cannot have a line break, so that no two pairs are the same text.
    let hash = SHA256.hash(Array("\(model.text)\n\(key)".utf8))
    let number = hash.prefix(7).reduce(0) { $0 << 8 | Int($1) }
    percent = Double(number) / Double(1 << 56) * 100
  }

  /// The version for this place: each takes its share, in their order, and one without a share everything
  /// that is left; `nil` where nothing is left.
  ///
  /// A share that grows keeps all who were in it, as long as those in front of it stay as they are.
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

import OcellusEngine

/// What the inputs of a mutant are.
enum InputFilling: CaseIterable {
  /// The deterministic stream of other commands.
  case stream
  /// Of floats those that arithmetic trips over.
  case tellingNumbers

  /// For a report.
  var text: String {
    switch self {
    case .stream: "of usual inputs"
    case .tellingNumbers: "of telling numbers"
    }
  }

  func fill(input index: Int, of entry: EntryPoint) throws(ModelError) {
    guard self == .tellingNumbers, entry.inputs[index].type == .float32 else {
      return try entry.fillInput(at: index)
    }
    let numbers = TellingNumbers.floats
    let bytes = try entry.inputBytes(at: index)
    for position in 0..<bytes.count / 4 {
      // Each input has other ones at the same place.
      let number = numbers[(position + 5 * index) % numbers.count]
      bytes.storeBytes(of: number, toByteOffset: 4 * position, as: Float.self)
    }
  }
}

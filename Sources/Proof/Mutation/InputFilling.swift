import OcellusAudit
import OcellusEngine

/// The inputs of a mutant.
package enum InputFilling: CaseIterable {
  /// The deterministic stream that other commands use.
  case stream
  /// For floats, numbers that are likely to expose errors in arithmetic.
  case boundaryValues

  /// A description for reports.
  package var text: String {
    switch self {
    case .stream: "of usual inputs"
    case .boundaryValues: "of telling numbers"
    }
  }

  func fill(input index: Int, of entry: EntryPoint) throws(ModelError) {
    guard self == .boundaryValues, entry.inputDescription(at: index).type == .float32 else {
      return try entry.fillInput(at: index)
    }
    let numbers = BoundaryValues.floats
    let bytes = try entry.inputBytes(at: index)
    for position in 0..<bytes.count / 4 {
      // Offset by the input's index, so each input has other numbers at the same position.
      let number = numbers[(position + 5 * index) % numbers.count]
      bytes.storeBytes(of: number, toByteOffset: 4 * position, as: Float.self)
    }
  }
}

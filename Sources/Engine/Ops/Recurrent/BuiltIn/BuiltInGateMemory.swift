/// Where LiteRT's built-in kernels keep the gates of an LSTM, which decides what elements they
/// compute four at a time: those between two addresses that are multiples of 16 bytes.
struct BuiltInGateMemory: Sendable {
  private let cells: Int
  private let batchCount: Int
  private let hasInputGate: Bool
  /// Whether the gates of all batches are computed in one call.
  private let joinsBatches: Bool

  init(_ sizes: LSTMSizes, _ layout: SequenceLayout, hasInputGate: Bool) {
    cells = sizes.cells
    batchCount = layout.batchCount
    joinsBatches = layout.joinsBatches
    self.hasInputGate = hasInputGate
  }

  /// Returns the cells of a batch whose gates of one kind are computed four at a time.
  func vectors(of gate: LSTMCellSpec.Gate, batch: Int) -> Range<Int> {
    let first = joinsBatches ? 0 : batch * cells
    let count = joinsBatches ? batchCount * cells : cells
    let offset = position(of: gate) * batchCount * cells + first
    let head = min((4 - offset % 4) % 4, count)
    let end = head + (count - head) / 4 * 4
    let own = joinsBatches ? batch * cells : 0
    return (head - own..<end - own).clamped(to: 0..<cells)
  }

  /// The position of a gate's memory, of `batchCount * cells` floats, behind an aligned address.
  private func position(of gate: LSTMCellSpec.Gate) -> Int {
    let first = hasInputGate ? 1 : 0
    return switch gate {
    case .input: 0
    case .cell: first
    case .forget: first + 1
    case .output: first + 2
    }
  }
}

/// The way in which an LSTM's gates apply the logistic function.
enum GateLogistic: Sendable {
  /// With the C library's exponential, as in the reference kernel.
  case reference
  case builtIn(BuiltInGateMemory)
}

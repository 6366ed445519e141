import CTensorFlowLite
import OcellusHandles
import OcellusModelFile
import OcellusPlatform

/// The tensors of a subgraph as a program sees them: an array of structures.
///
/// The structures have stable addresses, and each is filled in on first use.
final class TensorTable {
  let record: SubgraphRecord
  let base: UnsafeMutablePointer<TfLiteTensor>
  /// The number of tensors of the model and of those that operators have added.
  private(set) var count: Int
  private let capacity: Int
  private var isFilled: [Bool]
  private var names: [CStrings] = []
  /// Memory of added tensors that their structures do not own.
  private var scratch: [Int: UnsafeMutableRawPointer] = [:]

  /// The maximum number of tensors that operators of the program may add.
  private static let maximumAdded = 1 << 14

  /// The indices of the tensors that the program has asked for.
  private(set) var filled: [Int] = []

  /// Creates a table; `canGrow` reserves space for tensors that operators add.
  init(_ record: SubgraphRecord, canGrow: Bool) {
    self.record = record
    count = record.tensors.count
    capacity = count + (canGrow ? Self.maximumAdded : 0)
    base = .allocate(capacity: max(capacity, 1))
    base.initialize(repeating: TfLiteTensor(), count: canGrow ? 0 : capacity)
    isFilled = Array(repeating: false, count: count)
  }

  deinit {
    for index in filled + Array(record.tensors.count..<count) { TfLiteTensorFree(base + index) }
    for memory in scratch.values { free(memory) }
    base.deallocate()
  }

  /// Returns a tensor, or `nil` if the index is out of range.
  subscript(index: Int) -> UnsafeMutablePointer<TfLiteTensor>? {
    guard index >= 0, index < count else { return nil }
    if index < isFilled.count, !isFilled[index] { fill(index) }
    return base + index
  }

  private func fill(_ index: Int) {
    let tensor = record.tensors[index]
    let name = CStrings([tensor.name])
    names.append(name)
    (base + index).initialize(to: TfLiteTensor(tensor, name: name.pointers[0]))
    isFilled[index] = true
    filled.append(index)
  }

  /// Fills in all structures, for code that reads them directly.
  func fillAll() {
    for index in isFilled.indices where !isFilled[index] { fill(index) }
  }

  /// Adds tensors without shapes, for operators that need intermediate tensors.
  ///
  /// - Returns: the index of the first, or `nil` if there would be too many.
  func add(_ addedCount: Int) -> Int? {
    guard addedCount >= 0, addedCount <= capacity - count else { return nil }
    let first = count
    for index in first..<(first + addedCount) {
      var tensor = TfLiteTensor()
      tensor.buffer_handle = kTfLiteNullBufferHandle
      tensor.allocation_type = kTfLiteArenaRw
      (base + index).initialize(to: tensor)
    }
    count += addedCount
    return first
  }

  /// Allocates memory for a tensor that is computed outside the engine.
  func provideMemory(for index: Int) {
    guard let tensor = self[index], !tensor.isDynamic, tensor.pointee.data.data == nil,
      tensor.pointee.bytes > 0
    else { return }
    free(scratch[index])
    scratch[index] = malloc(tensor.pointee.bytes)
    tensor.pointee.data.data = scratch[index]
  }
}

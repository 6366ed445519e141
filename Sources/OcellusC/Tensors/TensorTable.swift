import CTensorFlowLite
import OcellusHandles
import OcellusModelFile
import OcellusPlatform

/// The tensors of a subgraph as a program sees them: structures one behind the other.
///
/// They stay where they are, and each is filled in when somebody asks for it.
final class TensorTable {
  let record: SubgraphRecord
  let base: UnsafeMutablePointer<TfLiteTensor>
  /// The tensors of the model, and those that operators have added.
  private(set) var count: Int
  private let capacity: Int
  private var isFilled: [Bool]
  private var names: [CStrings] = []
  /// The memory of added tensors that is not the structures' own.
  private var scratch: [Int: UnsafeMutableRawPointer] = [:]

  /// How many tensors operators of the program may add.
  private static let mostAdded = 1 << 14

  /// The tensors that somebody has asked for.
  private(set) var filled: [Int] = []

  /// `canGrow` is for subgraphs with operators that may add tensors: memory that is not touched costs nothing.
  init(_ record: SubgraphRecord, canGrow: Bool) {
    self.record = record
    count = record.tensors.count
    capacity = count + (canGrow ? Self.mostAdded : 0)
    base = .allocate(capacity: max(capacity, 1))
    base.initialize(repeating: TfLiteTensor(), count: canGrow ? 0 : capacity)
    isFilled = Array(repeating: false, count: count)
  }

  deinit {
    for index in filled + Array(record.tensors.count..<count) { TfLiteTensorFree(base + index) }
    for memory in scratch.values { free(memory) }
    base.deallocate()
  }

  /// A tensor; `nil` where there is none of this number.
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

  /// Fills in all tensors, for code that reads the structures without asking.
  func fillAll() {
    for index in isFilled.indices where !isFilled[index] { fill(index) }
  }

  /// Adds tensors without extents, for operators that compute in steps.
  ///
  /// - Returns: the number of the first; `nil` where there are too many.
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

  /// Gives a tensor that is computed outside the engine memory for its bytes.
  func provideMemory(for index: Int) {
    guard let tensor = self[index], !tensor.isDynamic, tensor.pointee.data.data == nil,
      tensor.pointee.bytes > 0
    else { return }
    free(scratch[index])
    scratch[index] = malloc(tensor.pointee.bytes)
    tensor.pointee.data.data = scratch[index]
  }
}

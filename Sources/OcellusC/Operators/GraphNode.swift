import CTensorFlowLite
import OcellusHandles
import OcellusModelFile
import OcellusPlatform

/// One node of the model as the program's operators and delegates see it.
final class GraphNode {
  /// Its position in the subgraph.
  let index: Int
  /// The structure that operators and delegates receive.
  let node: UnsafeMutablePointer<TfLiteNode>
  /// The registration of the operator that computes the node, in the official structure.
  let registration: UnsafeMutablePointer<TfLiteRegistration>
  /// The program's kernel for the node; `nil` if the engine computes it.
  let kernel: Kernel?
  /// The operator's name for messages.
  let name: String
  /// Whether `prepare` has left the shapes of results to `invoke`.
  var isDynamic = false
  private unowned let graph: GraphContext
  private let operatorName: CStrings
  /// An operator object that stands for the node, made on first use.
  private(set) lazy var object = OperatorObject(
    code: TfLiteBuiltinOperator(UInt32(bitPattern: registration.pointee.builtin_code)),
    name: registration.pointee.custom_name, version: registration.pointee.version, userData: nil)

  init(
    _ index: Int, _ record: OperatorRecord, code: OperatorCodeRecord, kernel: Kernel?,
    graph: GraphContext
  ) {
    self.index = index
    self.graph = graph
    self.kernel = kernel
    name = code.name
    operatorName = CStrings([code.name])
    var structure = TfLiteNode()
    structure.inputs = makeList(record.inputs)
    structure.outputs = makeList(record.outputs)
    structure.intermediates = makeList(record.intermediates)
    structure.temporaries = makeList([])
    structure.custom_initial_data = record.customOptions.baseAddress
    structure.custom_initial_data_size = Int32(truncatingIfNeeded: record.customOptions.count)
    node = .allocate(capacity: 1)
    node.initialize(to: structure)
    var registration = kernel?.registration ?? TfLiteRegistration()
    if kernel == nil {
      registration.builtin_code = Int32(truncatingIfNeeded: code.builtinCode)
      registration.custom_name = code.isCustom ? operatorName.pointers[0] : nil
      registration.version = Int32(truncatingIfNeeded: code.version)
    }
    self.registration = .allocate(capacity: 1)
    self.registration.initialize(to: registration)
  }

  /// Calls the kernel's `init` for this node, once, when the graph is built.
  func initialize(options: UnsafeRawBufferPointer) {
    node.pointee.user_data = kernel?.initialize(graph.context, options: options)
  }

  /// Calls the kernel's `free` while the context still exists.
  func close() {
    guard let data = node.pointee.user_data else { return }
    node.pointee.user_data = nil
    kernel?.free(graph.context, data)
  }

  deinit {
    free(node.pointee.inputs)
    free(node.pointee.outputs)
    free(node.pointee.intermediates)
    free(node.pointee.temporaries)
    node.deallocate()
    registration.deallocate()
  }
}

import CTensorFlowLite
import OcellusHandles

/// The functions with which a program computes nodes, in either form of registration.
struct Kernel {
  typealias Context = UnsafeMutablePointer<TfLiteContext>
  typealias Node = UnsafeMutablePointer<TfLiteNode>

  /// The kernel as a registration, which the node shows to operators and delegates.
  let registration: TfLiteRegistration
  /// The operator object with opaque functions, if the program registered one.
  private let object: OperatorObject?

  init(_ object: OperatorObject) {
    self.object = object
    var registration = TfLiteRegistration()
    registration.builtin_code = Int32(bitPattern: object.code.rawValue)
    registration.custom_name = object.name
    registration.version = object.version
    registration.registration_external = object.pointer
    self.registration = registration
  }

  init(_ registration: TfLiteRegistration) {
    self.registration = registration
    object = OperatorObject.at(registration.registration_external)
  }

  init(_ old: TfLiteRegistration_V3) {
    var registration = TfLiteRegistration()
    registration.`init` = old.`init`
    registration.free = old.free
    registration.prepare = old.prepare
    registration.invoke = old.invoke
    registration.profiling_string = old.profiling_string
    registration.builtin_code = old.builtin_code
    registration.custom_name = old.custom_name
    registration.version = old.version
    registration.registration_external = old.registration_external
    registration.async_kernel = old.async_kernel
    self.init(registration)
  }

  init(_ old: TfLiteRegistration_V2) {
    self.init(
      TfLiteRegistration_V3(
        init: old.`init`, free: old.free, prepare: old.prepare, invoke: old.invoke,
        profiling_string: old.profiling_string, builtin_code: old.builtin_code,
        custom_name: old.custom_name, version: old.version,
        registration_external: old.registration_external, async_kernel: nil))
  }

  init(_ old: TfLiteRegistration_V1) {
    self.init(
      TfLiteRegistration_V2(
        init: old.`init`, free: old.free, prepare: old.prepare, invoke: old.invoke,
        profiling_string: old.profiling_string, builtin_code: old.builtin_code,
        custom_name: old.custom_name, version: old.version, registration_external: nil))
  }

  // MARK: Calling

  /// Calls `init` and returns the data that the kernel keeps for a node.
  func initialize(_ context: Context, options: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    let buffer = options.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let object else { return registration.`init`?(context, buffer, options.count) }
    if let function = object.functions.initializeWithData {
      return function(object.userData, OpaquePointer(context), buffer, options.count)
    }
    return object.functions.initialize?(OpaquePointer(context), buffer, options.count)
  }

  func free(_ context: Context, _ data: UnsafeMutableRawPointer) {
    guard let object else { return registration.free?(context, data) ?? () }
    if let function = object.functions.freeWithData {
      return function(object.userData, OpaquePointer(context), data)
    }
    object.functions.free?(OpaquePointer(context), data)
  }

  func prepare(_ context: Context, _ node: Node) -> TfLiteStatus {
    guard let object else { return registration.prepare?(context, node) ?? kTfLiteOk }
    if let function = object.functions.prepareWithData {
      return function(object.userData, OpaquePointer(context), OpaquePointer(node))
    }
    return object.functions.prepare?(OpaquePointer(context), OpaquePointer(node)) ?? kTfLiteOk
  }

  func invoke(_ context: Context, _ node: Node) -> TfLiteStatus {
    guard let object else { return registration.invoke?(context, node) ?? kTfLiteError }
    if let function = object.functions.invokeWithData {
      return function(object.userData, OpaquePointer(context), OpaquePointer(node))
    }
    return object.functions.invoke?(OpaquePointer(context), OpaquePointer(node)) ?? kTfLiteError
  }
}

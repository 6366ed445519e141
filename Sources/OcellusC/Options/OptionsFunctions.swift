// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusEngine
import OcellusHandles
import OcellusModelFile

// TfLiteInterpreterOptions…

@c @implementation public func TfLiteInterpreterOptionsCreate() -> OpaquePointer? {
  RunOptions().retained()
}

@c @implementation public func TfLiteInterpreterOptionsCopy(
  _ from: OpaquePointer?
) -> OpaquePointer? { RunOptions.at(from).map { RunOptions($0.values).retained() } }

@c @implementation public func TfLiteInterpreterOptionsDelete(_ options: OpaquePointer?) {
  RunOptions.release(options)
}

@c @implementation public func TfLiteInterpreterOptionsSetNumThreads(
  _ options: OpaquePointer?, _ count: Int32
) {
  guard let options = RunOptions.at(options) else { return }
  options.values.hasWrongThreadCount = count < -1
  options.values.engine.threads = max(Int(count), 1)
}

@c @implementation public func TfLiteInterpreterOptionsAddDelegate(
  _ options: OpaquePointer?, _ delegate: UnsafeMutablePointer<TfLiteDelegate>?
) {
  if let delegate { RunOptions.at(options)?.values.delegates.append(delegate) }
}

/// Sets the function that receives error messages.
@_cdecl("TfLiteInterpreterOptionsSetErrorReporter")
public func setErrorReporter(
  _ options: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?)
      -> Void
  )?, _ userData: UnsafeMutableRawPointer?
) {
  RunOptions.at(options)?.values.reporter = ErrorReporter(function: function, userData: userData)
}

@c @implementation public func TfLiteInterpreterOptionsEnableCancellation(
  _ options: OpaquePointer?, _ enable: Bool
) -> TfLiteStatus {
  guard let options = RunOptions.at(options) else { return kTfLiteError }
  options.values.allowsCancellation = enable
  return kTfLiteOk
}

// Options without effect in this library.

@c @implementation public func TfLiteInterpreterOptionsSetUseNNAPI(
  _ options: OpaquePointer?, _ enable: Bool
) {}

@c @implementation public func TfLiteInterpreterOptionsSetEnableDelegateFallback(
  _ options: OpaquePointer?, _ enable: Bool
) {}

@c @implementation public func TfLiteInterpreterOptionsSetTelemetryProfiler(
  _ options: OpaquePointer?, _ profiler: OpaquePointer?
) {}

// MARK: Operators of the program

@c @implementation public func TfLiteInterpreterOptionsAddOperator(
  _ options: OpaquePointer?, _ registration: OpaquePointer?
) {
  guard let options = RunOptions.at(options), let object = OperatorObject.at(registration),
    let name = object.name
  else { return }
  let version = Int(object.version)
  options.values.kernels.add(
    String(cString: name), isCustom: true, versions: version...version, Kernel(object))
}

@c @implementation public func TfLiteInterpreterOptionsAddBuiltinOp(
  _ options: OpaquePointer?, _ code: TfLiteBuiltinOperator,
  _ registration: UnsafePointer<TfLiteRegistration>?, _ first: Int32, _ last: Int32
) {
  guard let options = RunOptions.at(options), let registration, first <= last else { return }
  options.values.kernels.add(
    BuiltinOperator.name(of: Int(code.rawValue)), isCustom: false, versions: Int(first)...Int(last),
    Kernel(registration.pointee))
}

@c @implementation public func TfLiteInterpreterOptionsAddCustomOp(
  _ options: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ registration: UnsafePointer<TfLiteRegistration>?, _ first: Int32, _ last: Int32
) {
  guard let options = RunOptions.at(options), let registration, let name, first <= last else {
    return
  }
  options.values.kernels.add(
    String(cString: name), isCustom: true, versions: Int(first)...Int(last),
    Kernel(registration.pointee))
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles

// TfLiteOperator…

@c @implementation public func TfLiteOperatorCreate(
  _ code: TfLiteBuiltinOperator, _ name: UnsafePointer<CChar>?, _ version: Int32,
  _ userData: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  OperatorObject(code: code, name: name, version: version, userData: userData).retained()
}

@c @implementation public func TfLiteOperatorCreateWithData(
  _ code: TfLiteBuiltinOperator, _ name: UnsafePointer<CChar>?, _ version: Int32,
  _ userData: UnsafeMutableRawPointer?
) -> OpaquePointer? { TfLiteOperatorCreate(code, name, version, userData) }

@c @implementation public func TfLiteOperatorDelete(_ registration: OpaquePointer?) {
  OperatorObject.release(registration)
}

@c @implementation public func TfLiteOperatorGetBuiltInCode(
  _ registration: OpaquePointer?
) -> TfLiteBuiltinOperator {
  OperatorObject.at(registration)?.code ?? kTfLiteBuiltinCustom
}

@c @implementation public func TfLiteOperatorGetCustomName(
  _ registration: OpaquePointer?
) -> UnsafePointer<CChar>? { OperatorObject.at(registration)?.givenName }

@c @implementation public func TfLiteOperatorGetVersion(_ registration: OpaquePointer?) -> Int32 {
  OperatorObject.at(registration)?.version ?? -1
}

@c @implementation public func TfLiteOperatorGetUserData(
  _ registration: OpaquePointer?
) -> UnsafeMutableRawPointer? { OperatorObject.at(registration)?.userData }

/// Changes the functions of an operator, if the pointer is not null.
@discardableResult
private func set(
  _ registration: OpaquePointer?, _ change: (inout OperatorObject.Functions) -> Void
) -> TfLiteStatus {
  guard let registration = OperatorObject.at(registration) else { return kTfLiteError }
  change(&registration.functions)
  return kTfLiteOk
}

@c @implementation public func TfLiteOperatorSetInit(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int) -> UnsafeMutableRawPointer?
  )?
) { set(registration) { $0.initialize = function } }

@c @implementation public func TfLiteOperatorSetInitWithData(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int)
      -> UnsafeMutableRawPointer?
  )?
) -> TfLiteStatus { set(registration) { $0.initializeWithData = function } }

@c @implementation public func TfLiteOperatorSetFree(
  _ registration: OpaquePointer?,
  _ function: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void)?
) { set(registration) { $0.free = function } }

@c @implementation public func TfLiteOperatorSetFreeWithData(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void
  )?
) -> TfLiteStatus { set(registration) { $0.freeWithData = function } }

@c @implementation public func TfLiteOperatorSetPrepare(
  _ registration: OpaquePointer?,
  _ function: (@convention(c) (OpaquePointer?, OpaquePointer?) -> TfLiteStatus)?
) { set(registration) { $0.prepare = function } }

@c @implementation public func TfLiteOperatorSetPrepareWithData(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?) -> TfLiteStatus
  )?
) -> TfLiteStatus { set(registration) { $0.prepareWithData = function } }

@c @implementation public func TfLiteOperatorSetInvoke(
  _ registration: OpaquePointer?,
  _ function: (@convention(c) (OpaquePointer?, OpaquePointer?) -> TfLiteStatus)?
) { set(registration) { $0.invoke = function } }

@c @implementation public func TfLiteOperatorSetInvokeWithData(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?) -> TfLiteStatus
  )?
) -> TfLiteStatus { set(registration) { $0.invokeWithData = function } }

// The remaining setters are for asynchronous and in-place execution, which this library never does.

@c @implementation public func TfLiteOperatorSetAsyncKernel(
  _ registration: OpaquePointer?,
  _ function: (@convention(c) (OpaquePointer?, OpaquePointer?) -> OpaquePointer?)?
) {}

@c @implementation public func TfLiteOperatorSetAsyncKernelWithData(
  _ registration: OpaquePointer?,
  _ function: (
    @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, OpaquePointer?) -> OpaquePointer?
  )?
) -> TfLiteStatus { OperatorObject.at(registration) == nil ? kTfLiteError : kTfLiteOk }

@c @implementation public func TfLiteOperatorSetInplaceOperator(
  _ registration: OpaquePointer?, _ operands: UInt64
) {}

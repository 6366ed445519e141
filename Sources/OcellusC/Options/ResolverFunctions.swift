// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusHandles
import OcellusModelFile

// TfLiteInterpreterOptionsSetOpResolver…: functions of the program that find every operator.

/// Sets the functions that find operators; without any, the listed kernels apply again.
///
/// Of several pairs of functions, the first that finds an operator wins.
private func setResolver(_ options: OpaquePointer?, _ resolvers: ProgramKernels.Resolver?...) {
  let resolvers = resolvers.compactMap { $0 }
  RunOptions.at(options)?.values.kernels.resolver =
    resolvers.isEmpty
    ? nil
    : { code in
      for resolver in resolvers { if let kernel = resolver(code) { return kernel } }
      return nil
    }
}

/// Returns a resolver of two functions, or `nil` if both are `nil`.
private func resolver<Found>(
  _ findBuiltin: ((TfLiteBuiltinOperator, Int32) -> Found?)?,
  _ findCustom: ((UnsafePointer<CChar>, Int32) -> Found?)?, _ kernel: @escaping (Found) -> Kernel
) -> ProgramKernels.Resolver? {
  if findBuiltin == nil && findCustom == nil { return nil }
  return { code in
    let version = Int32(truncatingIfNeeded: code.version)
    let found =
      code.isCustom
      ? code.name.withCString { findCustom?($0, version) ?? nil }
      : findBuiltin?(TfLiteBuiltinOperator(UInt32(code.builtinCode)), version)
    return (found ?? nil).map(kernel)
  }
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolver(
  _ options: OpaquePointer?,
  _ findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, TfLiteBuiltinOperator, Int32)
      -> UnsafePointer<TfLiteRegistration>?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32)
      -> UnsafePointer<TfLiteRegistration>?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(
    options,
    resolver(
      findBuiltin.map { find in { find(userData, $0, $1)?.pointee } },
      findCustom.map { find in { find(userData, $0, $1)?.pointee } }, Kernel.init))
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolverV3(
  _ options: OpaquePointer?,
  _ findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, TfLiteBuiltinOperator, Int32)
      -> UnsafePointer<TfLiteRegistration_V3>?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32)
      -> UnsafePointer<TfLiteRegistration_V3>?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(
    options,
    resolver(
      findBuiltin.map { find in { find(userData, $0, $1)?.pointee } },
      findCustom.map { find in { find(userData, $0, $1)?.pointee } }, Kernel.init))
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolverV2(
  _ options: OpaquePointer?,
  _ findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, TfLiteBuiltinOperator, Int32)
      -> UnsafePointer<TfLiteRegistration_V2>?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32)
      -> UnsafePointer<TfLiteRegistration_V2>?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(
    options,
    resolver(
      findBuiltin.map { find in { find(userData, $0, $1)?.pointee } },
      findCustom.map { find in { find(userData, $0, $1)?.pointee } }, Kernel.init))
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolverV1(
  _ options: OpaquePointer?,
  _ findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, TfLiteBuiltinOperator, Int32)
      -> UnsafePointer<TfLiteRegistration_V1>?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32)
      -> UnsafePointer<TfLiteRegistration_V1>?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(
    options,
    resolver(
      findBuiltin.map { find in { find(userData, $0, $1)?.pointee } },
      findCustom.map { find in { find(userData, $0, $1)?.pointee } }, Kernel.init))
}

/// Returns a resolver of functions that return operator objects.
private func resolver(
  ofObjects findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, Int32, Int32) -> OpaquePointer?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32) -> OpaquePointer?
  )?, _ userData: UnsafeMutableRawPointer?
) -> ProgramKernels.Resolver? {
  resolver(
    findBuiltin.map { find in
      { OperatorObject.at(find(userData, Int32(bitPattern: $0.rawValue), $1)) }
    }, findCustom.map { find in { OperatorObject.at(find(userData, $0, $1)) } }, Kernel.init)
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolverExternal(
  _ options: OpaquePointer?,
  _ findBuiltin: (@convention(c) (UnsafeMutableRawPointer?, Int32, Int32) -> OpaquePointer?)?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32) -> OpaquePointer?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(options, resolver(ofObjects: findBuiltin, findCustom, userData))
}

@c @implementation public func TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(
  _ options: OpaquePointer?,
  _ findBuiltinObject: (@convention(c) (UnsafeMutableRawPointer?, Int32, Int32) -> OpaquePointer?)?,
  _ findCustomObject: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32) -> OpaquePointer?
  )?,
  _ findBuiltin: (
    @convention(c) (UnsafeMutableRawPointer?, TfLiteBuiltinOperator, Int32)
      -> UnsafePointer<TfLiteRegistration>?
  )?,
  _ findCustom: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int32)
      -> UnsafePointer<TfLiteRegistration>?
  )?, _ userData: UnsafeMutableRawPointer?
) {
  setResolver(
    options, resolver(ofObjects: findBuiltinObject, findCustomObject, userData),
    resolver(
      findBuiltin.map { find in { find(userData, $0, $1)?.pointee } },
      findCustom.map { find in { find(userData, $0, $1)?.pointee } }, Kernel.init))
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusPlatform

extension UnsafeMutablePointer where Pointee == TfLiteDelegate {
  /// The builder with the delegate's functions, or `nil` if the delegate has functions of its own.
  ///
  /// Programs that fill in a `Prepare` of their own often leave the last field uninitialised, so it
  /// must not be read then.
  fileprivate var builder: UnsafeMutablePointer<TfLiteOpaqueDelegateBuilder>? {
    pointee.Prepare == nil ? pointee.opaque_delegate_builder : nil
  }

  /// Whether the delegate accepts tensors with dynamic shapes.
  var allowsDynamicTensors: Bool {
    let flags = builder?.pointee.flags ?? pointee.flags
    return flags & Int64(kTfLiteDelegateFlagsAllowDynamicTensors.rawValue) != 0
  }

  /// Calls the delegate's `Prepare` function with the graph.
  func prepare(_ context: UnsafeMutablePointer<TfLiteContext>) -> TfLiteStatus {
    if let builder, let prepare = builder.pointee.Prepare {
      return prepare(OpaquePointer(context), self, builder.pointee.data)
    }
    return pointee.Prepare?(context, self) ?? kTfLiteError
  }
}

@c @implementation public func TfLiteDelegateCreate() -> TfLiteDelegate { TfLiteDelegate() }

@c @implementation public func TfLiteOpaqueDelegateCreate(
  _ builder: UnsafePointer<TfLiteOpaqueDelegateBuilder>?
) -> UnsafeMutablePointer<TfLiteOpaqueDelegate>? {
  guard let builder else { return nil }
  let copy = UnsafeMutablePointer<TfLiteOpaqueDelegateBuilder>.allocate(capacity: 1)
  copy.initialize(to: builder.pointee)
  let delegate = UnsafeMutablePointer<TfLiteDelegate>.allocate(capacity: 1)
  delegate.initialize(to: TfLiteDelegate())
  delegate.pointee.opaque_delegate_builder = copy
  delegate.pointee.data_ = builder.pointee.data
  delegate.pointee.flags = builder.pointee.flags
  return delegate
}

@c @implementation public func TfLiteOpaqueDelegateDelete(
  _ delegate: UnsafeMutablePointer<TfLiteOpaqueDelegate>?
) {
  delegate?.pointee.opaque_delegate_builder?.deallocate()
  delegate?.deallocate()
}

@c @implementation public func TfLiteOpaqueDelegateGetData(
  _ delegate: UnsafePointer<TfLiteOpaqueDelegate>?
) -> UnsafeMutableRawPointer? {
  guard let delegate = UnsafeMutablePointer(mutating: delegate) else { return nil }
  return delegate.builder?.pointee.data ?? delegate.pointee.data_
}

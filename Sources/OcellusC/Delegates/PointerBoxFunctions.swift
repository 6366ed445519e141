// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

import CTensorFlowLite
import OcellusHandles

/// The box for a pointer behind `TfLiteBackendBuffer` and `TfLiteSynchronization`.
private final class PointerBox: Handle {
  var content: UnsafeMutableRawPointer?
}

@c @implementation public func TfLiteBackendBufferCreate() -> OpaquePointer? {
  PointerBox().retained()
}

@c @implementation public func TfLiteBackendBufferDelete(_ box: OpaquePointer?) {
  PointerBox.release(box)
}

@c @implementation public func TfLiteBackendBufferSetPtr(
  _ box: OpaquePointer?, _ content: UnsafeMutableRawPointer?
) { PointerBox.at(box)?.content = content }

@c @implementation public func TfLiteBackendBufferGetPtr(
  _ box: OpaquePointer?
) -> UnsafeMutableRawPointer? { PointerBox.at(box)?.content }

@c @implementation public func TfLiteSynchronizationCreate() -> OpaquePointer? {
  PointerBox().retained()
}

@c @implementation public func TfLiteSynchronizationDelete(_ box: OpaquePointer?) {
  PointerBox.release(box)
}

@c @implementation public func TfLiteSynchronizationSetPtr(
  _ box: OpaquePointer?, _ content: UnsafeMutableRawPointer?
) { PointerBox.at(box)?.content = content }

@c @implementation public func TfLiteSynchronizationGetPtr(
  _ box: OpaquePointer?
) -> UnsafeMutableRawPointer? { PointerBox.at(box)?.content }

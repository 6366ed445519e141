/// An object behind an opaque pointer of the C interface.
///
/// The program owns an object that it created until it deletes the object; other objects may retain
/// it for longer.
package protocol Handle: AnyObject {}

extension Handle {
  /// Returns a pointer that keeps the object alive until `release`.
  package func retained() -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// A pointer that does not keep the object alive.
  package var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Returns the object behind a pointer; `nil` for a null pointer.
  @inlinable
  package static func at(_ pointer: OpaquePointer?) -> Self? {
    guard let pointer else { return nil }
    return Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  /// Releases a pointer that `retained` returned; null pointers are accepted.
  package static func release(_ pointer: OpaquePointer?) {
    if let pointer { Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release() }
  }
}

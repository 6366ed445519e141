/// An object behind one of the interface's opaque pointers.
///
/// The program owns what it has created until it deletes it; other objects may hold on to it longer.
package protocol Handle: AnyObject {}

extension Handle {
  /// A pointer that keeps the object alive until `release`.
  package func retained() -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// A pointer to an object that somebody else keeps alive.
  package var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// The object behind a pointer; `nil` for a null pointer.
  @inlinable
  package static func at(_ pointer: OpaquePointer?) -> Self? {
    guard let pointer else { return nil }
    return Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  /// Gives back what `retained` gave out; null pointers are fine.
  package static func release(_ pointer: OpaquePointer?) {
    if let pointer { Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release() }
  }
}

/// An object behind one of the interface's opaque pointers.
///
/// The program owns what it has created until it deletes it; other objects may hold on to it longer.
protocol Handle: AnyObject {}

extension Handle {
  /// A pointer that keeps the object alive until `release`.
  func retained() -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// A pointer to an object that somebody else keeps alive.
  var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// The object behind a pointer; `nil` for a null pointer.
  static func at(_ pointer: OpaquePointer?) -> Self? {
    pointer.map { Unmanaged<Self>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  /// Gives back what `retained` gave out; null pointers are fine.
  static func release(_ pointer: OpaquePointer?) {
    if let pointer { Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release() }
  }
}

/// Texts that a program may point to for as long as this lives.
///
/// Unchecked: nobody writes them.
final class CStrings: @unchecked Sendable {
  let pointers: [UnsafePointer<CChar>]

  init(_ strings: [String]) {
    pointers = strings.map { string in
      let bytes = Array(string.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      return UnsafePointer(copy)
    }
  }

  deinit { for pointer in pointers { pointer.deallocate() } }
}

/// Numbers that a program may point to for as long as this lives.
final class CIntegers {
  let pointer: UnsafePointer<Int32>
  let count: Int

  init(_ numbers: [Int]) {
    count = numbers.count
    let copy = UnsafeMutablePointer<Int32>.allocate(capacity: max(count, 1))
    for (index, number) in numbers.enumerated() {
      (copy + index).initialize(to: Int32(truncatingIfNeeded: number))
    }
    pointer = UnsafePointer(copy)
  }

  deinit { pointer.deallocate() }
}

/// C strings, to which C programs may point while this object exists.
///
/// Unchecked: nobody writes to them.
package final class CStrings: @unchecked Sendable {
  package let pointers: [UnsafePointer<CChar>]

  package init(_ strings: [String]) {
    pointers = strings.map { string in
      let bytes = Array(string.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      return UnsafePointer(copy)
    }
  }

  deinit { for pointer in pointers { pointer.deallocate() } }
}

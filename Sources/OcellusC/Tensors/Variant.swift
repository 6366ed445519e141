import CTensorFlowLite

/// The object of a variant tensor: a C++ object of the program, of a class below `VariantData`.
///
/// The C++ ABI of all Linux systems (Itanium's) puts the address of a table of functions at the
/// beginning of the object. The table holds the class's virtual functions in the order of their
/// declarations, and a destructor takes two places: alone, and followed by freeing the memory.
struct Variant {
  private typealias Delete = @convention(c) (UnsafeMutableRawPointer) -> Void
  private typealias Clone =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  let object: UnsafeMutableRawPointer
  private var functions: UnsafeRawPointer { object.load(as: UnsafeRawPointer.self) }

  init(_ object: UnsafeMutableRawPointer) { self.object = object }

  /// Destroys the object and frees its memory.
  func delete() {
    functions.load(fromByteOffset: 8, as: Delete.self)(object)
  }

  /// Returns a copy, which takes the place of another object if there is one.
  func clone(replacing other: Variant?) -> UnsafeMutableRawPointer? {
    functions.load(fromByteOffset: 16, as: Clone.self)(object, other?.object)
  }
}

extension UnsafeMutablePointer where Pointee == TfLiteTensor {
  /// The tensor's object, if the tensor is a variant with one.
  var variant: Variant? {
    guard pointee.allocation_type == kTfLiteVariantObject else { return nil }
    return pointee.data.data.map(Variant.init)
  }

  /// Becomes a variant with a copy of another tensor's object.
  func copyVariant(of source: UnsafeMutablePointer<TfLiteTensor>) {
    if variant == nil || source.variant == nil { TfLiteTensorDataFree(self) }
    pointee.allocation_type = kTfLiteVariantObject
    pointee.data.data = source.variant?.clone(replacing: variant)
  }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The C headers document these functions.

public import CTensorFlowLite
import OcellusPlatform

// TfLiteIntArray and TfLiteFloatArray: a count, followed by as many elements.

/// A C list whose elements follow its count.
protocol ElementList {
  associatedtype Element: BitwiseCopyable
  var size: Int32 { get set }
}

extension TfLiteIntArray: ElementList { typealias Element = Int32 }
extension TfLiteFloatArray: ElementList { typealias Element = Float }

extension ElementList {
  /// Returns the size in bytes of a list of `count` elements.
  static func byteCount(of count: Int) -> Int { 4 + 4 * count }

  /// Allocates a list on the heap; returns `nil` for a negative count or if there is no memory.
  static func allocate(_ count: Int32) -> UnsafeMutablePointer<Self>? {
    guard count >= 0, let memory = malloc(byteCount(of: Int(count))) else { return nil }
    let list = memory.assumingMemoryBound(to: Self.self)
    list.pointee.size = count
    return list
  }
}

extension UnsafeMutablePointer where Pointee: ElementList {
  /// The elements, for reading and writing.
  var elements: UnsafeMutableBufferPointer<Pointee.Element> {
    let first = UnsafeMutableRawPointer(self) + 4
    return UnsafeMutableBufferPointer(
      start: first.assumingMemoryBound(to: Pointee.Element.self), count: Int(pointee.size))
  }
}

extension UnsafePointer where Pointee: ElementList {
  var elements: UnsafeBufferPointer<Pointee.Element> {
    UnsafeBufferPointer(UnsafeMutablePointer(mutating: self).elements)
  }

  /// Returns a copy of the list on the heap.
  func copied() -> UnsafeMutablePointer<Pointee>? {
    guard let copy = Pointee.allocate(pointee.size) else { return nil }
    _ = copy.elements.update(fromContentsOf: elements)
    return copy
  }
}

/// Makes a C list on the heap; the numbers come from a model and fit in 32 bits.
func makeList(_ numbers: [Int]) -> UnsafeMutablePointer<TfLiteIntArray>? {
  let list = TfLiteIntArray.allocate(Int32(numbers.count))
  for (index, number) in numbers.enumerated() {
    list?.elements[index] = Int32(truncatingIfNeeded: number)
  }
  return list
}

/// Returns the numbers of a C list; none for a null pointer.
func numbers(_ list: UnsafePointer<TfLiteIntArray>?) -> [Int] {
  list?.elements.map { Int($0) } ?? []
}

@c @implementation public func TfLiteIntArrayGetSizeInBytes(_ size: Int32) -> Int {
  TfLiteIntArray.byteCount(of: Int(size))
}

@c @implementation public func TfLiteIntArrayCreate(
  _ size: Int32
) -> UnsafeMutablePointer<TfLiteIntArray>? { TfLiteIntArray.allocate(size) }

@c @implementation public func TfLiteIntArrayEqual(
  _ a: UnsafePointer<TfLiteIntArray>?, _ b: UnsafePointer<TfLiteIntArray>?
) -> Int32 {
  guard let a, let b else { return a == b ? 1 : 0 }
  return a.elements.elementsEqual(b.elements) ? 1 : 0
}

@c @implementation public func TfLiteIntArrayEqualsArray(
  _ a: UnsafePointer<TfLiteIntArray>?, _ count: Int32, _ elements: UnsafePointer<Int32>?
) -> Int32 {
  guard let a else { return count == 0 ? 1 : 0 }
  guard a.pointee.size == count else { return 0 }
  let others = UnsafeBufferPointer(start: elements, count: elements == nil ? 0 : Int(count))
  return a.elements.elementsEqual(others) ? 1 : 0
}

@c @implementation public func TfLiteIntArrayCopy(
  _ list: UnsafePointer<TfLiteIntArray>?
) -> UnsafeMutablePointer<TfLiteIntArray>? { list?.copied() }

@c @implementation public func TfLiteIntArrayFree(_ list: UnsafeMutablePointer<TfLiteIntArray>?) {
  free(list)
}

@c @implementation public func TfLiteFloatArrayGetSizeInBytes(_ size: Int32) -> Int32 {
  Int32(truncatingIfNeeded: TfLiteFloatArray.byteCount(of: Int(size)))
}

@c @implementation public func TfLiteFloatArrayCreate(
  _ size: Int32
) -> UnsafeMutablePointer<TfLiteFloatArray>? { TfLiteFloatArray.allocate(size) }

@c @implementation public func TfLiteFloatArrayCopy(
  _ list: UnsafePointer<TfLiteFloatArray>?
) -> UnsafeMutablePointer<TfLiteFloatArray>? { list?.copied() }

@c @implementation public func TfLiteFloatArrayFree(
  _ list: UnsafeMutablePointer<TfLiteFloatArray>?
) { free(list) }

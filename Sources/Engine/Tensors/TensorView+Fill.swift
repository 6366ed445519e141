extension TensorView {
  /// Sets all elements to an integer; elements of other types get all bits zero.
  package func fill(withInteger value: Int) {
    if value == 0 || !type.isInteger {
      bytes.baseAddress?.clear(byteCount: bytes.count, unless: control?.isOver == true)
    } else {
      withUnsafeBytes(of: value.littleEndian) { fill(withElementAt: $0) }
    }
  }

  /// Sets all elements to the first of another tensor of the same type, if it has any.
  package func fill(withFirstElementOf other: TensorView) {
    guard other.bytes.count >= type.byteWidth ?? 1 else { return }
    fill(withElementAt: UnsafeRawBufferPointer(other.bytes))
  }

  /// Sets all elements to the one at the start of `element`.
  package func fill(withElementAt element: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, let source = element.baseAddress, bytes.count > 0 else {
      return
    }
    var filled = min(type.byteWidth ?? 1, bytes.count)
    base.copyMemory(from: source, byteCount: filled)
    // Double the filled range until it is the most to copy between two checks of the run, then
    // repeat it.
    let maximumByteCount = 1 << 20
    while filled < bytes.count && (filled < maximumByteCount || control?.isOver != true) {
      let count = min(filled, maximumByteCount, bytes.count - filled)
      (base + filled).copyMemory(from: base, byteCount: count)
      filled += count
    }
  }
}

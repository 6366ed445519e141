/// Makes the elements of a tensor of rows of bytes.
struct TensorRowWriter {
  private let tensor: PictureTensor
  private let table: ElementTable

  init(_ tensor: PictureTensor) throws(ImageError) {
    self.tensor = tensor
    table = try ElementTable(tensor)
  }

  /// Where the bytes of row `y` shall be put, if they are then the tensor's elements, or nearly so.
  func place(ofRow y: Int, in target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard table.shortcut != .none, tensor.channels != .bgr,
      tensor.layout == .nhwc || tensor.channels == .gray
    else { return nil }
    return target + y * tensor.size.width * tensor.channels.count
  }

  /// Makes the elements of row `y` of its bytes, gray or red, green and blue.
  func write(_ row: UnsafeMutableRawPointer, y: Int, to target: UnsafeMutableRawPointer) {
    if row == place(ofRow: y, in: target) {
      if table.shortcut == .signFlip { flipSigns(row) }
      return
    }
    switch table.elementBytes {
    case 1: write(row, y, UInt8.self, to: target)
    case 2: write(row, y, UInt16.self, to: target)
    default: write(row, y, UInt32.self, to: target)
    }
  }

  private func flipSigns(_ row: UnsafeMutableRawPointer) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    for index in 0..<tensor.size.width * tensor.channels.count { bytes[index] ^= 0x80 }
  }

  @inline(__always)
  private func write<Element: BitwiseCopyable>(
    _ row: UnsafeMutableRawPointer, _ y: Int, _ type: Element.Type,
    to target: UnsafeMutableRawPointer
  ) {
    let (width, count) = (tensor.size.width, tensor.channels.count)
    let isPlanar = tensor.layout == .nchw
    let step = isPlanar ? 1 : count
    let source = row.assumingMemoryBound(to: UInt8.self)
    table.bytes.withUnsafeBytes { tables in
      for channel in 0..<count {
        let from = tensor.channels == .bgr ? 2 - channel : channel
        var place =
          (isPlanar ? (channel * tensor.size.height + y) * width : y * width * count + channel)
        for x in 0..<width {
          let value = Int(source[x * count + from])
          let element = tables.loadUnaligned(
            fromByteOffset: (channel * 256 + value) * MemoryLayout<Element>.stride, as: type)
          target.storeBytes(
            of: element, toByteOffset: place * MemoryLayout<Element>.stride, as: type)
          place += step
        }
      }
    }
  }
}

import OcellusKernelABI

/// Converts rows of bytes to the elements of a tensor.
struct TensorRowWriter {
  private let tensor: PictureTensor
  private let table: ElementTable
  private let kernels: PictureKernels
  /// The means, repeated to the kernel's period.
  private let means: [Float]
  private let deviations: [Float]

  init(_ tensor: PictureTensor, kernels: PictureKernels) throws(ImageError) {
    self.tensor = tensor
    self.kernels = kernels
    table = try ElementTable(tensor)
    func repeated(_ values: [Float]) -> [Float] {
      (0..<NormalizationArguments.period).map { values[$0 % values.count] }
    }
    means = repeated(tensor.normalization.mean)
    deviations = repeated(tensor.normalization.deviation)
  }

  /// Whether the channels of a pixel are adjacent in the tensor, as they are in a row.
  private var isInterleaved: Bool { tensor.layout == .nhwc || tensor.channels == .gray }

  /// Returns the address of row `y` in the tensor, if the row can be made there in place.
  ///
  /// That holds if the bytes are the elements, or become them by toggling the sign bit.
  func address(ofRow y: Int, in target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard table.shortcut != .none, isInterleaved else { return nil }
    return target + y * tensor.size.width * tensor.channels.count
  }

  /// Converts row `y`, given as gray or RGB bytes, to elements; may overwrite the given bytes.
  func write(_ row: UnsafeMutableRawPointer, y: Int, to target: UnsafeMutableRawPointer) {
    if tensor.channels == .bgr { exchangeRedAndBlue(row) }
    if row == address(ofRow: y, in: target) {
      if table.shortcut == .signToggle { toggleSigns(row) }
    } else if tensor.element == .float32, isInterleaved {
      normalize(row, y, to: target)
    } else {
      lookUp(row, y, to: target)
    }
  }

  private func exchangeRedAndBlue(_ row: UnsafeMutableRawPointer) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    for pixel in stride(from: 0, to: tensor.size.width * 3, by: 3) {
      (bytes[pixel], bytes[pixel + 2]) = (bytes[pixel + 2], bytes[pixel])
    }
  }

  private func toggleSigns(_ row: UnsafeMutableRawPointer) {
    let bytes = row.assumingMemoryBound(to: UInt8.self)
    for index in 0..<tensor.size.width * tensor.channels.count { bytes[index] ^= 0x80 }
  }

  /// Computes the results of the table lookup with a vector kernel.
  private func normalize(
    _ row: UnsafeMutableRawPointer, _ y: Int, to target: UnsafeMutableRawPointer
  ) {
    let count = tensor.size.width * tensor.channels.count
    means.withUnsafeBufferPointer { means in
      deviations.withUnsafeBufferPointer { deviations in
        guard let means = means.baseAddress, let deviations = deviations.baseAddress else { return }
        kernels.normalized(
          NormalizationArguments(
            input: row, output: target + y * count * 4, count: count, means: means,
            deviations: deviations))
      }
    }
  }

  private func lookUp(
    _ row: UnsafeMutableRawPointer, _ y: Int, to target: UnsafeMutableRawPointer
  ) {
    switch table.elementBytes {
    case 1: lookUp(row, y, UInt8.self, to: target)
    case 2: lookUp(row, y, UInt16.self, to: target)
    default: lookUp(row, y, UInt32.self, to: target)
    }
  }

  @inline(__always)
  private func lookUp<Element: BitwiseCopyable>(
    _ row: UnsafeMutableRawPointer, _ y: Int, _ type: Element.Type,
    to target: UnsafeMutableRawPointer
  ) {
    let (width, count) = (tensor.size.width, tensor.channels.count)
    let source = row.assumingMemoryBound(to: UInt8.self)
    table.bytes.withUnsafeBytes { tables in
      for channel in 0..<count {
        var index =
          isInterleaved
          ? y * width * count + channel : (channel * tensor.size.height + y) * width
        for x in 0..<width {
          let value = Int(source[x * count + channel])
          let element = tables.loadUnaligned(
            fromByteOffset: (channel * 256 + value) * MemoryLayout<Element>.stride, as: type)
          target.storeBytes(
            of: element, toByteOffset: index * MemoryLayout<Element>.stride, as: type)
          index += isInterleaved ? count : 1
        }
      }
    }
  }
}

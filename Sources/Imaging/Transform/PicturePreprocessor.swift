import OcellusKernelABI
import OcellusKernelDispatch

/// Converts pictures of any format, size and orientation into the input tensor of a network.
///
/// Four steps define the elements: the pixels become 8-bit RGB (or gray) and are rotated upright;
/// the region and the fit select a rectangle, which is padded where it lies outside the picture;
/// the rectangle is resampled to its size in the tensor; and every byte becomes an element. The
/// steps run row by row, without an intermediate picture.
///
/// A preprocessor keeps its tables and its scratch memory, so further pictures of one size allocate
/// nothing. Use a preprocessor on one thread at a time.
public final class PicturePreprocessor {
  /// The tensor that is filled.
  public let tensor: PictureTensor
  /// The rule for resizing pictures to the size of the tensor.
  public let resampler: Resampler
  /// The rule for fitting pictures of another aspect ratio into the tensor.
  public let fit: PictureFit
  /// The 8-bit value of all channels in padding.
  public let padding: UInt8
  private let writer: TensorRowWriter
  private let kernels: PictureKernels
  private var plan: ResamplingPlan?
  private let transposedResult = ScratchMemory()
  private let rowMemory = ScratchMemory()

  /// Creates a preprocessor that fills tensors of the form `tensor`.
  public init(
    _ tensor: PictureTensor, resampler: Resampler = .tensorFlowBilinear,
    fit: PictureFit = .stretch, padding: UInt8 = 0
  ) throws(ImageError) {
    try ImageLimits().check(tensor.size, bytesPerPixel: 12)
    self.tensor = tensor
    self.resampler = resampler
    self.fit = fit
    self.padding = padding
    kernels = KernelTable.best.pictures
    writer = try TensorRowWriter(tensor, kernels: kernels)
  }

  /// Fills the memory of the tensor with a picture, and returns the mapping of its pixels.
  ///
  /// `region`, in upright coordinates, selects a part of the picture. Its edges are rounded to
  /// pixel edges. It may reach beyond the picture.
  @discardableResult
  public func fill(
    _ target: UnsafeMutableRawBufferPointer, with image: Image, region: BoundingBox? = nil
  ) throws(ImageError) -> PictureMapping {
    guard target.count == tensor.byteCount, let start = target.baseAddress else {
      throw ImageError(
        .mismatched,
        "a tensor of \(tensor.size) with \(tensor.channels) needs \(tensor.byteCount) bytes; "
          + "\(target.count) were given")
    }
    let mapping = try fit.mapping(of: image.size, region: region, into: tensor.size)
    try ImageLimits().check(mapping.sourcePart.size)
    var image = image
    if image.orientation != .up, !ResamplingMethod.isExactInStoredOrder(resampler) {
      image = try image.converted(to: tensor.channels == .gray ? .gray8 : .rgb8).upright()
    }
    let plan = plan(
      from: mapping.sourcePart.size, to: mapping.destinationPart.size,
      StoredRowOrder(image.orientation))
    try image.withUnsafeBytes { bytes throws(ImageError) in
      guard let memory = bytes.baseAddress else { return }
      let reader = try StoredRowReader(
        image, memory: memory, byteCount: bytes.count,
        order: tensor.channels == .gray ? .gray : .rgb, kernels: kernels)
      let rows = UprightRows(reader, of: image, part: mapping.sourcePart, padding: padding)
      fill(start, with: rows, plan, mapping.destinationPart)
    }
    return mapping
  }

  private func plan(
    from source: PixelSize, to result: PixelSize, _ rowOrder: StoredRowOrder
  ) -> ResamplingPlan {
    if let plan, plan.source == source, plan.result == result, plan.rowOrder == rowOrder {
      return plan
    }
    let plan = ResamplingPlan(
      resampler, from: source, to: result, channels: tensor.channels.count, rowOrder: rowOrder,
      kernels: kernels)
    self.plan = plan
    return plan
  }

  private func fill(
    _ target: UnsafeMutableRawPointer, with rows: UprightRows, _ plan: ResamplingPlan,
    _ part: PixelRectangle
  ) {
    let channels = tensor.channels.count
    let rowBytes = tensor.size.width * channels
    let ownRow = rowMemory.bytes(rowBytes + pictureSlack)
    plan.begin()
    let transposedRows = plan.rowOrder.isTransposed ? transpose(rows, plan) : nil
    for y in 0..<tensor.size.height {
      let row = writer.address(ofRow: y, in: target) ?? ownRow
      if part.rows.contains(y) {
        let (front, end) = (part.x * channels, part.columns.upperBound * channels)
        pad(row, 0..<front)
        if let transposedRows {
          (row + front).copyMemory(
            from: transposedRows + (y - part.y) * (end - front), byteCount: end - front)
        } else {
          plan.makeRow(y - part.y, from: rows, to: row + front)
        }
        pad(row, end..<rowBytes)
      } else {
        pad(row, 0..<rowBytes)
      }
      writer.write(row, y: y, to: target)
    }
  }

  /// Resamples a transposed picture column by column into scratch memory.
  ///
  /// Transposing the result costs less than transposing the source, because the result is small.
  private func transpose(_ rows: UprightRows, _ plan: ResamplingPlan) -> UnsafeRawPointer {
    let channels = plan.channels
    let (width, height) = (plan.result.width, plan.result.height)
    let byteCount = width * height * channels
    let picture = transposedResult.bytes(byteCount + height * channels + pictureSlack)
    let column = picture + byteCount
    for x in 0..<width {
      plan.makeRow(x, from: rows, to: column)
      for y in 0..<height {
        let (source, target) = (column + y * channels, picture + (y * width + x) * channels)
        for channel in 0..<channels {
          target.storeBytes(
            of: source.load(fromByteOffset: channel, as: UInt8.self), toByteOffset: channel,
            as: UInt8.self)
        }
      }
    }
    return UnsafeRawPointer(picture)
  }

  private func pad(_ row: UnsafeMutableRawPointer, _ bytes: Range<Int>) {
    (row + bytes.lowerBound).initializeMemory(
      as: UInt8.self, repeating: padding, count: bytes.count)
  }
}

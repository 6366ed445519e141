package import OcellusModelFile

/// The mapping from a tensor's integers to real numbers: `real = scale × (integer − zeroPoint)`.
public struct Quantization: Sendable {
  /// One scale, or one per slice along `axis`.
  public var scales: [Float]
  /// One zero point, or one per slice along `axis`.
  public var zeroPoints: [Int]
  /// The axis along which there are several scales.
  public var axis: Int
  /// The record of scales per block of consecutive elements, which other tensors hold.
  package var blockwise: BlockwiseQuantizationRecord?
  /// The scales that `blockwise` refers to, if they are a constant.
  package var blockScales = Float16Elements.none

  /// Makes a quantization with one scale and zero point, or with one per slice along `axis`.
  public init(scales: [Float], zeroPoints: [Int], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }

  package init?(_ record: QuantizationRecord?) {
    guard let record, !record.scales.isEmpty || record.blockwise != nil else { return nil }
    self.init(scales: record.scales, zeroPoints: record.zeroPoints, axis: record.axis)
    blockwise = record.blockwise
  }

  /// Whether there is a scale for every slice along `axis`.
  public var isPerChannel: Bool { scales.count > 1 }

  /// The only scale, or the first.
  public var scale: Float { scales.first ?? 0 }

  /// The only zero point, or the first; 0 where the file gives none.
  public var zeroPoint: Int { zeroPoints.first ?? 0 }
}

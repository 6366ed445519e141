/// The description of a matrix multiplication by which the strategies of its family are compared.
public struct GEMMProblem: Sendable {
  /// The type of the results.
  public enum Results: Sendable {
    /// Bytes, by a fixed-point multiplier and a shift per column.
    case bytes
    /// Bytes, by a factor in double or single precision per column.
    case bytesOfRealScales
    /// Floats.
    case floats
    /// The 32-bit sums themselves.
    case sums
  }

  /// The element type of byte rows.
  public enum RowBytes: Sendable {
    /// `Int8`.
    case signed
    /// `UInt8`.
    case unsigned
    /// Whichever the kernel prefers, as the rows are quantized just before.
    case preferred
  }

  /// The geometry of the rows (patches) in the input.
  public var patches: PatchGeometry
  /// The number of rows: output pixels of all images.
  public var rows: Int
  /// The number of columns: output channels of one group.
  public var columns: Int
  /// The element type of byte rows; ignored for floats.
  public var rowBytes: RowBytes
  /// The format of byte weights.
  public var filter: QuantizedFormat
  /// The type of the results.
  public var results: Results
  /// Whether the right matrix is computed anew in every run, so that packing it takes time as well.
  public var packsInEveryRun: Bool
  /// Whether each kernel call computes a single row of output pixels.
  public var isRowByRow = false

  /// Creates a problem.
  public init(
    _ patches: PatchGeometry, rows: Int, columns: Int, rowBytes: RowBytes = .preferred,
    filter: QuantizedFormat = QuantizedFormat(isSigned: true, zeroPoint: 0),
    results: Results = .floats, packsInEveryRun: Bool = false
  ) {
    self.patches = patches
    self.rows = rows
    self.columns = columns
    self.rowBytes = rowBytes
    self.filter = filter
    self.results = results
    self.packsInEveryRun = packsInEveryRun
  }
}

extension QuantizedFormat {
  /// The element type of rows in this format.
  public var rowBytes: GEMMProblem.RowBytes { isSigned ? .signed : .unsigned }
}

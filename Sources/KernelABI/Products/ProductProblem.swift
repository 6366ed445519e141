/// A matrix product as the strategies of its family see it before they compute it.
public struct ProductProblem: Sendable {
  /// What becomes of the sums.
  public enum Results: Sendable {
    /// Bytes, by a multiplier and a shift for every column.
    case bytes
    /// Bytes, by a factor in double precision for every column.
    case bytesOfRealScales
    /// Floats.
    case floats
    /// The sums themselves, in 32 bits.
    case sums
  }

  /// The bytes of the rows.
  public enum RowBytes: Sendable {
    /// `Int8`.
    case signed
    /// `UInt8`.
    case unsigned
    /// As the kernel wants them: rows are made for it.
    case preferred
  }

  /// How the rows are cut out of the input.
  public var patches: PatchGeometry
  /// The rows: output pixels of all images.
  public var rows: Int
  /// The columns: output channels of one group.
  public var columns: Int
  /// The bytes of the rows; floats have none.
  public var rowBytes: RowBytes
  /// The format of the weights, where these are bytes.
  public var filter: QuantizedFormat
  /// What becomes of the sums.
  public var results: Results
  /// Whether the right matrix is another one in every run, so that packing it takes time too.
  public var packsInEveryRun: Bool
  /// Whether every line of the output is a call of its own.
  public var comesLineByLine = false

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
  /// The bytes of rows in this format.
  public var rowBytes: ProductProblem.RowBytes { isSigned ? .signed : .unsigned }
}

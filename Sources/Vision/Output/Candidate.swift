public import OcellusImaging

/// An object that a decoder read from a network's outputs, before suppression.
public struct Candidate: Hashable, Sendable {
  /// The bounding box, in fractions of the network's input from its left and upper edge.
  public var box: BoundingBox
  /// The index of the class in the model's order.
  public var category: Int
  /// The network's confidence.
  public var score: Float
  /// Keypoints that the network reports, in fractions of its input; often empty.
  public var keypoints: [PixelPoint]
  /// The element of the outputs that it comes from; `nil` when the decoder does not provide it.
  public var origin: Origin?
  /// The index in the ledger, if there is one.
  var number: Int?
  /// The tile in which it was found, if the picture was divided into tiles.
  var tileOrigin: TileOrigin?

  /// An anchor, a cell or a row of a network's outputs.
  public struct Origin: Hashable, Sendable {
    /// The index of the anchor or row, in the order of the outputs.
    public var index: Int
    /// The column of the cell, if the network has a grid.
    public var column: Int?
    /// The row of the cell, if the network has a grid.
    public var row: Int?

    /// Creates an origin from an index, and the cell of the grid if there is one.
    public init(index: Int, column: Int? = nil, row: Int? = nil) {
      self.index = index
      self.column = column
      self.row = row
    }
  }

  /// Creates an object of class `category` at `box`, in fractions of the network's input.
  public init(
    box: BoundingBox, category: Int, score: Float, keypoints: [PixelPoint] = [],
    origin: Origin? = nil
  ) {
    self.box = box
    self.category = category
    self.score = score
    self.keypoints = keypoints
    self.origin = origin
  }
}

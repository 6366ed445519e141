public import OcellusImaging

/// What a decoder reads from a network's outputs, before overlaps are suppressed.
public struct Candidate: Hashable, Sendable {
  /// Where it is, in fractions of the network's input: 0…1 from its left and upper edge.
  public var box: BoundingBox
  /// The number of the class in the model's order.
  public var category: Int
  /// How sure the network is.
  public var score: Float
  /// Places in the object that the network points at, in fractions of its input; often none.
  public var keypoints: [PixelPoint]
  /// What of the outputs it was read from; `nil` where the decoder does not say.
  public var origin: Origin?
  /// Its place in a ledger, while there is one.
  var number: Int?
  /// Which part of a picture it was found in, where that was looked at in parts.
  var piece: Piece?

  /// An anchor, a cell or a row of a network's outputs.
  public struct Origin: Hashable, Sendable {
    /// Its number among all, in the order of the outputs.
    public var index: Int
    /// The column of the cell, where the network has a grid.
    public var column: Int?
    /// The row of the cell.
    public var row: Int?

    /// The anchor or row of this number, in this cell of the grid if there is one.
    public init(index: Int, column: Int? = nil, row: Int? = nil) {
      self.index = index
      self.column = column
      self.row = row
    }
  }

  /// An object of class `category` at `box`, which is in fractions of the network's input.
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

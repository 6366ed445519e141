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

  /// An object of class `category` at `box`, which is in fractions of the network's input.
  public init(box: BoundingBox, category: Int, score: Float, keypoints: [PixelPoint] = []) {
    self.box = box
    self.category = category
    self.score = score
    self.keypoints = keypoints
  }
}

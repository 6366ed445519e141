public import OcellusImaging

/// How a network wants to be shown a picture.
public struct PictureInput: Hashable, Sendable {
  /// Which of the model's inputs takes the picture.
  public var index: Int
  /// Size, type, colour order, layout and scale of the tensor.
  public var tensor: PictureTensor
  /// How the picture is brought to that size.
  public var resampler: Resampler
  /// What becomes of a picture of another shape.
  public var fit: PictureFit
  /// What is around a letterboxed picture, 0…255.
  public var padding: UInt8

  /// What a caller may say about the input; what is left out is found out from the model.
  public struct Options: Hashable, Sendable {
    /// The size in pixels, for models that take pictures of any size.
    public var size: PixelSize?
    /// The order of the colours.
    public var channels: PictureTensor.Channels?
    /// What is done to the bytes of the picture.
    public var normalization: PictureTensor.Normalization?
    /// How the picture is brought to the network's size.
    public var resampler: Resampler?
    /// What becomes of a picture of another shape.
    public var fit: PictureFit?

    /// Options that leave everything to the model.
    public init(
      size: PixelSize? = nil, channels: PictureTensor.Channels? = nil,
      normalization: PictureTensor.Normalization? = nil, resampler: Resampler? = nil,
      fit: PictureFit? = nil
    ) {
      self.size = size
      self.channels = channels
      self.normalization = normalization
      self.resampler = resampler
      self.fit = fit
    }
  }

  /// What the networks of a family were trained with: used where nothing else says otherwise.
  public struct Convention: Hashable, Sendable {
    /// What is done to the bytes of the picture; `nil`: the family has no custom.
    public var normalization: PictureTensor.Normalization?
    /// The order of the colours.
    public var channels: PictureTensor.Channels
    /// What becomes of a picture of another shape.
    public var fit: PictureFit
    /// What is around a letterboxed picture, 0…255.
    public var padding: UInt8
    /// Whose convention it is, for the explanation.
    var source = "the usual"

    /// Red, green and blue, stretched to the input's shape, unless something else is given.
    public init(
      normalization: PictureTensor.Normalization? = nil, channels: PictureTensor.Channels = .rgb,
      fit: PictureFit = .stretch, padding: UInt8 = 0
    ) {
      self.normalization = normalization
      self.channels = channels
      self.fit = fit
      self.padding = padding
    }
  }
}

public import OcellusImaging

/// The conversion of a picture to a network's input.
public struct PictureInput: Hashable, Sendable {
  /// The index of the model's input that takes the picture.
  public var index: Int
  /// The size, element type, colour order, layout and value range of the tensor.
  public var tensor: PictureTensor
  /// The resampling method for scaling the picture.
  public var resampler: Resampler
  /// The treatment of a picture with another aspect ratio.
  public var fit: PictureFit
  /// The value of the pixels around a letterboxed picture, 0…255.
  public var padding: UInt8

  /// Overrides of the input's properties; `nil` properties are inferred from the model.
  public struct Options: Hashable, Sendable {
    /// The size in pixels, for models that take pictures of any size.
    public var size: PixelSize?
    /// The order of the colour channels.
    public var channels: PictureTensor.Channels?
    /// The mapping of pixel values to the input's range.
    public var normalization: PictureTensor.Normalization?
    /// The resampling method for scaling the picture.
    public var resampler: Resampler?
    /// The treatment of a picture with another aspect ratio.
    public var fit: PictureFit?

    /// Creates options; by default everything is inferred from the model.
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

  /// The preprocessing with which a family of networks is trained, as a default.
  public struct Convention: Hashable, Sendable {
    /// The mapping of pixel values to the input's range; `nil`: the family has no common one.
    public var normalization: PictureTensor.Normalization?
    /// The order of the colour channels.
    public var channels: PictureTensor.Channels
    /// The treatment of a picture with another aspect ratio.
    public var fit: PictureFit
    /// The value of the pixels around a letterboxed picture, 0…255.
    public var padding: UInt8
    /// The name of the convention's source, for the explanation.
    var source = "the usual"

    /// Creates a convention; by default, RGB pictures are stretched to the input's size.
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

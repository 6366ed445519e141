// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The contexts of a thread that pictures are drawn to, the present one last.
private final class ContextStack {
  var entries: [(context: CGContext, scale: CGFloat)] = []

  static var current: ContextStack {
    let key = "ocellus.contexts"
    if let stack = Thread.current.threadDictionary[key] as? ContextStack { return stack }
    let stack = ContextStack()
    Thread.current.threadDictionary[key] = stack
    return stack
  }
}

/// Begins a picture with the scale 1 on this thread.
public func UIGraphicsBeginImageContext(_ size: CGSize) {
  UIGraphicsBeginImageContextWithOptions(size, false, 1)
}

/// Begins a picture on this thread, whose origin is at the upper left; a scale of 0 stands for 1.
///
/// Until it ends, pictures are drawn to it. Without pixels, or if memory is short, nothing is.
public func UIGraphicsBeginImageContextWithOptions(
  _ size: CGSize, _ opaque: Bool, _ scale: CGFloat
) {
  let scale = scale > 0 ? scale : 1
  let alpha: CGImageAlphaInfo = opaque ? .noneSkipLast : .premultipliedLast
  let context = CGContext(
    data: nil, width: pixels(size.width * scale), height: pixels(size.height * scale),
    bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
    bitmapInfo: alpha.rawValue)
  guard let context else { return }
  context.translateBy(x: 0, y: CGFloat(context.height))
  context.scaleBy(x: scale, y: -scale)
  ContextStack.current.entries.append((context, scale))
}

/// Returns the number of pixels that cover a length; 0 for one that is no number.
private func pixels(_ length: CGFloat) -> Int { Int(exactly: length.rounded(.up)) ?? 0 }

/// Returns the context of this thread that is drawn to.
public func UIGraphicsGetCurrentContext() -> CGContext? {
  ContextStack.current.entries.last?.context
}

/// Returns what was drawn on this thread since a picture was begun.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
  guard let (context, scale) = ContextStack.current.entries.last else { return nil }
  return context.makeImage().map { UIImage(cgImage: $0, scale: scale, orientation: .up) }
}

/// Ends the picture that was begun last on this thread.
public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }

/// Draws to a context on this thread from now on.
public func UIGraphicsPushContext(_ context: CGContext) {
  ContextStack.current.entries.append((context, 1))
}

/// Draws to the context before again.
public func UIGraphicsPopContext() { _ = ContextStack.current.entries.popLast() }

/// The format of a renderer's pictures.
public final class UIGraphicsImageRendererFormat {
  /// The number of pixels in a point.
  public var scale: CGFloat = 1
  /// Whether pictures have no alpha.
  public var opaque = false

  /// Creates the format with the scale 1, with alpha.
  public init() {}

  /// Returns a new format with the scale 1, with alpha.
  public static func `default`() -> UIGraphicsImageRendererFormat { .init() }
}

/// A renderer, which calls a function that draws a picture.
public final class UIGraphicsImageRenderer {
  private let size: CGSize
  private let format: UIGraphicsImageRendererFormat

  /// Creates a renderer of pictures of a size.
  public init(size: CGSize, format: UIGraphicsImageRendererFormat = .init()) {
    self.size = size
    self.format = format
  }

  /// Returns the picture that `actions` draws.
  public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    let before = ContextStack.current.entries.count
    UIGraphicsBeginImageContextWithOptions(size, format.opaque, format.scale)
    guard ContextStack.current.entries.count > before, let context = UIGraphicsGetCurrentContext()
    else { return UIImage() }
    defer { UIGraphicsEndImageContext() }
    actions(UIGraphicsImageRendererContext(context))
    return UIGraphicsGetImageFromCurrentImageContext() ?? UIImage()
  }
}

/// What a renderer draws to.
public final class UIGraphicsImageRendererContext {
  /// The context.
  public let cgContext: CGContext

  init(_ context: CGContext) { cgContext = context }

  /// Draws over a rectangle with the fill colour.
  public func fill(_ rect: CGRect) { cgContext.fill(rect) }
}

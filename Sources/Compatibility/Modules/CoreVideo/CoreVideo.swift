// Pixel buffers.
@_exported public import Foundation
@_exported public import OcellusGraphics

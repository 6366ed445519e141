// Buffers of pixels and the functions of vImage.
@_exported public import Foundation
@_exported public import OcellusGraphics

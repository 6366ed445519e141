// Pixels, contexts to draw to, colours and transforms.
@_exported public import Foundation
@_exported public import OcellusGraphics

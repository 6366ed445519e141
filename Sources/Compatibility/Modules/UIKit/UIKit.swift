// Pictures, colours and orientations; there are no views.
@_exported public import Foundation
@_exported public import OcellusGraphics

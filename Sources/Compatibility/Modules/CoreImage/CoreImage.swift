// Pictures that are made of pixel buffers; there are no filters.
@_exported public import Foundation
@_exported public import OcellusGraphics

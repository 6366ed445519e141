// The positions of cameras, and video frames; there is no access to cameras.
@_exported public import Foundation
@_exported public import OcellusGraphics

// Pictures, and the names of Apple's frameworks for related types.
@_exported public import Foundation
@_exported public import MLImage
@_exported public import OcellusGraphics
@_exported public import OcellusImaging

@_exported public import protocol OcellusCompatibility.MLKitCompatibleImage
@_exported public import struct OcellusCompatibility.PictureCounts
@_exported public import enum OcellusCompatibility.ProcessingError
@_exported public import class OcellusCompatibility.VisionImage
@_exported public import class OcellusMLKit.Vision3DPoint
@_exported public import class OcellusMLKit.VisionPoint

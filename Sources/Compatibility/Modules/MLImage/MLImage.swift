// Pictures with the type of their source.
@_exported public import Foundation
@_exported public import OcellusGraphics
@_exported public import OcellusImaging

@_exported public import protocol OcellusCompatibility.MLKitCompatibleImage
@_exported public import class OcellusMLKit.MLImage
@_exported public import struct OcellusMLKit.MLImageSourceType

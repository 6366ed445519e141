// Pictures, and the names of Apple's frameworks for related types.
@_exported public import Foundation
@_exported public import MLImage
@_exported public import OcellusImaging

@_exported public import enum OcellusCompatibility.AVCaptureDevice
@_exported public import typealias OcellusCompatibility.CMSampleBuffer
@_exported public import typealias OcellusCompatibility.CVPixelBuffer
@_exported public import enum OcellusCompatibility.ImageOrientation
@_exported public import protocol OcellusCompatibility.MLKitCompatibleImage
@_exported public import struct OcellusCompatibility.PictureCounts
@_exported public import enum OcellusCompatibility.ProcessingError
@_exported public import struct OcellusCompatibility.SampleBuffer
@_exported public import class OcellusCompatibility.UIDevice
@_exported public import typealias OcellusCompatibility.UIDeviceOrientation
@_exported public import typealias OcellusCompatibility.UIImage
@_exported public import class OcellusCompatibility.VisionImage

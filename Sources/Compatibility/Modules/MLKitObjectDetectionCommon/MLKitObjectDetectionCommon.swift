// The common part of object detection with any classifier.
@_exported public import MLKitCommon
@_exported public import MLKitVision

@_exported public import class OcellusMLKit.CommonObjectDetectorOptions
@_exported public import class OcellusMLKit.Object
@_exported public import class OcellusMLKit.ObjectDetector
@_exported public import struct OcellusMLKit.ObjectDetectorMode
@_exported public import class OcellusMLKit.ObjectLabel
@_exported public import class OcellusVision.ObjectRecognizer

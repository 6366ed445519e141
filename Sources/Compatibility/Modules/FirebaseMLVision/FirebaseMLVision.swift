// The detectors and labelers of Firebase ML Kit.
@_exported public import FirebaseMLCommon
@_exported public import OcellusGraphics
@_exported public import OcellusImaging

@_exported public import class OcellusCompatibility.AutoMLLocalModel
@_exported public import class OcellusCompatibility.AutoMLRemoteModel
@_exported public import class OcellusCompatibility.CustomLocalModel
@_exported public import class OcellusCompatibility.CustomRemoteModel
@_exported public import struct OcellusCompatibility.PictureCounts
@_exported public import enum OcellusCompatibility.ProcessingError
@_exported public import enum OcellusCompatibility.VisionDetectorImageOrientation
@_exported public import class OcellusCompatibility.VisionImage
@_exported public import class OcellusCompatibility.VisionImageMetadata
@_exported public import class OcellusFirebase.Vision
@_exported public import class OcellusFirebase.VisionImageLabel
@_exported public import class OcellusFirebase.VisionImageLabeler
@_exported public import enum OcellusFirebase.VisionImageLabelerType
@_exported public import class OcellusFirebase.VisionObject
@_exported public import enum OcellusFirebase.VisionObjectCategory
@_exported public import class OcellusFirebase.VisionObjectDetector
@_exported public import enum OcellusFirebase.VisionObjectDetectorMode
@_exported public import class OcellusFirebase.VisionObjectDetectorOptions
@_exported public import class OcellusFirebase.VisionOnDeviceAutoMLImageLabelerOptions
@_exported public import class OcellusFirebase.VisionOnDeviceImageLabelerOptions
@_exported public import class OcellusFirebase.VisionPoint
@_exported public import class OcellusVision.ObjectRecognizer

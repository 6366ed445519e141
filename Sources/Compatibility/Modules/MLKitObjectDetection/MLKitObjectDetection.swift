// Objects and their coarse categories.
@_exported public import MLKitObjectDetectionCommon

@_exported public import struct OcellusMLKit.DetectedObjectLabel
@_exported public import struct OcellusMLKit.DetectedObjectLabelIndex
@_exported public import class OcellusMLKit.ObjectDetectorOptions

// Object detection with the coarse categories of the base model.
@_exported public import MLKitObjectDetectionCommon

@_exported public import struct OcellusMLKit.DetectedObjectLabel
@_exported public import struct OcellusMLKit.DetectedObjectLabelIndex
@_exported public import class OcellusMLKit.ObjectDetectorOptions

// Object detection with a custom classifier.
@_exported public import MLKitObjectDetectionCommon

@_exported public import class OcellusMLKit.CustomObjectDetectorOptions

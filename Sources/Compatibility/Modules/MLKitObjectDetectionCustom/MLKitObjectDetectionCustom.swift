// Objects, named by a model of one's own.
@_exported public import MLKitObjectDetectionCommon

@_exported public import class OcellusMLKit.CustomObjectDetectorOptions

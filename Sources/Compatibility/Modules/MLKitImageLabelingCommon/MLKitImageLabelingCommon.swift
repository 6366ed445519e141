// The common part of image labeling with any model.
@_exported public import MLKitCommon
@_exported public import MLKitVision

@_exported public import class OcellusMLKit.CommonImageLabelerOptions
@_exported public import class OcellusMLKit.ImageLabel
@_exported public import class OcellusMLKit.ImageLabeler

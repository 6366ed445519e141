// Image labeling with a custom model.
@_exported public import MLKitImageLabelingCommon

@_exported public import class OcellusMLKit.CustomImageLabelerOptions

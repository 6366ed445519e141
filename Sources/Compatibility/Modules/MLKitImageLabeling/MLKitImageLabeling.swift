// Image labeling with the base model.
@_exported public import MLKitImageLabelingCommon

@_exported public import class OcellusMLKit.ImageLabelerOptions

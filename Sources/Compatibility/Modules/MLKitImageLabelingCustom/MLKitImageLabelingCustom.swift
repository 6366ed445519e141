// Labels of a model of one's own.
@_exported public import MLKitImageLabelingCommon

@_exported public import class OcellusMLKit.CustomImageLabelerOptions

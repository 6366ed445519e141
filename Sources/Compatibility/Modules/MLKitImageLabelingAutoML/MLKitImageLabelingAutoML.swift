// Image labeling with a model exported by AutoML.
@_exported public import MLKitImageLabelingCommon

@_exported public import class OcellusMLKit.AutoMLImageLabelerLocalModel
@_exported public import class OcellusMLKit.AutoMLImageLabelerOptions
@_exported public import class OcellusMLKit.AutoMLImageLabelerRemoteModel

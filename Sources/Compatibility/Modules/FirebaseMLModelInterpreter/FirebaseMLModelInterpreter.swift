// An interpreter for custom models.
@_exported public import FirebaseMLCommon

@_exported public import class OcellusCompatibility.CustomLocalModel
@_exported public import class OcellusCompatibility.CustomRemoteModel
@_exported public import enum OcellusFirebase.ModelElementType
@_exported public import class OcellusFirebase.ModelInputOutputOptions
@_exported public import class OcellusFirebase.ModelInputs
@_exported public import class OcellusFirebase.ModelInterpreter
@_exported public import class OcellusFirebase.ModelOutputs

// Hosted models, by name.
@_exported public import MLKitCommon

@_exported public import class OcellusCompatibility.FirebaseModelSource

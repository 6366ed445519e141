// References to hosted models.
@_exported public import MLKitCommon

@_exported public import class OcellusCompatibility.FirebaseModelSource

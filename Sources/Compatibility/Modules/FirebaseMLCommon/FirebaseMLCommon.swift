// Local and hosted models.
@_exported public import FirebaseCore

@_exported public import class OcellusCompatibility.LocalModel
@_exported public import class OcellusCompatibility.ModelDownloadConditions
@_exported public import struct OcellusCompatibility.ModelDownloadUserInfoKey
@_exported public import class OcellusCompatibility.ModelManager
@_exported public import class OcellusCompatibility.RemoteModel

// The common part of ML Kit: local and hosted models.
@_exported public import Foundation

@_exported public import class OcellusCompatibility.CustomRemoteModel
@_exported public import class OcellusCompatibility.LocalModel
@_exported public import class OcellusCompatibility.ModelDownloadConditions
@_exported public import struct OcellusCompatibility.ModelDownloadUserInfoKey
@_exported public import class OcellusCompatibility.ModelManager
@_exported public import class OcellusCompatibility.RemoteModel
@_exported public import class OcellusCompatibility.RemoteModelSource

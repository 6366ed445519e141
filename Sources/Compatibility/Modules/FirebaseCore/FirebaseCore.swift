// Apps and their projects.
@_exported public import Foundation

@_exported public import class OcellusFirebase.FirebaseApp
@_exported public import class OcellusFirebase.FirebaseOptions

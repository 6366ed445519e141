// All modules of Firebase that are available here.
@_exported public import FirebaseMLModelInterpreter
@_exported public import FirebaseMLVision

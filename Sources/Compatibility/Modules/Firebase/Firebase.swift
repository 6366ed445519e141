// All of Firebase that there is here.
@_exported public import FirebaseMLModelInterpreter
@_exported public import FirebaseMLVision

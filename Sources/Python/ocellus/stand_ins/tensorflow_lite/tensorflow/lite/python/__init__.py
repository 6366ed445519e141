"""The package with the module of `tf.lite.Interpreter`."""

"""The package of the module that `tf.lite.Interpreter` comes from."""

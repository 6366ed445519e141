"""The official package's interface for delegates, which this library does not support."""

from __future__ import annotations

from typing import Any, Mapping, NoReturn, Optional

_REASON = (
    "ocellus runs models on the processor by itself and loads no delegates, neither for accelerators such as the"
    " Edge TPU nor others. Leave the delegate out: the interpreter runs the model without it, unless the model was"
    " compiled for an accelerator. num_threads makes it faster."
)


class DelegateError(OSError, ValueError):
    """A program requested a delegate.

    Programs that can continue without one expect a `ValueError` if the official package cannot set up a
    delegate, and an `OSError` if the delegate's library is missing.
    """


class Delegate:
    """The official package's class for delegates; creating one raises a `DelegateError`."""

    def __init__(self, library: Optional[str], options: Optional[Mapping[str, Any]] = None) -> None:
        refuse(library)


def refuse(library: Any) -> NoReturn:
    """Raises a `DelegateError` that explains why there is no delegate."""
    raise DelegateError(f"Failed to load delegate from {library}\n{_REASON}")


def load_delegate(library: Optional[str], options: Optional[Mapping[str, Any]] = None) -> Delegate:
    """Raises a `DelegateError`, which is a `ValueError` and an `OSError`: there are no delegates."""
    return Delegate(library, options)

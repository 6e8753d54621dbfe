"""The rim where bytes come in and go out: gRPC and protobuf, and nothing else knows them."""

from __future__ import annotations

import logging
import os

_VERBOSITY = "GRPC_VERBOSITY"
_FOR_BOTS = "ERROR"

# gRPC reads this when it is loaded. In here it is to be silent: what a hostile bot sends can be
# worth megabytes of lines on standard error in a second. Bots inherit the variable, and they are to
# read of errors, but not of every connection that ends. Whoever asks for something else gets it.
if os.environ.get(_VERBOSITY, _FOR_BOTS) == _FOR_BOTS:
    os.environ[_VERBOSITY] = "NONE"
    import grpc  # noqa: F401 - only to be loaded now

    os.environ[_VERBOSITY] = _FOR_BOTS

# The same for what its Python half says about calls that were broken off.
logging.getLogger("grpc").addHandler(logging.NullHandler())

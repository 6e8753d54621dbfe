"""The rim where bytes come in and go out: gRPC and protobuf, and nothing else knows them."""

from __future__ import annotations

import os

# gRPC reads this when it is loaded. Without it every connection that ends is a line on standard
# error, ours and, because they inherit it, that of the bots.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

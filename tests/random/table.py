# SPDX-License-Identifier: BSL-1.0
"""All operations, in groups."""

from operations.indexing import INDEXING
from operations.loops import DERIVATIVES, LOOPS
from operations.norms import NORMS
from operations.pointwise import ALONG, BINARY, REDUCTIONS, UNARY
from operations.products import PRODUCTS, WINDOWS
from operations.views import VIEWS

OPERATIONS = [UNARY, ALONG, BINARY, REDUCTIONS, VIEWS, INDEXING, PRODUCTS, NORMS, WINDOWS, LOOPS, DERIVATIVES,
              UNARY, BINARY, VIEWS, WINDOWS]  # what stands twice is twice as likely

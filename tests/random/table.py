# SPDX-License-Identifier: BSL-1.0
"""All operations, in groups."""

from operations.indexing import INDEXING
from operations.loops import DERIVATIVES, LOOPS
from operations.matrices import MATRICES
from operations.norms import NORMS
from operations.pointwise import ALONG, BINARY, REDUCTIONS, UNARY
from operations.products import PRODUCTS
from operations.views import VIEWS
from operations.windows import WINDOWS

OPERATIONS = [UNARY, ALONG, BINARY, REDUCTIONS, VIEWS, INDEXING, PRODUCTS, MATRICES, NORMS, WINDOWS, LOOPS, DERIVATIVES,
              UNARY, BINARY, VIEWS, WINDOWS]  # what stands twice is twice as likely

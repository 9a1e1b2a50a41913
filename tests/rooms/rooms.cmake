# SPDX-License-Identifier: BSL-1.0
# The rooms of include/tapeless, each after those that it may include; what ORDER says stands in check.cmake.
room(graph)
room(expr MAY graph)
room(ops MAY expr graph)
room(optim MAY ops expr graph)
room(plan MAY graph)
room(run MAY plan ops expr graph)
room(io MAY graph)
room(data MAY io graph)
room(train MAY run plan optim ops expr graph data io)

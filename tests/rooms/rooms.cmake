# SPDX-License-Identifier: BSL-1.0
# The rooms of include/tapeless, each after those that it may include; what ORDER says stands in check.cmake.
room(graph ORDER core structural transform)
room(matrices MAY graph)
room(expr MAY graph)
room(ops MAY expr matrices graph
     ORDER base shape pointwise reduction random indexing linalg activation spatial spectral norm loss attention control recurrent
           autodiff)
room(optim MAY ops expr graph ORDER base schedules transforms rules wrappers line_search)
room(plan MAY graph)
room(run MAY plan ops expr matrices graph ORDER common bare
           cpu/vectors cpu/threads cpu/fused cpu/product cpu/convolution cpu/pooling cpu/attention cpu/families
           cpu/straight_line cpu gpu/launch gpu/kernels cuda thrust_host)
room(io MAY graph)
room(data MAY io expr graph)
room(onnx MAY io ops expr graph)
room(train MAY run plan optim ops expr graph data io onnx
     ORDER binding cuda program trainer bare loop loop/metrics loop/observers files inspect)
room(cluster MAY train run plan optim ops expr graph data io onnx ORDER collectives)

# Names that two headers have, by intent: docs/rooms.md says why.
shared_names(attention norm) # a room's umbrella, and an operation
shared_names(bare gguf mpi nccl) # what users include, and what is in its room
shared_names(concat normalize npy split trace) # two things that users call by one word, or one idea in two rooms

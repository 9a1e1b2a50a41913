#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Copies what check.sh needs and a bare machine lacks into .carry, a folder that git ignores: the headers of
# Eigen, Boost.Hana, Catch2 and, for toolkits without them, Thrust and CUB; reference values, complete user
# programs, small data sets. About 40 MB.
# Usage: vendor.sh [--cifar10]
#
# INCLUDE, EIGEN and CCCL are the folders of those headers; TAPELESS_REFERENCE_DIR, TAPELESS_API_DIR and
# TAPELESS_DATA_DIR name what otherwise is ../shared/{reference,api,data} beside the repository.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
include=${INCLUDE:-/usr/include}
eigen=${EIGEN:-$include/eigen3}
cccl=${CCCL:-${CUDA_HOME:-/usr/local/cuda}/include/cccl}
reference=${TAPELESS_REFERENCE_DIR:-../shared/reference}
api=${TAPELESS_API_DIR:-../shared/api}
data=${TAPELESS_DATA_DIR:-../shared/data}

rm -rf .carry
mkdir -p .carry/include/boost .carry/reference .carry/api .carry/data
cp -rL "$eigen/Eigen" "$include/catch2" .carry/include/
cp -rL "$include"/boost/hana* .carry/include/boost/ # which includes nothing else of Boost
if [ -d "$cccl" ]; then cp -rL "$cccl" .carry/cccl; fi

cp "$reference"/ops-*.safetensors "$reference"/second-order.safetensors .carry/reference/
cp "$api"/0*.cpp .carry/api/
cp -r "$data/mnist" "$data/tinyshakespeare" .carry/data/
if [ "${1:-}" = --cifar10 ]; then cp -r "$data/cifar10" .carry/data/; fi
chmod -R u+w .carry
du -sh .carry

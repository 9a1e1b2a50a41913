#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Copies what check.sh needs and a bare machine lacks into .carry, a folder that git ignores, and says what that is:
#
#   include    the headers of Eigen, Boost.Hana and Catch2 (2.13, which is one header)
#   cccl       Thrust and CUB, for a CUDA toolkit that comes without them
#   data       MNIST, a text, and CIFAR-10 as JPEG with the program that decodes it (Python with Pillow and numpy)
#
# INCLUDE, EIGEN, CATCH and CCCL are the folders of those headers; TAPELESS_DATA_DIR names what otherwise is
# ../shared/data beside the repository. Where TAPELESS_REFERENCE_DIR is set, its reference values are taken along, as
# "reference", and compared with in place of the repository's own.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
include=${INCLUDE:-/usr/include}
eigen=${EIGEN:-$include/eigen3} catch=${CATCH:-$include/catch2}
cccl=${CCCL:-${CUDA_HOME:-/usr/local/cuda}/include/cccl}
reference=${TAPELESS_REFERENCE_DIR:-}
data=${TAPELESS_DATA_DIR:-../shared/data}

missing=0
need() { # PATH WHAT
  [ -e "$1" ] && return
  echo "vendor.sh: there is no $1: $2" >&2
  missing=1
}
need "$eigen/Eigen/Core" "Eigen's headers; EIGEN names their folder"
need "$eigen/unsupported/Eigen/FFT" "Eigen's Fourier transforms, beside its other headers"
need "$include/boost/hana.hpp" "Boost.Hana's headers; INCLUDE names the folder above boost"
need "$catch/catch.hpp" "Catch2's header of version 2.13; CATCH names its folder"
need "$cccl/thrust" "Thrust's and CUB's headers; CCCL names their folder"
[ -z "$reference" ] || need "$reference/second-order.safetensors" "reference values, which TAPELESS_REFERENCE_DIR names"
need "$data/mnist/train-images-idx3-ubyte.gz" "MNIST; TAPELESS_DATA_DIR names the folder of data sets"
need "$data/tinyshakespeare/input.txt" "a text; TAPELESS_DATA_DIR names the folder of data sets"
need "$data/cifar10/to_binary.py" "CIFAR-10; TAPELESS_DATA_DIR names the folder of data sets"
[ $missing = 0 ]

rm -rf .carry
mkdir -p .carry/include/boost .carry/include/catch2 .carry/data
cp -rL "$eigen/Eigen" .carry/include/
mkdir -p .carry/include/unsupported/Eigen/src
cp -L "$eigen/unsupported/Eigen/FFT" .carry/include/unsupported/Eigen/
cp -rL "$eigen/unsupported/Eigen/src/FFT" .carry/include/unsupported/Eigen/src/
cp -L "$catch"/*.hpp .carry/include/catch2/
cp -rL "$include"/boost/hana* .carry/include/boost/ # which includes nothing else of Boost
cp -rL "$cccl" .carry/cccl
if [ -n "$reference" ]; then
  mkdir .carry/reference
  cp "$reference"/ops-*.safetensors "$reference"/second-order.safetensors .carry/reference/
fi
cp -r "$data/mnist" "$data/tinyshakespeare" "$data/cifar10" .carry/data/
chmod -R u+w .carry
du -s --apparent-size -BK .carry/* .carry
limit=64 # MiB that can be taken along, with the source
if [ "$(du -sm --apparent-size .carry | cut -f1)" -gt $((limit - 8)) ]; then
  echo "vendor.sh: with the source that may be more than $limit MiB" >&2
fi

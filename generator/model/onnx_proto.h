// The onnx library's protobuf classes. Included before system headers whose macros it clashes with.
#pragma once
#include <onnx/onnx_pb.h>

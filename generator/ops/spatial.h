// Families that work on images and signals, beside convolutions and pools.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<Room> pad_rooms();
std::vector<Room> crop_rooms();          // CenterCropPad
std::vector<Room> resize_rooms();        // Resize, Upsample
std::vector<Room> spatial_norm_rooms();  // InstanceNormalization, GroupNormalization, MeanVarianceNormalization, LRN
std::vector<Room> sampling_rooms();      // GridSample, AffineGrid, RoiAlign, MaxRoiPool, DeformConv
std::vector<Room> unpool_rooms();        // MaxUnpool, Col2Im
std::vector<Room> blocks_rooms();        // DepthToSpace, SpaceToDepth

}  // namespace tarn::ops

// Families that work on images and signals, beside convolutions and pools.
#pragma once
#include <vector>

#include "ops/op.h"

namespace tarn::ops {

std::vector<OperatorEntry> pad_entries();
std::vector<OperatorEntry> crop_entries();    // CenterCropPad
std::vector<OperatorEntry> resize_entries();  // Resize, Upsample
std::vector<OperatorEntry>
spatial_norm_entries();  // InstanceNormalization, GroupNormalization, MeanVarianceNormalization, LRN
std::vector<OperatorEntry> sampling_entries();  // GridSample, AffineGrid, RoiAlign, MaxRoiPool, DeformConv
std::vector<OperatorEntry> unpool_entries();    // MaxUnpool, Col2Im
std::vector<OperatorEntry> blocks_entries();    // DepthToSpace, SpaceToDepth

}  // namespace tarn::ops

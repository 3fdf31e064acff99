// Steps of several lines that are one line to the kernel.
#pragma once
#include "stream/network/net.h"

namespace tarn::stream {

// Does a line need other lines of an operand than that of its number?
bool reads_windows(const program::Operation& operation);

// Can lines that stand side by side be one line to the operation's kernel? All that goes by lines is dense.
bool lines_join(const Program& program, const lifetimes::Storage& storage, const program::Operation& operation);

// Up to `most` lines that a step makes are made as one line where they can stand side by side in every memory, which
// then has the unit that this takes: lines of one pixel, and longer ones that a kernel says to take pixel by pixel.
// All such steps are of as many lines: of up to a half fewer than `most`, where
// that makes them so. False: nothing changes.
bool join_lines(const Program& program, const lifetimes::Storage& storage, const program::Operation& operation,
                int64_t most, Net& net, NetNode& node);

}  // namespace tarn::stream

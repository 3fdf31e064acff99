// When the code of a network by lines at one height serves another height, and what plans of several heights agree on.
#pragma once
#include <string>
#include <vector>

#include "stream/network/net.h"

namespace tarn::stream {

// What is otherwise at one height than at the largest; empty: the code of the largest serves both.
std::string difference(const Program& program, const Net& net, const Program& largest, const Net& most);

// What joined layers and the driver keep has the room that it has at the largest height.
void take_room(Net& net, const Net& most);

// Addresses follow one rule at all heights, and where one of them has to look before it reads ahead all do. The largest
// height stands last.
void make_alike(std::vector<LinePlan>& plans);

}  // namespace tarn::stream

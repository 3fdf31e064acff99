// Networks by lines, seen from outside: the functions that take in and hand out lines, and what the driver and the
// header share with them.
#pragma once
#include <map>
#include <string>

#include "emit/stream_call.h"

namespace tarn::emit {

// The network runs in calls that push and pull lines; else one call is one inference.
bool by_calls(const stream::LinePlan& plan);

// The first of the actors that move a port's lines; further ones are an input's later passes.
bool is_first_pass(const stream::Actor& actor);

// What is handed over, of which an actor may keep some columns.
program::TensorId port_of(const Context& c, const stream::Actor& actor);

// Elements of a line: ports go by the lines of their memory, which need not be the tensor's own.
int64_t port_count(const Context& c, const stream::Actor& actor);

// Bytes of a line; elements smaller than a byte share bytes with their neighbours.
int64_t port_bytes(const Context& c, const stream::Actor& actor);

// The caller's buffers as parameters after others: ", const float *x, float *y"; empty where they lie in the arena.
std::string io_parameters(const Context& c);
// The same as arguments: ", image, scores".
std::string io_names(const Context& c);

// What all templates of a network by lines have in common.
std::map<std::string, std::string> stream_holes(const Context& c);

// kws_reset, kws_push_..., kws_pull_... and what they need. `open`: the holes that follow open heights.
std::string call_functions(LineText& text, const std::map<std::string, std::string>& open);

}  // namespace tarn::emit

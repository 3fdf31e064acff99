#include "program/program.h"

#include <algorithm>

#include "support/check.h"
#include "support/text.h"

namespace tarn::program {

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::input: return "input";
    case Kind::output: return "output";
    case Kind::activation: return "activation";
    case Kind::scratch: return "scratch";
    case Kind::state: return "state";
  }
  return "?";
}

void Params::append(std::vector<Field> more) {
  fields.insert(fields.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

FieldValue& Params::operator[](std::string_view name) {
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
  if (field == fields.end()) TARN_FAIL(cat(type, " has no field ", name));
  return field->value;
}

namespace {

Params strided_copy_params(FieldValue outer, FieldValue inner, FieldValue x_pitch, FieldValue y_pitch) {
  return {"tarn_copy_params",
          {{"outer", std::move(outer)},
           {"inner", std::move(inner)},
           {"x_pitch", std::move(x_pitch)},
           {"y_pitch", std::move(y_pitch)},
           {"x_offset", int64_t{0}},
           {"y_offset", int64_t{0}}}};
}

}  // namespace

Params copy_params(int64_t bytes) { return strided_copy_params(int64_t{1}, bytes, bytes, bytes); }

Params copy_params_by_pixels(int64_t element_bytes) {
  return strided_copy_params(Run{true, 1, 1}, Run{false, 1, element_bytes}, Pitch{Pitch::Of::pixel, 0, element_bytes},
                             Pitch{Pitch::Of::pixel, 1, element_bytes});
}

std::vector<TensorId> held_tensors(const Program& program) {
  std::vector<TensorId> held = program.states;
  if (program.image.valid()) held.push_back(program.image);
  return held;
}

std::string dump(const Program& program) {
  std::ostringstream out;
  for (const Operation& operation : program.operations) {
    out << (operation.kernel.empty() ? "(none)" : operation.kernel) << " [" << join(operation.nodes) << "]";
    for (const Argument& a : operation.arguments) {
      switch (a.role) {
        case Argument::Role::read: out << " <" << program[a.tensor].name; break;
        case Argument::Role::write: out << " >" << program[a.tensor].name; break;
        case Argument::Role::update: out << " !" << program[a.tensor].name; break;
        case Argument::Role::scratch: out << " ~" << program[a.tensor].name; break;
        case Argument::Role::weight: out << " #" << program[a.weight].name; break;
        case Argument::Role::lines: out << " lines*" << a.count; break;
        case Argument::Role::none: out << " -"; break;
      }
    }
    if (operation.view)
      out << "  (view " << program[operation.view->part].name << " in " << program[operation.view->whole].name << ")";
    out << "\n";
  }
  return out.str();
}

}  // namespace tarn::program

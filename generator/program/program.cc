#include "program/program.h"

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

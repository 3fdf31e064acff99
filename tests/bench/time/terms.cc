// Prints the terms of kernel calls: reads "KERNEL name=value ..." line by line, answers "name=count ..." or "none".
#include "time/terms.h"

#include <iomanip>
#include <iostream>
#include <sstream>

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string kernel, word;
    words >> kernel;
    tarn::timing::Parameters parameters;
    while (words >> word) {
      const size_t equals = word.find('=');
      parameters[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
    }
    const std::optional<tarn::timing::Terms> terms = tarn::timing::terms_of(kernel, parameters);
    if (!terms) std::cout << "none";
    else
      for (const tarn::timing::Term& term : *terms)
        std::cout << term.name << "=" << std::setprecision(15) << term.count << " ";
    std::cout << "\n";
  }
  return 0;
}

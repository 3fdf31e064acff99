#include "../../../../templates/verify/include/string.h"

/* SPDX-License-Identifier: MIT-0 */
#include <stdio.h>

void say(const char *text);

void say(const char *text) { fputs(text, stdout); }

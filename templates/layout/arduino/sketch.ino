/* SPDX-License-Identifier: MIT-0
 * @PACKAGE@.ino@MARK@
 * Runs the network on zeros and prints how long that took and what came out: put data of your own in. */
#include <@PREFIX@.h>

@BUFFERS@void setup() {
  Serial.begin(115200);
@SETUP@}

void loop() {
  const unsigned long start = micros();
@RUN@}

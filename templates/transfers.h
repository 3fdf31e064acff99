
/* The weights stand in a file of their own, @PREFIX@_weights.img, of which a run reads what each step needs through functions of
 * yours, into the arena. Offsets count from the beginning of the file. */
#define @CAPS@_IMAGE_BYTES @BYTES@u
/* Yours: begins to copy `bytes` bytes of the image from `offset` on to `destination`, and returns OK, or a status that the run
 * ends with. It may return before they are there: the run looks at none of them before it has called the next function. The step
 * that needs them comes after the one that asks for them. */
@PREFIX@_status @PREFIX@_weights_read(uint32_t offset, uint32_t bytes, void *destination);
/* Yours where reading goes on after the call: returns OK once all that was asked for is there, or a status that the run ends
 * with. The one in @PREFIX@.c returns at once; compilers without weak symbols take yours with @CAPS@_OWN_WEIGHTS_WAIT defined. */
@PREFIX@_status @PREFIX@_weights_wait(void);

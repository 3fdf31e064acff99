
/* The weights stand in an image of their own, @PREFIX@_weights.img, at an address that is told at run time and kept in the
 * arena: every arena is given it once after its memory was filled, and another one between two runs. It must stay readable
 * there. An image of other weights serves as long as it is of the same plan. */
#define @CAPS@_IMAGE_BYTES @BYTES@u
#define @CAPS@_IMAGE_ALIGN @ALIGN@u
/* Whether an image is one of this plan, whole and undamaged: OK, ERROR_NULL, ERROR_ALIGN, ERROR_WEIGHTS or ERROR_DAMAGED.
 * Reads all of it, as long as its header and @CAPS@_IMAGE_BYTES agree. */
@PREFIX@_status @PREFIX@_weights_check(const void *image);
/* The same where only so many bytes can be read: a shorter image is ERROR_DAMAGED. */
@PREFIX@_status @PREFIX@_weights_check_bytes(const void *image, uint32_t bytes);
/* Runs on this arena read their weights there from now on. Refuses what has no header of this plan; does not read further. */
@PREFIX@_status @PREFIX@_weights_set(@ARENA@, const void *image);

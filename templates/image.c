/* The address of the image, beside its complement: without it the arena holds none. */
static const uint8_t *@PREFIX@_image(@ARENA@)
{
    uintptr_t held[2];
    memcpy(held, @HELD@, sizeof held);
    return held[0] == (uintptr_t)~held[1] ? (const uint8_t *)held[0] : NULL;
}

static @PREFIX@_status @PREFIX@_image_status(const void *image, uint32_t readable, int32_t whole)
{
    static const tarn_image_check_params params = {@HIGH@, @LOW@, @BYTES@u};
    int32_t found;
    if (image == NULL) {
        return @CAPS@_ERROR_NULL;
    }
    if ((uintptr_t)image % @CAPS@_IMAGE_ALIGN != 0u) {
        return @CAPS@_ERROR_ALIGN;
    }
    found = tarn_image_check(&params, image, readable, whole);
    return found == 0 ? @CAPS@_OK : found == -1 ? @CAPS@_ERROR_WEIGHTS : @CAPS@_ERROR_DAMAGED;
}

@PREFIX@_status @PREFIX@_weights_check(const void *image)
{
    return @PREFIX@_image_status(image, UINT32_MAX, 1);
}

@PREFIX@_status @PREFIX@_weights_check_bytes(const void *image, uint32_t bytes)
{
    return @PREFIX@_image_status(image, bytes, 1);
}

@PREFIX@_status @PREFIX@_weights_set(@ARENA@, const void *image)
{
    const @PREFIX@_status status = @PREFIX@_image_status(image, UINT32_MAX, 0);
    uintptr_t held[2];
    if (@MISSING@) {
        return @CAPS@_ERROR_NULL;
    }
    if (status != @CAPS@_OK) {
        return status;
    }
    held[0] = (uintptr_t)image;
    held[1] = (uintptr_t)~held[0];
    memcpy(@HELD@, held, sizeof held);
    return @CAPS@_OK;
}


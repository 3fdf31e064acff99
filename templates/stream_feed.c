/* Has a line to come in or to go out first? */
static int32_t @PREFIX@_waits(uint32_t actor)
{
    switch (actor) {
@WAITING@    case @ACTORS@u:
        return 1;
    default:
        return @OTHERS@;
    }
}

static @PREFIX@_status @PREFIX@_go_on(void *arena, @PREFIX@_driver *d)
{
    @PREFIX@_status status = @CAPS@_OK;
    uint32_t actor = @PREFIX@_turn(&d->place);
    while (status == @CAPS@_OK && @PREFIX@_waits(actor) == 0) {
        TARN_TRACE(actor);
        status = @PREFIX@_work(arena, d, actor);
        actor = @PREFIX@_turn(&d->place);
    }
    return status;
}

static @PREFIX@_status @PREFIX@_check(const void *arena, const void *lines)
{
    if (arena == NULL || lines == NULL) {
        return @CAPS@_ERROR_NULL;
    }
@SIZE_CHECK@    return (uintptr_t)arena % @CAPS@_ARENA_ALIGN != 0u ? @CAPS@_ERROR_ALIGN : @CAPS@_OK;
}

void @PREFIX@_reset(void *arena)
{
    @PREFIX@_begin(@PREFIX@_driver_in(arena)@PASSED@);
}

@PREFIX@_status @PREFIX@_run_step(void *arena, uint32_t step@PARAMETERS@)
{
    @PREFIX@_driver *d;
    uint32_t actor;
@STATUS@    if (arena == NULL) {
        return @CAPS@_ERROR_NULL;
    }
    if ((uintptr_t)arena % @CAPS@_ARENA_ALIGN != 0u) {
        return @CAPS@_ERROR_ALIGN;
    }
    TARN_TRACE(step);
    d = @PREFIX@_driver_in(arena);
    if (step == 0u) {
        @PREFIX@_begin(d@PASSED@);
    }
@SIZE_OF_STEP@    actor = step < @CAPS@_STEPS ? @PREFIX@_turn(&d->place) : @ACTORS@u;
    @END@ actor < @ACTORS@u ? @PREFIX@_work(arena, d, actor@NAMES@) : @ENDED@;
@KEEP@}

@PREFIX@_status @PREFIX@_run(void *arena@PARAMETERS@)
{
    @PREFIX@_status status = @CAPS@_OK;
    uint32_t step = 0u;
    while (step < @CAPS@_STEPS && status == @CAPS@_OK) {
        status = @PREFIX@_run_step(arena, step@NAMES@);
        ++step;
    }
    return status;
}

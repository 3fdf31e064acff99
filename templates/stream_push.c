
int32_t @PREFIX@_push_@PORT@(void *arena, const @TYPE@ *lines, int32_t n)
{
    @PREFIX@_status status = @PREFIX@_check(arena, lines);
    @PREFIX@_driver *d;
    int32_t taken = 0;
    if (status != @CAPS@_OK) {
        return (int32_t)status;
    }
    d = @PREFIX@_driver_in(arena);
    status = @PREFIX@_go_on(arena, d);
    while (status == @CAPS@_OK && taken < n && @PREFIX@_turn(&d->place) == @ACTOR@u) {
@TAKE@        lines += @COUNT@;
        ++taken;
        ++d->made[@ACTOR@];
        @ADVANCE@
        status = @PREFIX@_go_on(arena, d);
    }
    return status == @CAPS@_OK ? taken : (int32_t)status;
}

int32_t @PREFIX@_lines_wanted_@PORT@(const void *arena)
{
    const @PREFIX@_driver *d = (const @PREFIX@_driver *)(const void *)((const uint8_t *)arena + @DRIVER_AT@u);
@WANTED@}

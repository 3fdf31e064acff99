/* Takes what the pass in turn needs of a line of @PORT@; 0: it is not @PORT@'s turn. */
static int32_t @PREFIX@_take_@PORT@(void *arena, const @PREFIX@_driver *d, const @TYPE@ *lines)
{
    switch (@PREFIX@_turn(&d->place)) {
@PASSES@    default:
        return 0;
    }
    return 1;
}

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
    while (status == @CAPS@_OK && taken < n && @PREFIX@_take_@PORT@(arena, d, lines) != 0) {
        lines += @COUNT@;
        ++taken;
        ++d->made[@PREFIX@_turn(&d->place)];
        @PREFIX@_advance(&d->place);
        status = @PREFIX@_go_on(arena, d);
    }
    return status == @CAPS@_OK ? taken : (int32_t)status;
}

int32_t @PREFIX@_lines_wanted_@PORT@(const void *arena)
{
    const @PREFIX@_driver *d = (const @PREFIX@_driver *)(const void *)((const uint8_t *)arena + @DRIVER_AT@u);
@WANTED@}

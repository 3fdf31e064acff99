
int32_t @PREFIX@_pull_@PORT@(void *arena, @TYPE@ *lines, int32_t max)
{
    @PREFIX@_status status = @PREFIX@_check(arena, lines);
    @PREFIX@_driver *d;
    int32_t given = 0;
    if (status != @CAPS@_OK) {
        return (int32_t)status;
    }
    d = @PREFIX@_driver_in(arena);
    status = @PREFIX@_go_on(arena, d);
    while (status == @CAPS@_OK && given < max && @PREFIX@_turn(&d->place) == @ACTOR@u) {
        const @TYPE@ *line = (const @TYPE@ *)@LINE@;
        int32_t i;
        for (i = 0; i < @COUNT@; ++i) {
            lines[i] = line[i];
        }
        lines += @COUNT@;
        ++given;
        ++d->made[@ACTOR@];
        @ADVANCE@
        status = @PREFIX@_go_on(arena, d);
    }
    return status == @CAPS@_OK ? given : (int32_t)status;
}

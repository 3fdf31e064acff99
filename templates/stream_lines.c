/* In the arena, line l of a tensor lies at @PLACE@. */
typedef struct {
    @WORD@ base, pitch, slots, lines@MORE_FIELDS@;
} @PREFIX@_lines;

@ROWS@
@COUNTS@static uint8_t *@PREFIX@_line(void *arena, const @PREFIX@_lines *t, int32_t line)
{
@ADDRESS@}

/* NULL outside the tensor. */
static TARN_UNUSED const uint8_t *@PREFIX@_row(void *arena, const @PREFIX@_lines *t, int32_t line)
{
    return @WITHIN@ ? @PREFIX@_line(arena, t, line) : NULL;
}


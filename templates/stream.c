@LINES@/* A place in the list of steps. */
typedef struct {
    uint32_t word;                      /* first entry of the word in turn */
    uint16_t at, times;                 /* actors of it that have worked, and how often it has run */
@SIZE_FIELD@} @PREFIX@_place;

/* All that is known between two steps. */
typedef struct {
    @PREFIX@_place place;
@COUNTERS@} @PREFIX@_driver;

TARN_STATIC_ASSERT(sizeof(@PREFIX@_driver) <= @DRIVER_BYTES@, the_driver_fits);

/* The steps, in words: how often it runs (low and high byte), how many actors it has, and these. */
@WORD_TABLE@
@AT_ONCE@static @PREFIX@_driver *@PREFIX@_driver_in(void *arena)
{
    return (@PREFIX@_driver *)(void *)((uint8_t *)arena + @DRIVER_AT@u);
}

@HELPERS@/* Makes line r of an actor. */
static @PREFIX@_status @PREFIX@_make(void *arena, uint32_t actor, int32_t r@PARAMETERS@)
{
    @PREFIX@_status status = @CAPS@_OK;
    (void)r;
@UNUSED@    switch (actor) {
@CASES@    default:
        break;
    }
    return status;
}

/* Whose turn it is; @ACTORS@: all is done. */
static uint32_t @PREFIX@_turn(const @PREFIX@_place *p)
{
    return @TURN@;
}

@TIMES_OF@static void @PREFIX@_advance(@PREFIX@_place *p)
{
    const @ENTRY@ *word = @PREFIX@_words + p->word;
    ++p->at;
    if (p->at == word[2]) {
        p->at = 0;
        ++p->times;
        if (p->times == @TIMES@) {
            p->times = 0;
            p->word += 3u + (uint32_t)word[2];
@AGAIN@        }
    }
}

static void @PREFIX@_begin(@PREFIX@_driver *d@OF_ARENA@)
{
@SIZE_OF_RUN@    uint32_t i;
    d->place.word = @FIRST_WORD@;
    d->place.at = 0;
    d->place.times = 0;
    for (i = 0; i < @ACTORS@u; ++i) {
        d->made[i] = 0;
    }
@KEEP_SIZE@@BEGIN@}
@NEXT@
static @PREFIX@_status @PREFIX@_work(void *arena, @PREFIX@_driver *d, uint32_t actor@PARAMETERS@)
{
    const @PREFIX@_status status = @PREFIX@_make(arena, actor, (int32_t)d->made[actor]@NAMES@);
    @MADE@
    @ADVANCE@
    return status;
}

@RUN@
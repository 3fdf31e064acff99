#ifndef @CAPS@_OWN_WEIGHTS_WAIT
#if defined(__GNUC__)
__attribute__((weak))
#endif
@PREFIX@_status @PREFIX@_weights_wait(void)
{
    return @CAPS@_OK;
}
#endif


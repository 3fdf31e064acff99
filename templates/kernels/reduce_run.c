static void @NAME@_@WIDTH@(const tarn_reduce_params *p, const @IN@ *x, @IN@ *y)
{
    @STATE@
    int32_t a;
    int32_t b;
    int32_t c;
    int32_t d;
    int32_t i;
    for (i = 0; i < @WIDTH@; ++i) {
        @START@
    }
    for (a = 0; a < p->reduced[0]; ++a) {
        for (b = 0; b < p->reduced[1]; ++b) {
            for (c = 0; c < p->reduced[2]; ++c) {
                const @IN@ *from = x + (a * p->reduced_step[0] + b * p->reduced_step[1] + c * p->reduced_step[2]);
                for (d = 0; d < p->reduced[3]; ++d) {
                    for (i = 0; i < @WIDTH@; ++i) {
                        const @COMPUTE@ v = @LOAD@;
                        @STEP@
                    }
                    from += p->reduced_step[3];
                }
            }
        }
    }
    for (i = 0; i < @WIDTH@; ++i) {
        @STORE@
    }
}

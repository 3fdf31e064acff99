#if defined(TARN_MANY_F32)
        /* Blocks of one length in arrays of their own: compilers make vectors of such loops. */
        for (i = 0; i < p->inner; i += 64) {
            const int32_t n = ((p->inner - i) < 64) ? (p->inner - i) : 64;
            const size_t bytes = (size_t)n * sizeof(float);
            float from[64];
            float many[64];
            int32_t k;
            memcpy(from, x + i, bytes);
            memset(from + n, 0, sizeof(from) - bytes);
            for (k = 0; k < 64; ++k) {
                const float a = from[k];
                many[k] = @ARGUMENT@;
            }
            tarn_@FUNCTION@_many(many, n);
            for (k = 0; k < 64; ++k) {
                @ELEMENT@many[k] = @VALUE@;
            }
            memcpy(y + i, many, bytes);
        }
#else

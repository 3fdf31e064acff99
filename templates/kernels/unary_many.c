#if defined(TARN_MANY_F32)
        for (i = 0; i < p->inner;) {
            float many[64];
            const int32_t n = ((p->inner - i) < 64) ? (p->inner - i) : 64;
            int32_t k;
            for (k = 0; k < n; ++k) {
                const float a = x[i + k];
                many[k] = @ARGUMENT@;
            }
            tarn_@FUNCTION@_many(many, n);
            for (k = 0; k < n; ++k) {
                @ELEMENT@@STORE@
                ++i;
            }
        }
#else

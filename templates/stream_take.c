        @TYPE@ *line = @LINE@;
        int32_t i;
        for (i = 0; i < @COUNT@; ++i) {
            line[i] = lines[i];
        }

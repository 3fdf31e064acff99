/* SPDX-License-Identifier: MIT-0
 * Classifies frames of a camera. By lines: each line goes to the network as the camera hands it over, and there is never a frame
 * in memory. With WHOLE the same network gets the whole frame at once; what it says must be the same. */
#include <stdint.h>

#ifdef WHOLE
#include "camera_whole.h"
#else
#include "camera.h"
#endif

enum { FRAMES = 8, SIZE = 96 };

void say(const char *text);

/* The camera: line y of a frame of stripes, rings and a grey, as int8 red, green and blue. */
static void camera_line(int32_t frame, int32_t y, int8_t *line)
{
    int32_t x;
    for (x = 0; x < SIZE; ++x) {
        const int32_t stripes = (x * (1 + frame % 3) + y * (frame / 3)) / (3 + frame) % 2;
        const int32_t rings = ((x - 48) * (x - 48) + (y - 48) * (y - 48)) / (40 * (frame + 1)) % 2;
        line[3 * x] = (int8_t)(stripes * 200 - 100);
        line[3 * x + 1] = (int8_t)(rings * 200 - 100);
        line[3 * x + 2] = (int8_t)(frame * 37 % 200 - 100);
    }
}

/* The scores of a frame, or NULL. */
static const int8_t *look(int32_t frame)
{
    int32_t y;
#ifdef WHOLE
    for (y = 0; y < SIZE; ++y) {
        camera_line(frame, y, camera_whole_input_image(camera_whole_arena) + y * SIZE * 3);
    }
    if (camera_whole_run(camera_whole_arena) != CAMERA_WHOLE_OK) {
        return NULL;
    }
    return camera_whole_output_classes(camera_whole_arena);
#else
    static int8_t line[CAMERA_IN_IMAGE_LINE_COUNT];
    camera_reset(camera_arena);
    for (y = 0; y < SIZE; ++y) {
        camera_line(frame, y, line);
        if (camera_push_image(camera_arena, line, 1) != 1) {
            return NULL;
        }
    }
    return camera_lines_wanted_image(camera_arena) == 0 ? camera_output_classes(camera_arena) : NULL;
#endif
}

int main(void)
{
    static char text[] = "frame 0: class 0\n";
    int32_t frame;
    for (frame = 0; frame < FRAMES; ++frame) {
        const int8_t *scores = look(frame);
        int32_t best = 0;
        int32_t i;
        if (scores == NULL) {
            say("the network failed\n");
            return 1;
        }
        for (i = 1; i < 4; ++i) {
            best = scores[i] > scores[best] ? i : best;
        }
        text[6] = (char)('0' + frame);
        text[15] = (char)('0' + best);
        say(text);
    }
    return 0;
}

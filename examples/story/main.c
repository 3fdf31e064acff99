/* SPDX-License-Identifier: MIT-0
 * Tells a story with a decoder of one token a run. Its caches of keys and values are states: they stay in the arena, the
 * firmware hands over a token and its position and takes the logits.
 *
 * PROMPT: the story's beginning. STEPS: tokens in all, at most as many as the caches hold. TEMPERATURE: 0 takes the likeliest
 * token; above, tokens are drawn, the more evenly the higher it is, from SEED on. */
#include <math.h>
#include <stdint.h>

#include "story.h"
#include "tokens.h"

#ifndef PROMPT
#define PROMPT ""
#endif
#ifndef STEPS
#define STEPS 160
#endif
#ifndef TEMPERATURE
#define TEMPERATURE 0.0f
#endif
#ifndef SEED
#define SEED 1u
#endif
#ifndef CLOCK
#define CLOCK 168000000u
#endif

enum { VOCABULARY = STORY_OUT_LOGITS_COUNT, BEGIN = 1, END = 2 };

void say(const char *text, uint32_t length);
uint64_t executed(void); /* instructions since the start, or 0 where nothing counts them */

static int32_t likeliest(const float *logits)
{
    int32_t best = 0;
    int32_t i;
    for (i = 1; i < VOCABULARY; ++i) {
        best = (logits[i] > logits[best]) ? i : best;
    }
    return best;
}

/* xorshift64*: Marsaglia (2003), multiplier by Vigna (2014). In [0, 1). */
static float random_number(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (float)((*state * 0x2545f4914f6cdd1dull) >> 40) / 16777216.0f;
}

static int32_t draw(const float *logits, float temperature, uint64_t *state)
{
    const float most = logits[likeliest(logits)];
    float sum = 0;
    float left;
    int32_t i;
    for (i = 0; i < VOCABULARY; ++i) {
        sum += expf((logits[i] - most) / temperature);
    }
    left = random_number(state) * sum;
    for (i = 0; i < VOCABULARY - 1; ++i) {
        left -= expf((logits[i] - most) / temperature);
        if (left < 0) {
            break;
        }
    }
    return i;
}

static void say_text(const char *text)
{
    uint32_t length = 0;
    while (text[length] != 0) {
        ++length;
    }
    say(text, length);
}

static void say_number(uint64_t number)
{
    char digits[20];
    uint32_t at = sizeof digits;
    do {
        --at;
        digits[at] = (char)('0' + (number % 10u));
        number /= 10u;
    } while (number > 0);
    say(digits + at, (uint32_t)sizeof digits - at);
}

static void say_figures(int32_t steps, uint64_t instructions)
{
    say_text("RAM ");
    say_number(STORY_ARENA_BYTES);
    say_text(" B of arena, flash ");
    say_number(STORY_WEIGHTS_BYTES);
    say_text(" B of weights\n");
    if (instructions == 0 || steps == 0) {
        return;
    }
    say_number(instructions / (uint64_t)steps);
    say_text(" instructions a token, ");
    say_number((uint64_t)CLOCK * (uint64_t)steps / instructions);
    say_text(" tokens a second at ");
    say_number(CLOCK / 1000000u);
    say_text(" MHz if each took one cycle\n");
}

int main(void)
{
    static const char prompt[] = PROMPT;
    static int32_t given[sizeof prompt + 2];
    const int32_t count = tokens_of(prompt, (int32_t)sizeof prompt - 1, VOCABULARY, given);
    uint64_t state = 0x9e3779b97f4a7c15ull ^ SEED;
    uint64_t before;
    int32_t token = BEGIN;
    int32_t step;
    story_reset(story_arena);
    before = executed();
    for (step = 0; step < STEPS; ++step) {
        const float *logits = story_output_logits(story_arena);
        char bytes[4];
        struct token text;
        *story_input_token(story_arena) = token;
        *story_input_pos(story_arena) = step;
        if (story_run(story_arena) != STORY_OK) {
            say_text("\nthe network failed\n");
            return 1;
        }
        if (step < count) {
            token = given[step];
        } else {
            token = (TEMPERATURE > 0.0f) ? draw(logits, TEMPERATURE, &state) : likeliest(logits);
        }
        if (token == BEGIN || token == END) {
            break;
        }
        text = token_text(token, VOCABULARY, bytes);
        say(text.bytes, (uint32_t)text.length);
    }
    before = executed() - before;
    say_text("\n");
    say_figures(step, before);
    return 0;
}

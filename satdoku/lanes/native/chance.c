/* Random numbers, the same as Python's: the Mersenne twister, seeded with a key of 32-bit words.
   All constants are those of its authors, Matsumoto and Nishimura: MT19937 and its `init_by_array`.
*/

#include "lanes.h"

enum { MIDDLE = 397 };

static uint32_t twist(uint32_t high, uint32_t low)
{
    return ((high & 0x80000000u) | (low & 0x7fffffffu)) >> 1 ^ (low & 1 ? 0x9908b0dfu : 0);
}

static uint32_t draw_word(struct chance *chance)
{
    uint32_t *words = chance->words;
    if (chance->drawn == WORDS) {
        for (int n = 0; n < WORDS; n++)
            words[n] = words[(n + MIDDLE) % WORDS] ^ twist(words[n], words[(n + 1) % WORDS]);
        chance->drawn = 0;
    }
    uint32_t word = words[chance->drawn++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

int32_t draw(struct chance *chance, int32_t number)
{
    uint32_t high = draw_word(chance) >> 5, low = draw_word(chance) >> 6;
    return (int32_t)((high * 67108864.0 + low) * (1.0 / 9007199254740992.0) * number);
}

void seed_chance(struct chance *chance, const uint32_t *key, int length)
{
    uint32_t *words = chance->words;
    words[0] = 19650218u;
    for (int n = 1; n < WORDS; n++)
        words[n] = 1812433253u * (words[n - 1] ^ words[n - 1] >> 30) + (uint32_t)n;
    int at = 1, used = 0;
    for (int n = WORDS > length ? WORDS : length; n > 0; n--) {
        uint32_t last = words[at - 1] ^ words[at - 1] >> 30;
        words[at] = (words[at] ^ last * 1664525u) + key[used] + (uint32_t)used;
        used = used + 1 < length ? used + 1 : 0;
        if (++at == WORDS) {
            words[0] = words[WORDS - 1];
            at = 1;
        }
    }
    for (int n = WORDS - 1; n > 0; n--) {
        uint32_t last = words[at - 1] ^ words[at - 1] >> 30;
        words[at] = (words[at] ^ last * 1566083941u) - (uint32_t)at;
        if (++at == WORDS) {
            words[0] = words[WORDS - 1];
            at = 1;
        }
    }
    words[0] = 0x80000000u;
    chance->drawn = WORDS;
}

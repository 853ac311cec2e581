/* Random full grids: the grids of `making/full_grid.py`, drawn with the same numbers in the same
   order. */

#include <string.h>

#include "lanes.h"

enum {
    SIZE = 9,
    /* Pairs of rows in a band, and of columns in a stack. */
    PAIRS = 18,
    /* The number of exchanges, as `EXCHANGES_A_PAIR` defines it. */
    EXCHANGES = 7 * PAIRS,
    MOST_KEY = 1024
};

/* Write the numbers from 0 in a random order, the same as that of `Chance.shuffled`. */
static void shuffle(struct chance *chance, uint8_t *items, int count)
{
    for (int place = count - 1; place > 0; place--) {
        int other = draw(chance, place + 1);
        uint8_t item = items[place];
        items[place] = items[other];
        items[other] = item;
    }
}

static void shuffle_lines(struct chance *chance, uint8_t *lines)
{
    uint8_t starts[3] = {0, 3, 6};
    shuffle(chance, starts, 3);
    for (int band = 0; band < 3; band++) {
        for (int n = 0; n < 3; n++)
            lines[3 * band + n] = (uint8_t)(starts[band] + n);
        shuffle(chance, lines + 3 * band, 3);
    }
}

/* Write the pattern of `puzzle/symmetry.py`, with digits and lines shuffled. */
static void shuffle_pattern(struct chance *chance, uint8_t *grid)
{
    uint8_t rows[SIZE], columns[SIZE], names[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    shuffle_lines(chance, rows);
    shuffle_lines(chance, columns);
    shuffle(chance, names, SIZE);
    for (int cell = 0; cell < CELLS; cell++) {
        int row = rows[cell / SIZE], column = columns[cell % SIZE];
        grid[cell] = names[(column + row % 3 * 3 + row / 3) % SIZE];
    }
}

/* Exchange two lines in the columns of one cycle: the cycle that contains this place. */
static void exchange(uint8_t *first, uint8_t *second, int step, int place)
{
    int place_of[SIZE + 1] = {0};
    for (int n = 0; n < SIZE; n++)
        place_of[first[n * step]] = n;
    uint8_t begin = first[place * step];
    for (;;) {
        uint8_t *one = first + place * step, *other = second + place * step, below = *other;
        *other = *one;
        *one = below;
        if (below == begin)
            return;
        place = place_of[below];
    }
}

static void make_grid(struct chance *chance, uint8_t *grid)
{
    static const uint8_t LINES[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    shuffle_pattern(chance, grid);
    for (int n = 0; n < EXCHANGES; n++) {
        int pair = draw(chance, PAIRS), place = draw(chance, SIZE);
        /* Rows come first, then columns. */
        int line = SIZE, step = 1;
        if (pair >= PAIRS / 2) {
            pair -= PAIRS / 2;
            line = 1;
            step = SIZE;
        }
        uint8_t *band = grid + pair / 3 * 3 * line;
        exchange(band + LINES[pair % 3][0] * line, band + LINES[pair % 3][1] * line, step, place);
    }
}

/* Draw a full grid, and the numbers below `count` in a random order, from the key of 32-bit words
   by which Python seeds its random numbers. Return 0 if a size is wrong. */
EXPORTED int grid_draw(const uint8_t *key, size_t key_size, uint8_t *grid, size_t grid_size,
                       uint8_t *order, size_t order_size)
{
    uint32_t words[WORDS], read[MOST_KEY / 4];
    struct chance chance = {words, WORDS};
    if (key_size < 4 || key_size > MOST_KEY || key_size % 4 != 0 || grid_size != CELLS ||
        order_size > CELLS)
        return 0;
    for (size_t n = 0; n < key_size / 4; n++)
        read[n] = key[4 * n] | (uint32_t)key[4 * n + 1] << 8 | (uint32_t)key[4 * n + 2] << 16 |
                  (uint32_t)key[4 * n + 3] << 24;
    seed_chance(&chance, read, (int)(key_size / 4));
    make_grid(&chance, grid);
    for (size_t n = 0; n < order_size; n++)
        order[n] = (uint8_t)n;
    shuffle(&chance, order, (int)order_size);
    return 1;
}

/* The search: boards side by side in vector registers, one per lane, each with its own search.

   A cell of all lanes is one vector; a lane's entry has a bit for each digit that the cell may
   still hold. A round excludes candidates on all lanes at once and without a branch. After it, each
   lane is handled separately: a lane that changed continues; a lane that did not change has a
   solution, or saves its board and tries a digit of a cell (branching); a lane with a contradiction
   restores the board that it saved last (backtracking); and a lane that is done gets the next
   board.

   This file is compiled once for each width, with options that let the compiler use registers of
   that width. WIDTH is the number of lanes, ENGINE the name of the table at the end, TITLE the name
   of the instruction set, and RATE the name of the function in rating.c. */

#include <string.h>

#include "lanes.h"

typedef uint16_t vec __attribute__((vector_size(2 * WIDTH)));
#define IS_ZERO(v) ((vec)((v) == 0))
#define INLINE static inline __attribute__((always_inline))

/* Weights of a board's cells, one byte each; all compilers support vectors of 16 bytes. */
typedef uint8_t weights __attribute__((vector_size(16)));
typedef uint16_t octet __attribute__((vector_size(16)));

struct lane {
    int is_busy;
    uint64_t nodes, found;
    /* The lane's stack of saved boards: from `first` to below `end`. */
    int first, end;
};

struct search {
    vec boards[2][CELLS];
    /* The index of the buffer with the present state. */
    int side;
    int has_begun;
    int busy;
    struct lane lanes[WIDTH];
    uint16_t saved[WIDTH][PLACES][ROOM];
    weights weights_of[ALL_DIGITS + 1];
};

/* Boxes come first, so that digits placed in them reach rows and columns in the same round. */
static const uint8_t UNITS[27][9] = {
    {0, 1, 2, 9, 10, 11, 18, 19, 20}, {3, 4, 5, 12, 13, 14, 21, 22, 23},
    {6, 7, 8, 15, 16, 17, 24, 25, 26}, {27, 28, 29, 36, 37, 38, 45, 46, 47},
    {30, 31, 32, 39, 40, 41, 48, 49, 50}, {33, 34, 35, 42, 43, 44, 51, 52, 53},
    {54, 55, 56, 63, 64, 65, 72, 73, 74}, {57, 58, 59, 66, 67, 68, 75, 76, 77},
    {60, 61, 62, 69, 70, 71, 78, 79, 80},
#define ROW(r) {r, r + 1, r + 2, r + 3, r + 4, r + 5, r + 6, r + 7, r + 8}
    ROW(0), ROW(9), ROW(18), ROW(27), ROW(36), ROW(45), ROW(54), ROW(63), ROW(72),
#define COLUMN(c) {c, c + 9, c + 18, c + 27, c + 36, c + 45, c + 54, c + 63, c + 72}
    COLUMN(0), COLUMN(1), COLUMN(2), COLUMN(3), COLUMN(4), COLUMN(5), COLUMN(6), COLUMN(7), COLUMN(8),
};

/* Apply singles of a unit: remove a placed digit from the other cells, and place a digit with one
   place left. */
INLINE void sift_unit(const vec *from, vec *to, const uint8_t *cells, vec *bad)
{
    vec unit[9], ones = {0}, twos = {0}, placed = {0}, wrong = {0};
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++) {
        vec cell = from[cells[i]];
        vec single = cell & IS_ZERO(cell & (cell - 1));
        twos |= ones & cell;
        ones |= cell;
        wrong |= placed & single;
        placed |= single;
        unit[i] = cell;
    }
    vec hidden = ones & ~twos;
    wrong |= ones ^ ALL_DIGITS;
#pragma GCC unroll 9
    for (int i = 0; i < 9; i++) {
        vec cell = unit[i], alone = cell & hidden;
        vec rest = cell & ~(placed & ~IS_ZERO(cell & (cell - 1)));
        /* Contradiction: a cell is the only place of two digits. */
        wrong |= alone & (alone - 1);
        to[cells[i]] = alone | (rest & IS_ZERO(alone));
    }
    *bad |= wrong;
}

/* Remove digits of segments that no arrangement in a band uses. A band is three lines that cross
   the same three boxes; its segments are three cells each, in line order. `step` leads from a cell
   of a segment to the next, `across` to the next segment of the line, `down` to the next line. */
INLINE void sift_band(vec *cells, int step, int across, int down, vec *bad)
{
    vec segment[9], full[9], left[9];
#pragma GCC unroll 9
    for (int s = 0; s < 9; s++) {
        vec *at = cells + s / 3 * down + s % 3 * across;
        vec digits = at[0] | at[step] | at[2 * step];
        vec more = digits & (digits - 1);
        more &= more - 1;
        more &= more - 1;
        segment[s] = digits;
        full[s] = digits & IS_ZERO(more);
    }
    /* A segment with three digits left holds all of them: remove these from its line and its
       box. */
#pragma GCC unroll 9
    for (int s = 0; s < 9; s++) {
        int line = s / 3, box = s % 3;
        left[s] = segment[s] & ~(full[line * 3 + (box + 1) % 3] | full[line * 3 + (box + 2) % 3] |
                                 full[(line + 1) % 3 * 3 + box] | full[(line + 2) % 3 * 3 + box]);
    }
    vec p0 = left[0] & left[4] & left[8], p1 = left[0] & left[5] & left[7];
    vec p2 = left[1] & left[3] & left[8], p3 = left[1] & left[5] & left[6];
    vec p4 = left[2] & left[3] & left[7], p5 = left[2] & left[4] & left[6];
    vec used[9] = {p0 | p1, p2 | p3, p4 | p5, p2 | p4, p0 | p5, p1 | p3, p3 | p5, p1 | p4, p0 | p2};
    *bad |= (p0 | p1 | p2 | p3 | p4 | p5) ^ ALL_DIGITS;
#pragma GCC unroll 9
    for (int s = 0; s < 9; s++) {
        vec *at = cells + s / 3 * down + s % 3 * across;
        at[0] &= used[s];
        at[step] &= used[s];
        at[2 * step] &= used[s];
    }
}

/* The results of a round: whether a lane is bad, did not change, or has open cells; 0 for no. */
struct signs {
    vec bad, still, open;
};

static __attribute__((noinline)) void sift(const vec *restrict old, vec *restrict new,
                                           struct signs *signs)
{
    vec bad = {0}, changed = {0}, open = {0};
    for (int unit = 0; unit < 9; unit++)
        sift_unit(old, new, UNITS[unit], &bad);
    for (int unit = 9; unit < 27; unit++)
        sift_unit(new, new, UNITS[unit], &bad);
    for (int band = 0; band < 3; band++)
        sift_band(new + 27 * band, 1, 3, 9, &bad);
    for (int band = 0; band < 3; band++)
        sift_band(new + 3 * band, 9, 27, 1, &bad);
    for (int cell = 0; cell < CELLS; cell++) {
        changed |= new[cell] ^ old[cell];
        open |= new[cell] & (new[cell] - 1);
    }
    signs->bad = bad;
    signs->still = IS_ZERO(changed);
    signs->open = open;
}

static int count_bits(unsigned mask)
{
    return __builtin_popcount(mask);
}

/* Set a bit for each cell with two candidates. */
static void find_pairs(const uint16_t *cells, uint64_t *pairs)
{
    static const octet BITS = {1, 2, 4, 8, 16, 32, 64, 128};
    pairs[0] = pairs[1] = 0;
    for (int eight = 0; eight < ROOM / 8; eight++) {
        octet mask;
        uint64_t halves[2];
        memcpy(&mask, cells + 8 * eight, sizeof mask);
        octet rest = mask & (mask - 1);
        octet is_pair = (octet)(rest != 0) & (octet)((rest & (rest - 1)) == 0) & BITS;
        memcpy(halves, &is_pair, sizeof halves);
        uint64_t bits = halves[0] | halves[1];
        bits |= bits >> 32;
        bits |= bits >> 16;
        pairs[eight / 8] |= (bits & 255) << 8 * (eight % 8);
    }
    /* Clear the bits behind the last cell. */
    pairs[1] &= ((uint64_t)1 << (CELLS - 64)) - 1;
}

/* Return the cell with the fewest candidates among those with more than one. */
static int find_smallest(const uint16_t *cells)
{
    int best = 0, fewest = 10;
    for (int cell = 0; cell < CELLS; cell++) {
        int count = count_bits(cells[cell]);
        if (count > 1 && count < fewest) {
            fewest = count;
            best = cell;
        }
    }
    return best;
}

/* Return the cell to branch on: of the cells with two candidates, if there are any, the one with
   the greatest weight: the sum over the cells that see it and share one of its candidates, of which
   each counts 4 if it has two candidates, 2 with three, else 1. This takes half the nodes of
   branching on the first cell with two. */
static int choose_cell(const struct search *search, const uint16_t *cells)
{
    weights across[27], down[27] = {{0}};
    for (int band = 0; band < 3; band++) {
        weights box[3] = {{0}}, *columns = down + 9 * band;
        for (int line = 3 * band; line < 3 * band + 3; line++) {
            weights row = {0}, segment[3];
            for (int s = 0; s < 3; s++) {
                const uint16_t *at = cells + 9 * line + 3 * s;
                weights one = search->weights_of[at[0]], two = search->weights_of[at[1]];
                weights three = search->weights_of[at[2]];
                columns[3 * s] += one;
                columns[3 * s + 1] += two;
                columns[3 * s + 2] += three;
                segment[s] = one + two + three;
                row += segment[s];
                box[s] += segment[s];
            }
            /* Row and box both contain the cell's own segment, which counts once. */
            for (int s = 0; s < 3; s++)
                across[3 * line + s] = row - segment[s];
        }
        for (int s = 0; s < 9; s++)
            across[9 * band + s] += box[s % 3];
    }
    /* Of the column, the two parts outside the cell's box count. */
    for (int column = 0; column < 9; column++) {
        weights top = down[column], middle = down[9 + column], bottom = down[18 + column];
        down[column] = middle + bottom;
        down[9 + column] = top + bottom;
        down[18 + column] = top + middle;
    }
    uint64_t pairs[2];
    find_pairs(cells, pairs);
    if (!(pairs[0] | pairs[1]))
        return find_smallest(cells);
    /* The weight is in the bits above the cell's number, so that the maximum is found without a
       branch. */
    unsigned best = 0;
    for (int half = 0; half < 2; half++) {
        for (uint64_t left = pairs[half]; left; left &= left - 1) {
            int cell = 64 * half + __builtin_ctzll(left);
            unsigned mask = cells[cell];
            int low = __builtin_ctz(mask), high = __builtin_ctz(mask & (mask - 1));
            const weights *row = &across[cell / 3], *column = &down[cell / 27 * 9 + cell % 9];
            unsigned weight = (*row)[low] + (*row)[high] + (*column)[low] + (*column)[high];
            unsigned key = weight << 7 | (unsigned)cell;
            best = key > best ? key : best;
        }
    }
    return best & 127;
}

static void read_lane(const uint16_t *lane, uint16_t *cells)
{
    for (int cell = 0; cell < CELLS; cell++)
        cells[cell] = lane[cell * WIDTH];
}

static void write_lane(uint16_t *lane, const uint16_t *cells)
{
    for (int cell = 0; cell < CELLS; cell++)
        lane[cell * WIDTH] = cells[cell];
}

/* Take a saved board of another lane: the oldest of the lane with most, whose subtree is large. */
static const uint16_t *take_over(struct search *search)
{
    struct lane *richest = search->lanes;
    for (int n = 1; n < WIDTH; n++) {
        struct lane *lane = &search->lanes[n];
        if (lane->end - lane->first > richest->end - richest->first)
            richest = lane;
    }
    if (richest->end == richest->first)
        return NULL;
    return search->saved[richest - search->lanes][richest->first++];
}

static void load(struct search *search, struct source *source, int number, uint16_t *lane)
{
    uint16_t cells[CELLS];
    struct lane *state = &search->lanes[number];
    const uint16_t *begin = NULL;
    if (source->next(source, number, cells))
        begin = cells;
    else if (source->is_shared)
        begin = take_over(search);
    search->busy += (begin != NULL) - state->is_busy;
    *state = (struct lane){.is_busy = begin != NULL};
    if (begin != NULL)
        write_lane(lane, begin);
}

/* Handle a lane with a contradiction, or one that the round did not change. */
static void go_on(struct search *search, struct source *source, int number, uint16_t *lane,
                  int is_bad, int is_open)
{
    struct lane *state = &search->lanes[number];
    uint16_t cells[CELLS];
    if (!is_bad && is_open && state->nodes < source->most_nodes) {
        uint16_t *saved = search->saved[number][state->end++];
        read_lane(lane, saved);
        int cell = choose_cell(search, saved);
        uint16_t lowest = saved[cell] & -saved[cell];
        saved[cell] ^= lowest;
        lane[cell * WIDTH] = lowest;
        state->nodes++;
        return;
    }
    if (!is_bad && is_open) {
        source->end(source, number, OVER_BUDGET);
        load(search, source, number, lane);
        return;
    }
    int is_done = 0;
    if (!is_bad) {
        read_lane(lane, cells);
        is_done = !source->solution(source, number, cells);
        state->found++;
    }
    if (!is_done && state->first < state->end) {
        write_lane(lane, search->saved[number][--state->end]);
        /* Entries of the stack that others have taken are free as soon as none is above them. */
        if (state->first == state->end)
            state->first = state->end = 0;
        return;
    }
    source->end(source, number, state->found > ONE ? SEVERAL : (int)state->found);
    load(search, source, number, lane);
}

static void begin(void *memory)
{
    struct search *search = memory;
    search->side = search->has_begun = search->busy = 0;
    memset(search->lanes, 0, sizeof search->lanes);
    memset(search->boards, 0, sizeof search->boards);
    memset(search->saved, 0, sizeof search->saved);
    for (unsigned mask = 0; mask <= ALL_DIGITS; mask++) {
        static const uint8_t WEIGHT[10] = {0, 0, 4, 2, 1, 1, 1, 1, 1, 1};
        for (int digit = 0; digit < 16; digit++)
            search->weights_of[mask][digit] = mask >> digit & 1 ? WEIGHT[count_bits(mask)] : 0;
    }
}

static int work(void *memory, struct source *source, long rounds)
{
    struct search *search = memory;
    if (!search->has_begun) {
        for (int lane = 0; lane < WIDTH; lane++)
            load(search, source, lane, (uint16_t *)search->boards[0] + lane);
        search->has_begun = 1;
    }
    for (; rounds > 0 && search->busy > 0 && !source->is_stopped; rounds--) {
        struct signs signs;
        vec *old = search->boards[search->side], *new = search->boards[search->side ^= 1];
        uint16_t bad[WIDTH], still[WIDTH], open[WIDTH];
        sift(old, new, &signs);
        memcpy(bad, &signs.bad, sizeof bad);
        memcpy(still, &signs.still, sizeof still);
        memcpy(open, &signs.open, sizeof open);
        for (int lane = 0; lane < WIDTH; lane++) {
            if (!(bad[lane] | still[lane]))
                continue;
            if (search->lanes[lane].is_busy)
                go_on(search, source, lane, (uint16_t *)new + lane, bad[lane], open[lane]);
            else if (source->is_shared)
                load(search, source, lane, (uint16_t *)new + lane);
        }
    }
    return search->busy > 0 && !source->is_stopped;
}

size_t RATE(const uint8_t *puzzles, uint8_t *ratings, size_t count);

const struct engine ENGINE = {TITLE, WIDTH, sizeof(struct search), begin, work, RATE};

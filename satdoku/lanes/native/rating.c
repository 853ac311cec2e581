/* Ratings of 9x9 puzzles by their definition in docs/rating.md.

   Several assumptions are followed side by side, each in a lane of its own: a vector for each cell
   has the candidates that the cell has left on each of these boards. The result does not depend on
   any order: after further candidates are removed, a refuted assumption is still refuted.

   Like engine.c, this file is compiled once for each width. WIDTH is the number of lanes, RATE the
   name of the function at the end. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

enum { SIZE = 9, UNITS = 27 };

/* Results that are not ratings. BEYOND: no further candidate can be refuted; the puzzle may have
   any number of solutions. LEFT: the puzzle contradicts itself. */
enum { BEYOND = 254, LEFT = 255 };

typedef uint16_t lanes __attribute__((vector_size(2 * WIDTH)));

/* A mask of candidates for each cell of one board; `boards` has the same for a board in each
   lane. */
struct board {
    uint16_t cells[CELLS];
};

struct boards {
    lanes cells[CELLS];
    lanes bad, changed;
};

static inline int row_of(int cell) { return cell / 9; }
static inline int column_of(int cell) { return 9 + cell % 9; }
static inline int box_of(int cell) { return 18 + cell / 27 * 3 + cell % 9 / 3; }

/* The first cell of each of nine units, and the distances from there to the second cell and to the
   fourth, for rows, columns and boxes. */
static const struct kind {
    int first[SIZE], second, fourth;
} KINDS[] = {
    {{0, 9, 18, 27, 36, 45, 54, 63, 72}, 1, 3},
    {{0, 1, 2, 3, 4, 5, 6, 7, 8}, 9, 27},
    {{0, 3, 6, 27, 30, 33, 54, 57, 60}, 1, 9},
};

/* Count the places of each digit in each unit: whether there is one, and whether there are two. */
static void count_digits(const lanes *cells, lanes *once, lanes *twice)
{
    for (int kind = 0; kind < 3; kind++)
        for (int unit = 0; unit < SIZE; unit++) {
            const lanes *first = cells + KINDS[kind].first[unit];
            lanes one = {0}, two = {0};
            for (int third = 0; third < 3; third++, first += KINDS[kind].fourth)
                for (int n = 0; n < 3; n++) {
                    lanes here = first[n * KINDS[kind].second];
                    two |= one & here;
                    one |= here;
                }
            *once++ = one;
            *twice++ = two;
        }
}

/* Whether any board that is not bad is still changing. */
static int is_moving(const struct boards *boards)
{
    lanes found = boards->changed & ~boards->bad;
    uint64_t parts[sizeof found / sizeof(uint64_t)], any = 0;
    memcpy(parts, &found, sizeof parts);
    for (size_t n = 0; n < sizeof found / sizeof(uint64_t); n++)
        any |= parts[n];
    return any != 0;
}

/* Mark boards on which a cell, or a digit in a unit, has no candidate left. */
static void find_empty(struct boards *boards)
{
    lanes once[UNITS], twice[UNITS];
    count_digits(boards->cells, once, twice);
    for (int unit = 0; unit < UNITS; unit++)
        boards->bad |= (lanes)(once[unit] != ALL_DIGITS);
    for (int cell = 0; cell < CELLS; cell++)
        boards->bad |= (lanes)(boards->cells[cell] == 0);
}

/* One round: find all singles, and then remove all candidates that they exclude. */
static void settle(struct boards *boards, int has_naked)
{
    lanes once[UNITS], twice[UNITS], placed[UNITS], hidden[UNITS], singles[CELLS];
    lanes bad = boards->bad, changed = {0};
    count_digits(boards->cells, once, twice);
    for (int unit = 0; unit < UNITS; unit++) {
        bad |= (lanes)(once[unit] != ALL_DIGITS);
        hidden[unit] = once[unit] & ~twice[unit];
    }
    for (int cell = 0; cell < CELLS; cell++) {
        lanes open = boards->cells[cell];
        lanes found = open & (hidden[row_of(cell)] | hidden[column_of(cell)] | hidden[box_of(cell)]);
        bad |= (lanes)(open == 0);
        if (has_naked)
            found |= open & (lanes)((open & (open - 1)) == 0);
        /* Two digits of a cell exclude each other. */
        bad |= (lanes)((found & (found - 1)) != 0);
        singles[cell] = found;
    }
    count_digits(singles, placed, twice);
    for (int unit = 0; unit < UNITS; unit++)
        bad |= (lanes)(twice[unit] != 0);
    for (int cell = 0; cell < CELLS; cell++) {
        lanes seen = placed[row_of(cell)] | placed[column_of(cell)] | placed[box_of(cell)];
        lanes is_single = (lanes)(singles[cell] != 0), open = boards->cells[cell];
        lanes left = (singles[cell] & is_single) | (open & ~seen & ~is_single);
        changed |= left ^ open;
        boards->cells[cell] = left;
    }
    boards->bad = bad;
    boards->changed = changed;
}

static void begin_boards(struct boards *boards, const struct board *board)
{
    const lanes none = {0};
    for (int cell = 0; cell < CELLS; cell++)
        boards->cells[cell] = none + board->cells[cell];
    boards->bad = boards->changed = none;
}

/* Remove from the board of a lane the candidates that a candidate excludes. */
static void place(struct boards *boards, int lane, int cell, uint16_t digit)
{
    int row = cell / 9 * 9, column = cell % 9, box = cell / 27 * 27 + column / 3 * 3;
    for (int n = 0; n < SIZE; n++) {
        boards->cells[row + n][lane] &= (uint16_t)~digit;
        boards->cells[column + 9 * n][lane] &= (uint16_t)~digit;
        boards->cells[box + n / 3 * 9 + n % 3][lane] &= (uint16_t)~digit;
    }
    boards->cells[cell][lane] = digit;
}

static int is_filled(const struct board *board)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (board->cells[cell] & (board->cells[cell] - 1))
            return 0;
    return 1;
}

/* Place singles on one board, in rounds until nothing changes. Return 0 for a contradiction. */
static int settle_all(struct board *board, int has_naked, size_t *work)
{
    struct boards boards;
    begin_boards(&boards, board);
    do {
        settle(&boards, has_naked);
        ++*work;
    } while (boards.changed[0] && !boards.bad[0]);
    for (int cell = 0; cell < CELLS; cell++)
        board->cells[cell] = boards.cells[cell][0];
    return !boards.bad[0];
}

/* Remove candidates that units crowd out: if n cells of a unit have only n digits, all other cells
   of the unit lose these. Return 0 if some cells have fewer digits than cells. */
static int crowd_out(struct board *board, int *is_changed)
{
    for (int unit = 0; unit < UNITS; unit++) {
        int open[SIZE], count = 0;
        const struct kind *kind = &KINDS[unit / SIZE];
        for (int n = 0; n < SIZE; n++) {
            int cell = kind->first[unit % SIZE] + n / 3 * kind->fourth + n % 3 * kind->second;
            if (board->cells[cell] & (board->cells[cell] - 1))
                open[count++] = cell;
        }
        uint16_t digits[1 << SIZE];
        digits[0] = 0;
        for (unsigned set = 1; set < 1u << count; set++) {
            unsigned first = (unsigned)__builtin_ctz(set);
            digits[set] = digits[set & (set - 1)] | board->cells[open[first]];
            int more = __builtin_popcount(digits[set]) - __builtin_popcount(set);
            if (more < 0)
                return 0;
            for (int n = 0; n < count && more == 0; n++)
                if (!(set >> n & 1) && board->cells[open[n]] & digits[set]) {
                    board->cells[open[n]] &= (uint16_t)~digits[set];
                    *is_changed = 1;
                }
        }
    }
    return 1;
}

struct candidate {
    uint8_t cell;
    uint16_t digit;
};

/* Assumptions on a position, and how far each group of WIDTH of them was followed. */
struct assumptions {
    int count;
    struct candidate assumed[SIZE * CELLS];
    struct boards boards[SIZE * CELLS / WIDTH + 1];
    size_t work;
};

static void assume_all(struct assumptions *all, const struct board *board)
{
    all->count = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        unsigned open = board->cells[cell];
        /* A candidate that is alone in its cell is true, so it needs no assumption. */
        for (open = open & (open - 1) ? open : 0; open; open &= open - 1)
            all->assumed[all->count++] =
                (struct candidate){(uint8_t)cell, (uint16_t)(open & -open)};
    }
}

static void begin_assumptions(struct boards *boards, const struct board *board,
                              const struct candidate *assumed, int count)
{
    begin_boards(boards, board);
    /* No assumption is followed yet, so any board may change. */
    boards->changed = ~boards->bad;
    for (int lane = 0; lane < count; lane++)
        place(boards, lane, assumed[lane].cell, assumed[lane].digit);
}

/* Follow all assumptions up to `steps` steps, and remove the candidates that are refuted. Return
   whether there are any. If `is_begin`, the assumptions are made anew, otherwise continued. */
static int refute_all(struct assumptions *all, struct board *board, int steps, int is_begin,
                      int *moves)
{
    int is_changed = 0;
    if (is_begin)
        assume_all(all, board);
    *moves = 0;
    for (int first = 0; first < all->count; first += WIDTH) {
        struct boards *boards = &all->boards[first / WIDTH];
        const struct candidate *assumed = all->assumed + first;
        int count = all->count - first < WIDTH ? all->count - first : WIDTH;
        int rounds = is_begin ? (steps + 1) / 2 : steps & 1;
        if (is_begin)
            begin_assumptions(boards, board, assumed, count);
        for (; rounds > 0 && is_moving(boards); rounds--) {
            settle(boards, 1);
            all->work++;
        }
        if (steps % 2 == 0)
            find_empty(boards);
        /* Lanes without an assumption have the board itself, on which no single is left. */
        *moves |= is_moving(boards);
        for (int lane = 0; lane < count; lane++)
            if (boards->bad[lane]) {
                board->cells[assumed[lane].cell] &= (uint16_t)~assumed[lane].digit;
                is_changed = 1;
            }
    }
    return is_changed;
}

static int is_broken(const struct board *board)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (board->cells[cell] == 0)
            return 1;
    return 0;
}

static uint8_t rate(struct assumptions *all, struct board *board)
{
    for (int has_naked = 0; has_naked < 2; has_naked++) {
        if (!settle_all(board, has_naked, &all->work))
            return LEFT;
        if (is_filled(board))
            return (uint8_t)has_naked;
    }
    int moves = 1, is_changed = 1;
    for (int steps = 0; moves && steps < BEYOND - 2; steps += !is_changed) {
        is_changed = refute_all(all, board, steps, is_changed, &moves);
        if (!is_changed && steps > 0 && !crowd_out(board, &is_changed))
            return LEFT;
        if (is_broken(board) || (is_changed && !settle_all(board, 1, &all->work)))
            return LEFT;
        if (is_filled(board))
            return (uint8_t)(2 + steps);
        moves |= is_changed;
    }
    return BEYOND;
}

/* Write the board of these givens, without the candidates that they exclude. Return 0 if they
   clash. */
static int begin_board(const uint8_t *givens, struct board *board)
{
    struct boards boards;
    for (int cell = 0; cell < CELLS; cell++)
        board->cells[cell] = ALL_DIGITS;
    begin_boards(&boards, board);
    for (int cell = 0; cell < CELLS; cell++) {
        if (givens[cell] > SIZE)
            return 0;
        if (givens[cell] == 0)
            continue;
        uint16_t digit = (uint16_t)(1u << (givens[cell] - 1));
        if (!(boards.cells[cell][0] & digit))
            return 0;
        place(&boards, 0, cell, digit);
    }
    for (int cell = 0; cell < CELLS; cell++)
        board->cells[cell] = boards.cells[cell][0];
    return 1;
}

static uint8_t rate_puzzle(struct assumptions *all, const uint8_t *givens)
{
    struct board board;
    uint8_t grid[CELLS];
    all->work++;
    uint8_t rating = begin_board(givens, &board) ? rate(all, &board) : LEFT;
    if (rating == LEFT || rating == BEYOND)
        return rating;
    for (int cell = 0; cell < CELLS; cell++)
        grid[cell] = (uint8_t)(__builtin_ctz(board.cells[cell] | 1u << SIZE) + 1);
    return is_solution(givens, grid) ? rating : LEFT;
}

size_t RATE(const uint8_t *puzzles, uint8_t *ratings, size_t count)
{
    enum { ROUNDS_A_CALL = 10000 };
    size_t number = 0;
    void *memory = malloc(sizeof(struct assumptions) + 63);
    if (memory == NULL)
        return 0;
    struct assumptions *all = (struct assumptions *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    for (all->work = 0; number < count && all->work < ROUNDS_A_CALL; number++)
        ratings[number] = rate_puzzle(all, puzzles + number * CELLS);
    free(memory);
    return number;
}

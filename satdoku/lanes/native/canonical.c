/* The smallest twin of 9x9 boards; `making/canonical.py` defines it and finds the same one.

   The search goes row by row and keeps all partial twins that are equal so far. Columns that the
   rows so far do not distinguish stay together in a class, and stacks in a group, so that their
   orders need not be tried; twins that become equal are merged, and the numbers of ways to them are
   added up. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

enum {
    SIZE = 9,
    /* Most partial twins; a board with more is left to the caller. */
    MOST_TWINS = 50000,
    FIRST_ROOM = 1024,
    /* Bits of `starts`: where a class begins, and above these bits where a group of stacks
       begins. */
    GROUPS = SIZE
};

/* A row as it is written, with four bits per cell. */
typedef uint64_t text;
static const text NO_TEXT = UINT64_MAX;

/* A partial twin. Equal twins have equal bytes: there is no padding. */
struct twin {
    uint8_t order[SIZE]; /* the columns in the order in which they are written */
    uint8_t names[SIZE]; /* the new name of each digit; 0 if it has none yet */
    uint16_t used;       /* rows that are written, one bit each */
    uint16_t starts;
    uint8_t is_transposed;
    uint8_t highest; /* the highest name so far */
};

/* The columns of a written row, and the places of new digits, in runs that may be in any order. */
struct written {
    uint8_t order[SIZE];
    uint16_t starts, fresh, runs;
};

struct layer {
    struct twin *twins;
    uint32_t *ways;
    size_t count, room;
};

struct forms {
    struct layer now, next;
    /* Hash table of the twins in `next`: an entry has the number of the table in its upper half and
       the index of the twin in its lower half. */
    uint64_t *table;
    size_t mask;
    uint64_t number;
    size_t work;
    int is_full;
};

/* The orders of three items; the first one or two are the orders of one or two items. */
static const uint8_t ORDERS[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const int FACTORIALS[] = {1, 1, 2, 6};

static void close_forms(struct forms *forms)
{
    free(forms->now.twins);
    free(forms->now.ways);
    free(forms->next.twins);
    free(forms->next.ways);
    free(forms->table);
}

static int make_room(struct layer *layer, size_t room)
{
    struct twin *twins = realloc(layer->twins, room * sizeof *twins);
    if (twins != NULL)
        layer->twins = twins;
    uint32_t *ways = realloc(layer->ways, room * sizeof *ways);
    if (ways != NULL)
        layer->ways = ways;
    if (twins == NULL || ways == NULL)
        return 0;
    layer->room = room;
    return 1;
}

/* Make a table with twice as many entries as the next layer has room for. */
static int make_table(struct forms *forms)
{
    size_t places = 2 * forms->next.room;
    uint64_t *table = calloc(places, sizeof *table);
    if (table == NULL)
        return 0;
    free(forms->table);
    forms->table = table;
    forms->mask = places - 1;
    return 1;
}

static int open_forms(struct forms *forms)
{
    memset(forms, 0, sizeof *forms);
    return make_room(&forms->now, FIRST_ROOM) && make_room(&forms->next, FIRST_ROOM) &&
           make_table(forms);
}

static void forget_next(struct forms *forms)
{
    forms->next.count = 0;
    forms->number++;
}

static uint64_t hash_of(const struct twin *twin)
{
    uint64_t parts[3];
    memcpy(parts, twin, sizeof parts);
    uint64_t mixed = (parts[0] ^ parts[2] * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
    mixed = (mixed ^ mixed >> 32 ^ parts[1]) * 0x9e3779b97f4a7c15u;
    return mixed ^ mixed >> 29;
}

/* The entry of a twin in the table: that of an equal twin, or the first free entry. */
static uint64_t *place_of(const struct forms *forms, const struct twin *twin)
{
    for (size_t place = hash_of(twin) & forms->mask;; place = (place + 1) & forms->mask) {
        uint64_t entry = forms->table[place];
        if (entry >> 32 != forms->number ||
            memcmp(&forms->next.twins[(uint32_t)entry], twin, sizeof *twin) == 0)
            return &forms->table[place];
    }
}

/* Double the room for the next layer, and make a larger table for the twins in it. */
static int grow(struct forms *forms)
{
    struct layer *next = &forms->next;
    if (next->count >= MOST_TWINS || !make_room(next, 2 * next->room) || !make_table(forms))
        return 0;
    for (size_t n = 0; n < next->count; n++)
        *place_of(forms, &next->twins[n]) = forms->number << 32 | n;
    return 1;
}

static void add_twin(struct forms *forms, const struct twin *twin, uint32_t ways)
{
    struct layer *next = &forms->next;
    if (forms->is_full)
        return;
    if (next->count == next->room && !grow(forms)) {
        forms->is_full = 1;
        return;
    }
    uint64_t *place = place_of(forms, twin);
    if (*place >> 32 == forms->number) {
        next->ways[(uint32_t)*place] += ways;
        return;
    }
    *place = forms->number << 32 | next->count;
    next->twins[next->count] = *twin;
    next->ways[next->count++] = ways;
}

/* Write a row. */

static int begins_class(const struct twin *twin, int place)
{
    return place % 3 == 0 || twin->starts >> place & 1;
}

/* Write a class, whose columns are at positions `from` to `to`: empty columns come first, or last
   if `blank` is set; of the others, digits with names come first, by name, then digits that get
   one. */
static text write_class(const struct twin *twin, const uint8_t *row, int blank, int from, int to,
                        int at, int *highest, struct written *written)
{
    uint8_t named[3], fresh[3], empty[3];
    int nameds = 0, freshs = 0, empties = 0;
    for (int place = from; place < to; place++) {
        uint8_t column = twin->order[place], digit = row[column];
        if (digit == 0) {
            empty[empties++] = column;
        } else if (twin->names[digit - 1] == 0) {
            fresh[freshs++] = column;
        } else {
            int n = nameds++;
            for (; n > 0 && twin->names[row[named[n - 1]] - 1] > twin->names[digit - 1]; n--)
                named[n] = named[n - 1];
            named[n] = column;
        }
    }
    text found = 0;
    for (int n = 0; n < empties && !blank; n++) {
        written->starts |= (uint16_t)((n == 0) << at);
        written->order[at++] = empty[n];
        found <<= 4;
    }
    for (int n = 0; n < nameds; n++) {
        written->starts |= (uint16_t)(1 << at);
        written->order[at++] = named[n];
        found = found << 4 | twin->names[row[named[n]] - 1];
    }
    for (int n = 0; n < freshs; n++) {
        written->starts |= (uint16_t)(1 << at);
        written->fresh |= (uint16_t)(1 << at);
        written->runs |= (uint16_t)((n == 0) << at);
        written->order[at++] = fresh[n];
        found = found << 4 | (text)++*highest;
    }
    for (int n = 0; n < empties && blank; n++) {
        written->starts |= (uint16_t)((n == 0) << at);
        written->order[at++] = empty[n];
        found = found << 4 | (text)blank;
    }
    return found;
}

/* Write the stacks of a row in this order, and return the text. */
static text write_stacks(const struct twin *twin, const uint8_t *row, int blank,
                         const uint8_t *stacks, struct written *written)
{
    text found = 0;
    int highest = twin->highest;
    written->fresh = written->runs = 0;
    for (int n = 0; n < 3; n++) {
        int end = 3 * stacks[n] + 3;
        for (int from = end - 3, to; from < end; from = to) {
            for (to = from + 1; to < end && !begins_class(twin, to); to++)
                ;
            int at = 3 * n + from - (end - 3);
            text part = write_class(twin, row, blank, from, to, at, &highest, written);
            found = found << 4 * (to - from) | part;
        }
    }
    return found;
}

static int is_empty_stack(const struct twin *twin, const uint8_t *row, int stack)
{
    const uint8_t *columns = twin->order + 3 * stack;
    return !(row[columns[0]] | row[columns[1]] | row[columns[2]]);
}

/* Write a row as the smallest text. Return the text, and in `ways` the orders of columns that give
   it: up to six, as at most one group has several stacks with digits. */
static text arrange(const struct twin *twin, const uint8_t *row, int blank, struct written *ways,
                    int *count)
{
    uint8_t order[3];
    uint16_t groups = 0;
    int at = 0, many_at = 0, many = 1;
    for (int from = 0, to; from < 3; from = to) {
        uint8_t given[3], empty[3];
        int givens = 0, empties = 0;
        for (to = from; to == from || (to < 3 && !(twin->starts >> (GROUPS + to) & 1)); to++) {
            if (is_empty_stack(twin, row, to))
                empty[empties++] = (uint8_t)to;
            else
                given[givens++] = (uint8_t)to;
        }
        for (int part = 0; part < 2; part++) {
            int is_given = part == (blank == 0);
            if (is_given && givens > 1)
                many_at = at, many = givens;
            for (int n = 0; n < (is_given ? givens : empties); n++) {
                groups |= (uint16_t)((is_given || n == 0) << (GROUPS + at));
                order[at++] = is_given ? given[n] : empty[n];
            }
        }
    }
    text best = NO_TEXT;
    for (int number = 0; number < FACTORIALS[many]; number++) {
        const uint8_t *of_many = ORDERS[number];
        uint8_t stacks[3] = {order[0], order[1], order[2]};
        for (int n = 0; n < many; n++)
            stacks[many_at + n] = order[many_at + of_many[n]];
        struct written written = {.starts = groups};
        text found = write_stacks(twin, row, blank, stacks, &written);
        if (found > best)
            continue;
        if (found < best)
            *count = 0;
        best = found;
        ways[(*count)++] = written;
    }
    return best;
}

/* Add the twins of a written row: the digits of each run get their names in every order. */
static void add_orders(struct forms *forms, struct twin *twin, const struct written *written,
                       const uint8_t *row, int at, uint32_t ways)
{
    for (; at < SIZE && !(written->fresh >> at & 1); at++)
        twin->order[at] = written->order[at];
    if (at == SIZE) {
        add_twin(forms, twin, ways);
        return;
    }
    int length = 1;
    while (at + length < SIZE && length < 3 && written->fresh >> (at + length) & 1 &&
           !(written->runs >> (at + length) & 1))
        length++;
    uint8_t highest = twin->highest;
    for (int number = 0; number < FACTORIALS[length]; number++) {
        const uint8_t *order = ORDERS[number];
        twin->highest = highest;
        for (int n = 0; n < length; n++) {
            uint8_t column = written->order[at + order[n]];
            twin->order[at + n] = column;
            twin->names[row[column] - 1] = ++twin->highest;
        }
        add_orders(forms, twin, written, row, at + length, ways);
    }
}

/* Extend a twin by each remaining row of its band, or by each row of a new band; keep the
   smallest. */
static text extend(struct forms *forms, const uint8_t (*rows)[SIZE], size_t number, int is_new_band,
                   int blank, text best)
{
    const struct twin *twin = &forms->now.twins[number];
    for (int row = 0; row < SIZE; row++) {
        int is_begun = (twin->used & 7 << row / 3 * 3) != 0;
        if (twin->used >> row & 1 || is_begun == is_new_band)
            continue;
        struct written ways[6];
        int count = 0;
        text found = arrange(twin, rows[row], blank, ways, &count);
        if (found > best)
            continue;
        if (found < best)
            forget_next(forms);
        best = found;
        for (int n = 0; n < count; n++) {
            struct twin next = *twin;
            next.used |= (uint16_t)(1 << row);
            next.starts = ways[n].starts;
            add_orders(forms, &next, &ways[n], rows[row], 0, forms->now.ways[number]);
        }
    }
    return best;
}

/* The number of orders of the columns that a twin leaves open. */
static uint32_t count_orders(const struct twin *twin)
{
    uint32_t orders = 1, stacks = 0, columns = 0;
    for (int place = 0; place < SIZE; place++) {
        if (place % 3 == 0) {
            stacks = twin->starts >> (GROUPS + place / 3) & 1 ? 1 : stacks + 1;
            orders *= stacks;
        }
        columns = begins_class(twin, place) ? 1 : columns + 1;
        orders *= columns;
    }
    return orders;
}

static void write_row(text row, uint8_t *digits)
{
    for (int column = SIZE - 1; column >= 0; column--, row >>= 4)
        digits[column] = row & 15;
}

/* The smallest twin, and the number of moves to it; 0 if there are too many partial twins. */
static uint32_t find_form(struct forms *forms, uint8_t (*boards)[SIZE][SIZE], int blank,
                          uint8_t *form)
{
    forms->is_full = 0;
    forms->now.count = 2;
    for (int n = 0; n < 2; n++) {
        forms->now.twins[n] = (struct twin){
            .order = {0, 1, 2, 3, 4, 5, 6, 7, 8},
            .starts = 1 << GROUPS | 0x49,
            .is_transposed = (uint8_t)n,
        };
        forms->now.ways[n] = 1;
    }
    for (int row = 0; row < SIZE; row++) {
        text best = NO_TEXT;
        forget_next(forms);
        forms->work += forms->now.count;
        for (size_t n = 0; n < forms->now.count && !forms->is_full; n++) {
            const uint8_t(*rows)[SIZE] = boards[forms->now.twins[n].is_transposed];
            best = extend(forms, rows, n, row % 3 == 0, blank, best);
        }
        if (forms->is_full)
            return 0;
        struct layer before = forms->now;
        forms->now = forms->next;
        forms->next = before;
        write_row(best, form + SIZE * row);
        /* The layers are swapped, so both get the room of the larger one. */
        if (forms->next.room < forms->now.room && !make_room(&forms->next, forms->now.room))
            return 0;
    }
    uint32_t ways = 0;
    for (size_t n = 0; n < forms->now.count; n++)
        ways += forms->now.ways[n] * count_orders(&forms->now.twins[n]);
    return ways;
}

/* Full grids: every first row can be written 123456789, so the second row decides.

   The second row begins with 456 if the three digits of a stack are together in one stack of the
   first row, and with 457 otherwise; see canonical.py. */

struct best_grid {
    text second;
    uint8_t grid[CELLS];
    uint32_t ways;
};

static text write_named(const uint8_t *row, const uint8_t *names, const uint8_t *order)
{
    text found = 0;
    for (int n = 0; n < SIZE; n++)
        found = found << 4 | names[row[order[n]] - 1];
    return found;
}

static void sort_texts(text *texts, int count, int width)
{
    for (int n = width; n < count; n += width)
        for (int m = n; m > 0 && texts[m - width] > texts[m]; m -= width)
            for (int k = 0; k < width; k++) {
                text moved = texts[m + k];
                texts[m + k] = texts[m - width + k];
                texts[m - width + k] = moved;
            }
}

/* Compare the best twin with the one that begins with two rows in this order of columns. */
static void try_full(const uint8_t (*rows)[SIZE], int first, int second, const uint8_t *order,
                     struct best_grid *best)
{
    uint8_t names[SIZE], grid[CELLS];
    for (int n = 0; n < SIZE; n++)
        names[rows[first][order[n]] - 1] = (uint8_t)(n + 1);
    text of_second = write_named(rows[second], names, order);
    if (of_second > best->second)
        return;
    text others[6];
    int top = first / 3 * 3, third = 3 * top + 3 - first - second, count = 0;
    for (int row = 0; row < SIZE; row++)
        if (row / 3 * 3 != top)
            others[count++] = write_named(rows[row], names, order);
    /* Sort the rows of each of the two other bands by their first digits, and then the bands. */
    sort_texts(others, 3, 1);
    sort_texts(others + 3, 3, 1);
    sort_texts(others, 6, 3);
    write_row(write_named(rows[first], names, order), grid);
    write_row(of_second, grid + SIZE);
    write_row(write_named(rows[third], names, order), grid + 2 * SIZE);
    for (int n = 0; n < 6; n++)
        write_row(others[n], grid + (n + 3) * SIZE);
    int compared = of_second < best->second ? -1 : memcmp(grid, best->grid, CELLS);
    if (compared < 0) {
        best->second = of_second;
        memcpy(best->grid, grid, CELLS);
        best->ways = 0;
    }
    best->ways += compared <= 0;
}

static uint8_t place_in(const uint8_t *row, uint8_t digit)
{
    uint8_t column = 0;
    while (column < SIZE - 1 && row[column] != digit)
        column++;
    return column;
}

/* Try the orders in which the second row begins with 456, and so goes on with 789; or, if the
   digits of stack A are in two stacks of the first row, with 457. `stacks` has the numbers of A, B
   and C. */
static void try_stacks(const uint8_t (*rows)[SIZE], int first, int second, const uint8_t *stacks,
                       int are_together, struct best_grid *best)
{
    uint8_t above[SIZE], order[SIZE], from_b[3], from_c[3];
    int of_b = 0, of_c = 0;
    for (uint8_t column = 0; column < SIZE; column++)
        above[column] = place_in(rows[first], rows[second][column]);
    for (int n = 0; n < 3; n++) {
        uint8_t column = (uint8_t)(3 * stacks[0] + n);
        if (above[column] / 3 == stacks[1])
            from_b[of_b++] = column;
        else
            from_c[of_c++] = column;
    }
    if (of_b != (are_together ? 3 : 2))
        return;
    for (int number = 0; number < FACTORIALS[of_b]; number++) {
        const uint8_t *chosen = ORDERS[number];
        for (int n = 0; n < of_b; n++) {
            order[n] = from_b[chosen[n]];
            order[3 + n] = above[order[n]];
        }
        if (are_together) {
            for (int n = 6; n < SIZE; n++)
                order[n] = above[order[n - 3]];
            try_full(rows, first, second, order, best);
            continue;
        }
        order[2] = from_c[0];
        /* The third column of B; then stack C, beginning with the column whose digit A takes. */
        order[5] = (uint8_t)(9 * stacks[1] + 3 - order[3] - order[4]);
        order[6] = above[from_c[0]];
        uint8_t begin = (uint8_t)(3 * stacks[2]), n = (uint8_t)(order[6] - begin);
        order[7] = (uint8_t)(begin + (n == 0));
        order[8] = (uint8_t)(begin + 3 - n - (n == 0));
        try_full(rows, first, second, order, best);
        uint8_t eighth = order[7];
        order[7] = order[8];
        order[8] = eighth;
        try_full(rows, first, second, order, best);
    }
}

static uint32_t find_full_form(uint8_t (*boards)[SIZE][SIZE], uint8_t *form)
{
    struct best_grid best = {.second = NO_TEXT};
    for (int are_together = 1; are_together >= 0 && best.ways == 0; are_together--)
        for (int n = 0; n < 2 * SIZE * 3; n++) {
            const uint8_t(*rows)[SIZE] = boards[n & 1];
            int first = n / 2 / 3, second = first / 3 * 3 + n / 2 % 3;
            for (int number = 0; number < 6 && first != second; number++)
                try_stacks(rows, first, second, ORDERS[number], are_together, &best);
        }
    memcpy(form, best.grid, CELLS);
    return best.ways;
}

/* Write a board and its transposed board. Return whether all bytes are digits or 0, and no digit
   repeats in a row, column or box. */
static int read_rows(const uint8_t *digits, uint8_t (*boards)[SIZE][SIZE], int *is_full)
{
    unsigned rows[SIZE] = {0}, columns[SIZE] = {0}, boxes[SIZE] = {0};
    *is_full = 1;
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
        if (digits[cell] > SIZE)
            return 0;
        boards[0][row][column] = boards[1][column][row] = digits[cell];
        if (digits[cell] == 0) {
            *is_full = 0;
            continue;
        }
        unsigned bit = 1u << digits[cell];
        if ((rows[row] | columns[column] | boxes[box]) & bit)
            return 0;
        rows[row] |= bit;
        columns[column] |= bit;
        boxes[box] |= bit;
    }
    return 1;
}

/* Write the smallest twin of each board, or the largest, and the number of moves that lead to it: 0
   for a board that is left to the caller, because digits are wrong or clash, or because of too many
   partial twins. Boards have 81 bytes, one per digit. Return how many boards were answered: fewer
   than `count` after some milliseconds of work, or without memory. */
EXPORTED size_t canonical_find(const uint8_t *boards, size_t boards_size, uint8_t *forms,
                               size_t forms_size, uint32_t *ways, size_t ways_size, size_t count,
                               int is_largest)
{
    enum { TWINS_A_CALL = 20000, TWINS_A_GRID = 100 };
    if (count > boards_size / CELLS || count > forms_size / CELLS ||
        count > ways_size / sizeof *ways)
        return 0;
    struct forms memory;
    size_t number = 0, blank = is_largest ? SIZE + 1 : 0;
    if (!open_forms(&memory)) {
        close_forms(&memory);
        return 0;
    }
    for (; number < count && memory.work < TWINS_A_CALL; number++) {
        uint8_t both[2][SIZE][SIZE], *form = forms + number * CELLS;
        int is_full;
        ways[number] = 0;
        if (read_rows(boards + number * CELLS, both, &is_full))
            ways[number] = is_full ? find_full_form(both, form)
                                   : find_form(&memory, both, (int)blank, form);
        /* The largest twin is the smallest one with all digits reversed. */
        for (int cell = 0; cell < CELLS && is_largest && ways[number]; cell++)
            form[cell] = (uint8_t)(SIZE + 1 - form[cell]);
        memory.work += TWINS_A_GRID;
    }
    close_forms(&memory);
    return number;
}

/* The estimate of Sudoku Explainer's ratings, the same as in rating/estimate.py, which describes
   the techniques. Each function here has the name of the function there, and offers its moves in
   the same order, since the first of equally easy moves is taken. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

/* Replaces the first number of a puzzle that is left to Python. */
enum { ESTIMATE_LEFT = 255 };

#if defined(__SIZEOF_INT128__)

enum {
    SIZE = 9,
    UNITS = 27,
    EVERY_DIGIT = 0x1ff,
    MOST = SIZE * CELLS, /* candidates */
    /* Bounds far above those of all known boards; a board that exceeds them is left to Python. */
    MOST_LINKS = 256,
    MOST_LOOPS = 4096,
    MOST_PATHS = 2048,
    MOST_BEHIND = 1 << 24,
    /* The work of searching chains, as a multiple of that of a path of a loop. */
    WORK_OF_GRAPH = 20
};

/* Kinds of units: nine of each. */
enum { BOX, ROW, COLUMN };

/* A set of cells, with one bit each. */
typedef unsigned __int128 cells;

static cells bit(int cell)
{
    return (cells)1 << cell;
}

static int first_of(cells set)
{
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static int count_of(cells set)
{
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

static int is_one(cells set)
{
    return set && !(set & (set - 1));
}

#define EACH_CELL(cell, set)                                                                       \
    (cells rest_##cell = (set); rest_##cell && ((cell = first_of(rest_##cell)), 1);                \
     rest_##cell &= rest_##cell - 1)
#define EACH_DIGIT(digit, set)                                                                     \
    (unsigned rest_##digit = (set); rest_##digit && ((digit = __builtin_ctz(rest_##digit)), 1);    \
     rest_##digit &= rest_##digit - 1)

static int digits_in(unsigned digits)
{
    return __builtin_popcount(digits);
}

/* A move: it places a digit in a cell, or excludes candidates. */
struct move {
    double number;
    int cell, digit; /* -1 if the move excludes candidates */
    cells gone[SIZE];
};

/* The consequences of a node. */
struct followed {
    /* For each node the start of its list in `behind`, which begins with its length; 0 if not
       reached. */
    uint32_t *begin;
    int known; /* the two sides of a contradiction: this node, and the nodes of the list `last` */
    uint32_t last;
};

struct best {
    int nodes;
    struct move move;
};

struct estimator {
    cells units[UNITS], peers[CELLS];
    uint8_t units_of[CELLS][3];
    uint8_t cells_of[UNITS][SIZE];
    /* The sheet: the remaining candidates. */
    cells places[SIZE], empty;
    uint16_t digits[CELLS];
    int pairs[CELLS], pair_count;
    struct move found;
    int is_left; /* whether the board is left to Python */
    /* The graph: candidates in the order of digits, then cells; a node is twice the index of a
       candidate, plus one if it is true. */
    int count;
    int16_t index_of[SIZE][CELLS];
    uint8_t digit_of[MOST], cell_of[MOST];
    int16_t beside[MOST][SIZE], beside_count[MOST];
    int16_t seen[MOST][20], seen_count[MOST];
    /* Implications of nodes: kept for true nodes, and from truths for false ones. */
    int16_t on[MOST][4], on_count[MOST];
    int16_t truths[CELLS + SIZE * UNITS][SIZE], truth_size[CELLS + SIZE * UNITS];
    int16_t truths_of[MOST][4];
    int truth_count, in_cells;
    /* Memory of the searches. */
    uint32_t stamps[2 * MOST], stamp;
    int16_t queue[2 * MOST], came_node[2 * MOST], came_off[2 * MOST];
    uint8_t is_gone[MOST];
    int16_t holding[2 * MOST], others[2 * MOST];
    uint16_t *depths;
    uint32_t *begins;
    size_t begins_room, depths_room;
    int16_t *behind;
    uint32_t behind_count, behind_room;
    size_t work;
};

static void make_tables(struct estimator *e)
{
    memset(e->units, 0, sizeof e->units);
    memset(e->peers, 0, sizeof e->peers);
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / 9, column = cell % 9, box = row / 3 * 3 + column / 3;
        const int of[3] = {box, 9 + row, 18 + column};
        for (int n = 0; n < 3; n++) {
            e->units_of[cell][n] = (uint8_t)of[n];
            e->cells_of[of[n]][count_of(e->units[of[n]])] = (uint8_t)cell;
            e->units[of[n]] |= bit(cell);
        }
    }
    for (int cell = 0; cell < CELLS; cell++) {
        for (int n = 0; n < 3; n++)
            e->peers[cell] |= e->units[e->units_of[cell][n]];
        e->peers[cell] &= ~bit(cell);
    }
}

static cells every_cell(void)
{
    return (bit(CELLS - 1) << 1) - 1;
}

static cells seen_by_all(const struct estimator *e, cells set)
{
    cells seen = every_cell();
    int cell;
    for EACH_CELL (cell, set)
        seen &= e->peers[cell];
    return seen;
}

/* Compute the rest of the sheet after `places` changed. */
static void read_sheet(struct estimator *e)
{
    int cell;
    memset(e->digits, 0, sizeof e->digits);
    e->empty = 0;
    e->pair_count = 0;
    for (int digit = 0; digit < SIZE; digit++) {
        e->empty |= e->places[digit];
        for EACH_CELL (cell, e->places[digit])
            e->digits[cell] |= (uint16_t)(1 << digit);
    }
    for (cell = 0; cell < CELLS; cell++)
        if (digits_in(e->digits[cell]) == 2)
            e->pairs[e->pair_count++] = cell;
}

static void make_move(struct estimator *e, const struct move *move)
{
    for (int digit = 0; digit < SIZE; digit++) {
        e->places[digit] &= ~move->gone[digit];
        if (move->cell >= 0)
            e->places[digit] &= ~bit(move->cell);
    }
    if (move->cell >= 0)
        e->places[move->digit] &= ~e->peers[move->cell];
    read_sheet(e);
}

/* Offer a move; the first of the easiest moves is kept. */
static void offer(struct estimator *e, const struct move *move)
{
    if (e->found.number == 0 || move->number < e->found.number)
        e->found = *move;
}

static int is_worth(const struct estimator *e, double number)
{
    return e->found.number == 0 || number < e->found.number;
}

static void offer_place(struct estimator *e, double number, int cell, int digit)
{
    if (is_worth(e, number))
        e->found = (struct move){number, cell, digit, {0}};
}

static void offer_gone(struct estimator *e, double number, int digit, cells gone)
{
    if (is_worth(e, number)) {
        e->found = (struct move){number, -1, 0, {0}};
        e->found.gone[digit] = gone;
    }
}

/* Add the candidates of some digits in some cells to `gone`. */
static void add_candidates(const struct estimator *e, unsigned digits, cells set, cells *gone)
{
    int digit;
    for EACH_DIGIT (digit, digits)
        gone[digit] |= e->places[digit] & set;
}

static int has_any(const cells *gone)
{
    cells any = 0;
    for (int digit = 0; digit < SIZE; digit++)
        any |= gone[digit];
    return any != 0;
}

static void offer_all(struct estimator *e, double number, const struct move *move)
{
    if (is_worth(e, number) && has_any(move->gone)) {
        e->found = *move;
        e->found.number = number;
        e->found.cell = -1;
    }
}

static void offer_candidates(struct estimator *e, double number, unsigned digits, cells set)
{
    struct move move = {0};
    add_candidates(e, digits, set, move.gone);
    offer_all(e, number, &move);
}

static void hidden_singles(struct estimator *e)
{
    for (int unit = 0; unit < UNITS; unit++) {
        cells last = e->units[unit] & e->empty;
        if (is_one(last)) {
            int cell = first_of(last);
            offer_place(e, 1.0, cell, 31 - __builtin_clz(e->digits[cell]));
        }
    }
    for (int unit = 0; unit < UNITS; unit++)
        for (int digit = 0; digit < SIZE; digit++) {
            cells last = e->places[digit] & e->units[unit];
            if (is_one(last))
                offer_place(e, unit / 9 == BOX ? 1.2 : 1.5, first_of(last), digit);
        }
}

static void naked_singles(struct estimator *e)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (digits_in(e->digits[cell]) == 1)
            offer_place(e, 2.3, cell, __builtin_ctz(e->digits[cell]));
}

static void direct(struct estimator *e, double number, int digit, cells gone, int kind)
{
    for (int unit = 9 * kind; unit < 9 * kind + 9; unit++) {
        cells left = e->places[digit] & e->units[unit] & ~gone;
        if (gone & e->units[unit] && is_one(left))
            offer_place(e, number, first_of(left), digit);
    }
}

static void locked(struct estimator *e, int is_pointing, int is_direct, double number)
{
    for (int digit = 0; digit < SIZE; digit++)
        for (int kind = ROW; kind <= COLUMN; kind++)
            for (int box = 0; box < SIZE; box++)
                for (int line = 9 * kind; line < 9 * kind + 9; line++) {
                    cells in_box = e->units[box], in_line = e->units[line];
                    cells set = e->places[digit];
                    cells one = is_pointing ? in_box : in_line;
                    cells other = is_pointing ? in_line : in_box;
                    cells gone = set & other & ~one;
                    if (!(set & in_box & in_line) || set & one & ~other || !gone)
                        continue;
                    if (is_direct)
                        direct(e, number, digit, gone, is_pointing ? BOX : kind);
                    else
                        offer_gone(e, number, digit, gone);
                }
}

/* A choice of `size` rows whose bits lie in as many columns: the rows, as a mask, and the
   columns. */
struct covering {
    cells rows[SIZE];
    int size, narrow[SIZE], narrows;
    int at[SIZE], is_begun;
    unsigned chosen;
    cells columns;
};

static void begin_covering(struct covering *c, int size, int fewest)
{
    int rows = 0;
    c->size = size;
    c->narrows = 0;
    c->is_begun = 0;
    for (int row = 0; row < SIZE; row++) {
        rows += c->rows[row] != 0;
        if (c->rows[row] && count_of(c->rows[row]) <= size)
            c->narrow[c->narrows++] = row;
    }
    if (rows < fewest)
        c->narrows = 0;
}

/* Step to the next choice of `size` of `count` items, in the order of itertools.combinations. */
static int next_choice(int *at, int size, int count, int *is_begun)
{
    int n = size - 1;
    if (size > count)
        return 0;
    if (!*is_begun) {
        *is_begun = 1;
        for (n = 0; n < size; n++)
            at[n] = n;
        return 1;
    }
    while (n >= 0 && at[n] == count - size + n)
        n--;
    if (n < 0)
        return 0;
    at[n]++;
    for (n++; n < size; n++)
        at[n] = at[n - 1] + 1;
    return 1;
}

static int next_covering(struct covering *c)
{
    while (next_choice(c->at, c->size, c->narrows, &c->is_begun)) {
        c->chosen = 0;
        c->columns = 0;
        for (int n = 0; n < c->size; n++) {
            int row = c->narrow[c->at[n]];
            c->chosen |= 1u << row;
            c->columns |= c->rows[row];
        }
        if (count_of(c->columns) == c->size)
            return 1;
    }
    return 0;
}

static void naked_sets(struct estimator *e, int size, double number)
{
    for (int unit = 0; unit < UNITS; unit++) {
        struct covering c;
        for (int n = 0; n < SIZE; n++)
            c.rows[n] = e->digits[e->cells_of[unit][n]];
        for (begin_covering(&c, size, 2 * size); next_covering(&c);) {
            cells others = e->units[unit];
            int n;
            for EACH_DIGIT (n, c.chosen)
                others &= ~bit(e->cells_of[unit][n]);
            offer_candidates(e, number, (unsigned)c.columns, others);
        }
    }
}

static void hidden_sets(struct estimator *e, int size, double number, int is_direct)
{
    for (int unit = 0; unit < UNITS; unit++) {
        struct covering c;
        for (int digit = 0; digit < SIZE; digit++)
            c.rows[digit] = e->places[digit] & e->units[unit];
        for (begin_covering(&c, size, is_direct ? size + 1 : 2 * size + 1); next_covering(&c);) {
            unsigned others = EVERY_DIGIT & ~c.chosen;
            struct move move = {0};
            int digit;
            add_candidates(e, others, c.columns, move.gone);
            if (!is_direct) {
                offer_all(e, number, &move);
                continue;
            }
            if (!has_any(move.gone))
                continue;
            for EACH_DIGIT (digit, others) {
                cells left = e->places[digit] & e->units[unit] & ~c.columns;
                if (is_one(left))
                    offer_place(e, number, first_of(left), digit);
            }
        }
    }
}

static void fish(struct estimator *e, int size, double number)
{
    for (int digit = 0; digit < SIZE; digit++)
        for (int kind = ROW; kind <= COLUMN; kind++) {
            struct covering c;
            memset(c.rows, 0, sizeof c.rows);
            int cell;
            for EACH_CELL (cell, e->places[digit]) {
                int row = cell / 9, column = cell % 9;
                c.rows[kind == ROW ? row : column] |= bit(kind == ROW ? column : row);
            }
            for (begin_covering(&c, size, size + 1); next_covering(&c);) {
                cells inside = 0, over = 0;
                int n;
                for EACH_DIGIT (n, c.chosen)
                    inside |= e->units[9 * kind + n];
                for EACH_DIGIT (n, (unsigned)c.columns)
                    over |= e->units[9 * (ROW + COLUMN - kind) + n];
                cells gone = e->places[digit] & over & ~inside;
                if (gone)
                    offer_gone(e, number, digit, gone);
            }
        }
}

/* Strong links */

struct link {
    cells one, other, seen_by_one, seen_by_other;
    int kind;
};

static int add_link(struct estimator *e, struct link *links, int count, cells one, cells other,
                    int kind)
{
    if (count + 2 > MOST_LINKS) {
        e->is_left = 1;
        return count;
    }
    cells by_one = seen_by_all(e, one), by_other = seen_by_all(e, other);
    links[count] = (struct link){one, other, by_one, by_other, kind};
    links[count + 1] = (struct link){other, one, by_other, by_one, kind};
    return count + 2;
}

static int is_within_one(const struct estimator *e, cells set, int kind)
{
    for (int unit = 9 * kind; unit < 9 * kind + 9; unit++)
        if (!(set & ~e->units[unit]))
            return 1;
    return 0;
}

static int links_of(struct estimator *e, cells set, struct link *links)
{
    int count = 0;
    for (int unit = 0; unit < UNITS; unit++) {
        cells here = set & e->units[unit];
        int kind = unit / 9;
        if (count_of(here) < 2)
            continue;
        if (count_of(here) == 2) {
            cells one = here & -here;
            count = add_link(e, links, count, one, here & ~one, kind);
            continue;
        }
        int across = kind == BOX ? ROW : BOX, other = kind == BOX ? COLUMN : BOX;
        for (int line = 9 * across; line < 9 * across + 9; line++) {
            cells part = here & e->units[line], rest = here & ~e->units[line];
            if (!part || !rest || !is_within_one(e, rest, other))
                continue;
            count = add_link(e, links, count, part, rest, kind);
            if (kind != BOX)
                break;
        }
    }
    return count;
}

struct path {
    int16_t links[4];
};

static double added_for_links(const struct link *links, const struct path *path, int count)
{
    unsigned kinds = 0;
    for (int n = 0; n < count; n++) {
        const struct link *link = &links[path->links[n]];
        if (!is_one(link->one) || !is_one(link->other))
            return 0.3;
        kinds |= 1u << link->kind;
    }
    return (__builtin_popcount(kinds) - 1) / 10.0;
}

static void strong_links(struct estimator *e, int count)
{
    static const double NUMBERS[] = {0, 0, 4.0, 5.4, 5.8};
    struct link links[MOST_LINKS];
    struct path paths[2][MOST_LINKS];
    uint8_t is_seen[MOST_LINKS];
    for (int digit = 0; digit < SIZE; digit++) {
        int all = links_of(e, e->places[digit], links);
        for (int start = 0; start < all; start++) {
            int number = 1, side = 0;
            memset(is_seen, 0, (size_t)all);
            is_seen[start] = 1;
            paths[0][0].links[0] = (int16_t)start;
            for (int length = 1; length < count; length++, side ^= 1) {
                int further = 0;
                for (int p = 0; p < number; p++) {
                    const struct path *path = &paths[side][p];
                    cells seen = links[path->links[length - 1]].seen_by_other;
                    for (int n = 0; n < all; n++) {
                        if (is_seen[n] || links[n].one & ~seen)
                            continue;
                        is_seen[n] = 1;
                        paths[side ^ 1][further] = *path;
                        paths[side ^ 1][further++].links[length] = (int16_t)n;
                    }
                }
                number = further;
            }
            for (int p = 0; p < number; p++) {
                const struct path *path = &paths[side][p];
                cells end = links[path->links[count - 1]].seen_by_other;
                cells gone = e->places[digit] & links[start].seen_by_one & end;
                if (gone)
                    offer_gone(e, NUMBERS[count] + added_for_links(links, path, count), digit,
                               gone);
            }
        }
    }
}

/* Wings, loops, and boards of pairs */

static void gone_by_wing(struct estimator *e, double number, int pair, cells set, unsigned digits)
{
    struct move move = {0};
    cells here[SIZE];
    unsigned shared = 0;
    int digit;
    for (digit = 0; digit < SIZE; digit++)
        here[digit] = e->places[digit] & set;
    for EACH_DIGIT (digit, e->digits[pair])
        if (!(here[digit] & ~e->peers[pair]))
            shared |= 1u << digit;
    if (digits_in(shared) == 2)
        for EACH_DIGIT (digit, digits & ~e->digits[pair])
            move.gone[digit] |= e->places[digit] & seen_by_all(e, here[digit]) & ~set;
    for EACH_DIGIT (digit, e->digits[pair])
        if (shared & ~(1u << digit))
            move.gone[digit] |=
                e->places[digit] & seen_by_all(e, here[digit]) & e->peers[pair] & ~set;
    offer_all(e, number, &move);
}

static void wings(struct estimator *e, int size)
{
    static const double NUMBERS[] = {0, 0, 0, 4.4, 5.5, 6.2, 6.6, 7.5};
    for (int unit = 0; unit < UNITS; unit++) {
        int narrow[SIZE], narrows = 0, at[SIZE], is_begun = 0;
        for (int n = 0; n < SIZE; n++) {
            int cell = e->cells_of[unit][n], here = digits_in(e->digits[cell]);
            if (here > 1 && here <= size)
                narrow[narrows++] = cell;
        }
        while (next_choice(at, size - 1, narrows, &is_begun)) {
            unsigned digits = 0;
            cells set = 0;
            int most = 0;
            for (int n = 0; n < size - 1; n++) {
                int cell = narrow[at[n]], here = digits_in(e->digits[cell]);
                digits |= e->digits[cell];
                set |= bit(cell);
                most = here > most ? here : most;
            }
            if (digits_in(digits) != size)
                continue;
            double number = NUMBERS[size];
            if (size == 3 && most == 2)
                number = 4.2;
            else if (size == 4 || size == 5)
                number += (size - 3 - abs(3 - most)) / 10.0;
            for (int n = 0; n < e->pair_count && is_worth(e, number); n++) {
                int pair = e->pairs[n];
                if (!(e->digits[pair] & ~digits) && !(set >> pair & 1))
                    gone_by_wing(e, number, pair, set, digits);
            }
        }
    }
}

/* Find naked sets of further cells and of `cells`, which as one cell hold one of the extra
   digits. */
static void joined(struct estimator *e, cells set, unsigned extra, double number, int less)
{
    for (int unit = 0; unit < UNITS; unit++) {
        int others[SIZE], count = 0, cell;
        if (set & ~e->units[unit])
            continue;
        for EACH_CELL (cell, e->units[unit] & ~set)
            if (e->digits[cell])
                others[count++] = cell;
        for (int size = 2; size < 5; size++) {
            int at[SIZE], is_begun = 0;
            while (next_choice(at, size - 1, count, &is_begun)) {
                unsigned digits = extra;
                cells left = e->units[unit] & ~set;
                for (int n = 0; n < size - 1; n++) {
                    digits |= e->digits[others[at[n]]];
                    left &= ~bit(others[at[n]]);
                }
                if (digits_in(digits) == size)
                    offer_candidates(e, number + (size - less) / 10.0, digits, left);
            }
        }
    }
}

static void locked_in(struct estimator *e, unsigned pair, cells set, double number)
{
    for (int unit = 0; unit < UNITS; unit++) {
        int digit;
        if (set & ~e->units[unit])
            continue;
        for EACH_DIGIT (digit, pair)
            if (!(e->places[digit] & e->units[unit] & ~set))
                offer_candidates(e, number, pair & ~(1u << digit), set);
    }
}

/* Find what follows because some wide cell must hold a digit other than the two. */
static void broken(struct estimator *e, unsigned pair, cells wide, double number)
{
    unsigned extra = 0;
    int cell;
    for EACH_CELL (cell, wide)
        extra |= e->digits[cell] & ~pair;
    if (count_of(wide) == 1) {
        offer_candidates(e, number, pair, wide);
    } else if (digits_in(extra) == 1) {
        offer_candidates(e, number, extra, seen_by_all(e, wide));
    } else if (count_of(wide) == 2) {
        locked_in(e, pair, wide, number);
        joined(e, wide, extra, number, 1);
    }
}

enum { MOST_CELLS = 10 };

struct loop {
    uint8_t path[MOST_CELLS];
    int length;
    uint32_t used;
    unsigned extra;
};

static int is_even(const struct estimator *e, const struct loop *loop)
{
    cells halves[2] = {0, 0};
    for (int n = 0; n < loop->length; n++)
        halves[n % 2] |= bit(loop->path[n]);
    for (int unit = 0; unit < UNITS; unit++) {
        int one = count_of(e->units[unit] & halves[0]);
        if (one > 1 || one != count_of(e->units[unit] & halves[1]))
            return 0;
    }
    return 1;
}

static void end_loop(struct estimator *e, const struct loop *loop, unsigned pair, cells *seen,
                     int *seens)
{
    cells set = 0, wide = 0;
    for (int n = 0; n < loop->length; n++) {
        set |= bit(loop->path[n]);
        if (e->digits[loop->path[n]] != pair)
            wide |= bit(loop->path[n]);
    }
    for (int n = 0; n < *seens; n++)
        if (seen[n] == set)
            return;
    if (*seens == MOST_LOOPS) {
        e->is_left = 1;
        return;
    }
    seen[(*seens)++] = set;
    double longer = loop->length == 4 ? 0.0 : loop->length == 6 ? 0.1 : 0.5;
    broken(e, pair, wide, 4.5 + (loop->length == 8 ? 0.2 : longer));
}

static void loops(struct estimator *e)
{
    cells *seen = malloc(MOST_LOOPS * sizeof *seen);
    struct loop *waiting = malloc(MOST_PATHS * sizeof *waiting);
    int seens = 0;
    e->is_left |= seen == NULL || waiting == NULL;
    for (int n = 0; n < e->pair_count && !e->is_left; n++) {
        int start = e->pairs[n], count = 1;
        unsigned pair = e->digits[start];
        int low = __builtin_ctz(pair), high = __builtin_ctz(pair & (pair - 1));
        cells able = e->places[low] & e->places[high];
        waiting[0] = (struct loop){{(uint8_t)start}, 1, 0, 0};
        while (count > 0 && !e->is_left) {
            struct loop loop = waiting[--count];
            int last = loop.path[loop.length - 1], wide = 0;
            cells in_path = 0;
            e->work++;
            for (int p = 0; p < loop.length; p++) {
                in_path |= bit(loop.path[p]);
                wide += e->digits[loop.path[p]] != pair;
            }
            for (int u = 0; u < 3; u++) {
                int unit = e->units_of[last][u], cell;
                if (loop.used >> unit & 1)
                    continue;
                if (loop.length > 3 && e->units[unit] >> start & 1 && is_even(e, &loop))
                    end_loop(e, &loop, pair, seen, &seens);
                if (loop.length == MOST_CELLS)
                    continue;
                for EACH_CELL (cell, able & e->units[unit] & e->peers[last] & ~in_path) {
                    unsigned extra = loop.extra | (e->digits[cell] & ~pair);
                    if (wide + (e->digits[cell] != pair) > 2 && digits_in(extra) != 1)
                        continue;
                    if (count == MOST_PATHS) {
                        e->is_left = 1;
                        break;
                    }
                    waiting[count] = loop;
                    waiting[count].path[loop.length] = (uint8_t)cell;
                    waiting[count].length++;
                    waiting[count].used |= 1u << unit;
                    waiting[count++].extra = extra;
                }
            }
        }
    }
    free(seen);
    free(waiting);
}

static unsigned extra_of(const struct estimator *e, int cell, cells wide)
{
    unsigned found = 0;
    int digit;
    for EACH_DIGIT (digit, e->digits[cell])
        for (int n = 0; n < 3; n++) {
            cells here = e->places[digit] & e->units[e->units_of[cell][n]];
            if (count_of(here) != 2 && (here & wide) == bit(cell))
                found |= 1u << digit;
        }
    return found;
}

/* Whether without the extras every cell has two digits, and every digit none or two places. */
static int is_left_with_two(const struct estimator *e, const unsigned *extras)
{
    for (int cell = 0; cell < CELLS; cell++) {
        int left = digits_in(e->digits[cell] & ~extras[cell]);
        if (left != 0 && left != 2)
            return 0;
    }
    for (int digit = 0; digit < SIZE; digit++) {
        cells left = e->places[digit];
        int cell;
        for EACH_CELL (cell, e->places[digit])
            if (extras[cell] >> digit & 1)
                left &= ~bit(cell);
        for (int unit = 0; unit < UNITS; unit++) {
            int here = count_of(left & e->units[unit]);
            if (here != 0 && here != 2)
                return 0;
        }
    }
    return 1;
}

static void two_everywhere(struct estimator *e)
{
    static const double NUMBER = 5.6;
    unsigned extras[CELLS] = {0}, extra = 0;
    int wide[CELLS], count = 0;
    cells set = 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (digits_in(e->digits[cell]) > 2) {
            wide[count++] = cell;
            set |= bit(cell);
        }
    for (int n = 0; n < count; n++) {
        extras[wide[n]] = extra_of(e, wide[n], set);
        if (!extras[wide[n]])
            return;
        extra |= extras[wide[n]];
    }
    if (count == 0 || !is_left_with_two(e, extras))
        return;
    if (count == 1) {
        offer_candidates(e, NUMBER, e->digits[wide[0]] & ~extra, set);
        return;
    }
    if (digits_in(extra) == 1) {
        offer_candidates(e, NUMBER + 0.1, extra, seen_by_all(e, set));
        return;
    }
    for (int unit = 0; unit < UNITS && count == 2; unit++) {
        unsigned common = e->digits[wide[0]] & e->digits[wide[1]];
        int digit;
        common &= ~extras[wide[0]] & ~extras[wide[1]];
        if (set & ~e->units[unit])
            continue;
        for EACH_DIGIT (digit, common) {
            struct move move = {0};
            for (int n = 0; n < 2; n++)
                add_candidates(e, e->digits[wide[n]] & ~extras[wide[n]] & ~(1u << digit),
                               bit(wide[n]), move.gone);
            offer_all(e, NUMBER + 0.1, &move);
        }
    }
    joined(e, set, extra, NUMBER, 0);
}

/* Chains */

static double added_for(int nodes)
{
    double added = 0.0;
    int is_third = 0;
    for (int bound = 4; nodes - 2 > bound; is_third = !is_third) {
        added += 0.1;
        bound = is_third ? bound * 4 / 3 : bound * 3 / 2;
    }
    return added;
}

static int is_beaten(const struct best *best, int nodes)
{
    return best->nodes == 0 || nodes < best->nodes;
}

static void note_settled(struct estimator *e, struct best *best, int nodes, int node)
{
    if (!is_beaten(best, nodes))
        return;
    int digit = e->digit_of[node >> 1], cell = e->cell_of[node >> 1];
    best->nodes = nodes;
    best->move = (struct move){0, node & 1 ? cell : -1, digit, {0}};
    if (!(node & 1))
        best->move.gone[digit] = bit(cell);
}

static void offer_best(struct estimator *e, struct best *best, double number)
{
    if (best->nodes == 0)
        return;
    best->move.number = number + added_for(best->nodes);
    offer(e, &best->move);
}

static void add_truth(struct estimator *e, const int16_t *members, int size)
{
    int number = e->truth_count++;
    memcpy(e->truths[number], members, (size_t)size * sizeof *members);
    e->truth_size[number] = (int16_t)size;
}

static void make_graph(struct estimator *e)
{
    int cell, place, other;
    e->count = 0;
    e->truth_count = 0;
    e->work += WORK_OF_GRAPH;
    memset(e->index_of, -1, sizeof e->index_of);
    for (int digit = 0; digit < SIZE; digit++)
        for EACH_CELL (cell, e->places[digit]) {
            e->digit_of[e->count] = (uint8_t)digit;
            e->cell_of[e->count] = (uint8_t)cell;
            e->index_of[digit][cell] = (int16_t)e->count++;
        }
    for (cell = 0; cell < CELLS; cell++) {
        int16_t members[SIZE];
        int size = 0, digit;
        for EACH_DIGIT (digit, e->digits[cell]) {
            members[size++] = e->index_of[digit][cell];
            e->truths_of[e->index_of[digit][cell]][0] = (int16_t)e->truth_count;
        }
        if (size)
            add_truth(e, members, size);
    }
    e->in_cells = e->truth_count;
    for (int digit = 0; digit < SIZE; digit++)
        for (int unit = 0; unit < UNITS; unit++) {
            int16_t members[SIZE];
            int size = 0;
            for EACH_CELL (place, e->places[digit] & e->units[unit]) {
                members[size++] = e->index_of[digit][place];
                e->truths_of[members[size - 1]][1 + unit / 9] = (int16_t)e->truth_count;
            }
            if (size)
                add_truth(e, members, size);
        }
    for (int c = 0; c < e->count; c++) {
        int digit = e->digit_of[c];
        cells seen = 0;
        cell = e->cell_of[c];
        e->beside_count[c] = e->seen_count[c] = 0;
        for EACH_DIGIT (other, e->digits[cell] & ~(1u << digit))
            e->beside[c][e->beside_count[c]++] = e->index_of[other][cell];
        for (int n = 0; n < 3; n++) {
            cells unit = e->places[digit] & e->units[e->units_of[cell][n]] & ~bit(cell) & ~seen;
            seen |= unit;
            for EACH_CELL (place, unit)
                e->seen[c][e->seen_count[c]++] = e->index_of[digit][place];
        }
    }
}

/* Compute what a false candidate implies: the candidates that are then true, each once. */
static void make_arrows(struct estimator *e, int through_cells, int through_units)
{
    for (int c = 0; c < e->count; c++) {
        int count = 0;
        if (through_cells && e->beside_count[c] == 1)
            e->on[c][count++] = e->beside[c][0];
        for (int n = 1; n < 4 && through_units; n++) {
            const int16_t *truth = e->truths[e->truths_of[c][n]];
            if (e->truth_size[e->truths_of[c][n]] != 2)
                continue;
            int16_t other = truth[truth[0] == c];
            int is_new = 1;
            for (int m = 0; m < count; m++)
                is_new &= e->on[c][m] != other;
            if (is_new)
                e->on[c][count++] = other;
        }
        e->on_count[c] = (int16_t)count;
    }
}

/* Write the implications of a node to `after`, and return their number. */
static int arrows_of(const struct estimator *e, int node, int through_cells, int16_t *after)
{
    int c = node >> 1, count = 0;
    if (!(node & 1)) {
        for (int n = 0; n < e->on_count[c]; n++)
            after[count++] = (int16_t)(2 * e->on[c][n] + 1);
        return count;
    }
    for (int n = 0; n < e->beside_count[c] && through_cells; n++)
        after[count++] = (int16_t)(2 * e->beside[c][n]);
    for (int n = 0; n < e->seen_count[c]; n++)
        after[count++] = (int16_t)(2 * e->seen[c][n]);
    return count;
}

enum { MOST_ARROWS = 28 };

static int to_opposite(struct estimator *e, int start, int through_cells, const struct best *best)
{
    int begin = 0, end = 1, nodes = 1;
    e->queue[0] = (int16_t)start;
    e->stamps[start] = ++e->stamp;
    while (begin < end && is_beaten(best, nodes + 1)) {
        int layer_end = end;
        nodes++;
        for (; begin < layer_end; begin++) {
            int16_t after[MOST_ARROWS];
            int count = arrows_of(e, e->queue[begin], through_cells, after);
            for (int n = 0; n < count; n++) {
                if (after[n] == (start ^ 1))
                    return nodes;
                if (e->stamps[after[n]] == e->stamp)
                    continue;
                e->stamps[after[n]] = e->stamp;
                e->queue[end++] = after[n];
            }
        }
    }
    return 0;
}

/* The cells of a digit that a candidate excludes. */
static cells excluded_by(const struct estimator *e, int c, int digit)
{
    int cell = e->cell_of[c];
    if (digit == e->digit_of[c])
        return e->places[digit] & e->peers[cell];
    return e->places[digit] & bit(cell);
}

/* Record what a cycle excludes, unless it meets a candidate twice: the last links are `off` and
   `node`, the others are found by going back from these. */
static void note_cycle(struct estimator *e, struct best *best, int start, int node, int off)
{
    struct move move = {0};
    cells inside[SIZE] = {0};
    int nodes = 0;
    for (;;) {
        int one = off >> 1, other = node >> 1;
        for (int n = 0; n < 2; n++) {
            int c = n ? other : one;
            if (inside[e->digit_of[c]] >> e->cell_of[c] & 1)
                return;
            inside[e->digit_of[c]] |= bit(e->cell_of[c]);
        }
        for (int digit = 0; digit < SIZE; digit++)
            move.gone[digit] |= excluded_by(e, one, digit) & excluded_by(e, other, digit);
        nodes += 2;
        if (node == start)
            break;
        off = e->came_off[node];
        node = e->came_node[node];
    }
    for (int digit = 0; digit < SIZE; digit++)
        move.gone[digit] &= ~inside[digit];
    if (has_any(move.gone) && is_beaten(best, nodes)) {
        best->nodes = nodes;
        best->move = move;
        best->move.cell = -1;
    }
}

static void closed_trails(struct estimator *e, int start, int through_cells, struct best *best)
{
    int begin = 0, end = 1;
    e->queue[0] = (int16_t)start;
    e->stamp++;
    for (int nodes = 2; begin < end && is_beaten(best, nodes); nodes += 2)
        for (int layer_end = end; begin < layer_end; begin++) {
            int node = e->queue[begin];
            int16_t offs[MOST_ARROWS], ons[MOST_ARROWS];
            int off_count = arrows_of(e, node, through_cells, offs);
            for (int n = 0; n < off_count; n++) {
                int on_count = arrows_of(e, offs[n], through_cells, ons);
                for (int m = 0; m < on_count; m++) {
                    int on = ons[m];
                    if (on == start) {
                        if (node == start)
                            continue;
                        note_cycle(e, best, start, node, offs[n]);
                        if (!is_beaten(best, nodes))
                            return;
                    } else if (e->stamps[on] != e->stamp) {
                        e->stamps[on] = e->stamp;
                        e->came_node[on] = (int16_t)node;
                        e->came_off[on] = offs[n];
                        e->queue[end++] = (int16_t)on;
                    }
                }
            }
        }
}

static void cycles(struct estimator *e, int only_pairs, int through_units, double number)
{
    struct best best = {0};
    make_arrows(e, 1, through_units);
    for (int c = 0; c < e->count; c++)
        if (!only_pairs || e->beside_count[c] == 1)
            closed_trails(e, 2 * c + 1, 1, &best);
    offer_best(e, &best, number);
}

static void opposites(struct estimator *e, int through_cells, double number)
{
    struct best best = {0};
    make_arrows(e, through_cells, 1);
    for (int n = 0; n < 2 * e->count; n++) {
        int start = n ^ 1;
        int nodes = to_opposite(e, start, through_cells, &best);
        if (nodes)
            note_settled(e, &best, nodes, start ^ 1);
    }
    offer_best(e, &best, number);
}

static void forcing_chains(struct estimator *e)
{
    make_graph(e);
    cycles(e, 1, 0, 6.5);
    cycles(e, 0, 1, 7.0);
    opposites(e, 0, 6.6);
    opposites(e, 1, 7.0);
}

/* Make room in memory for at least `count` items; return 0 without memory. */
static int make_room(void **memory, size_t *room, size_t count, size_t size)
{
    if (count <= *room)
        return 1;
    void *larger = realloc(*memory, count * size);
    if (larger == NULL)
        return 0;
    *memory = larger;
    *room = count;
    return 1;
}

static void depths_from(struct estimator *e, int start, uint16_t *depths)
{
    int begin = 0, end = 1;
    memset(depths, 0, (size_t)(2 * e->count) * sizeof *depths);
    depths[start] = 1;
    e->queue[0] = (int16_t)start;
    for (; begin < end; begin++) {
        int16_t after[MOST_ARROWS];
        int count = arrows_of(e, e->queue[begin], 1, after);
        for (int n = 0; n < count; n++)
            if (!depths[after[n]]) {
                depths[after[n]] = (uint16_t)(depths[e->queue[begin]] + 1);
                e->queue[end++] = after[n];
            }
    }
}

static void multiple_chains(struct estimator *e)
{
    struct best best = {0};
    make_graph(e);
    make_arrows(e, 1, 1);
    size_t width = 2 * (size_t)e->count;
    if (!make_room((void **)&e->depths, &e->depths_room, (size_t)e->count * width,
                   sizeof *e->depths)) {
        e->is_left = 1;
        return;
    }
    for (int c = 0; c < e->count; c++)
        depths_from(e, 2 * c + 1, e->depths + (size_t)c * width);
    for (int number = 0; number < e->truth_count; number++) {
        const int16_t *truth = e->truths[number];
        int size = e->truth_size[number];
        if (size < 2 || e->beside_count[truth[0]] < 2)
            continue;
        for (size_t node = 0; node < width; node++) {
            int sum = 0;
            for (int n = 0; n < size; n++) {
                int depth = e->depths[(size_t)truth[n] * width + node];
                sum += depth;
                if (depth == 0) {
                    sum = 0;
                    break;
                }
            }
            if (sum)
                note_settled(e, &best, sum, (int)node);
        }
    }
    offer_best(e, &best, 8.0);
}

/* Nets: what a node implies, with all exclusions so far taken into account */

struct net {
    struct followed *followed;
    int has_cells;
    int holdings, holding_begin, others, other_begin;
};

/* Start the list of nodes that a node follows from; return 0 without memory. */
static uint32_t begin_list(struct estimator *e)
{
    size_t room = e->behind_room;
    if (e->behind_count + SIZE + 2 > room) {
        if (room >= MOST_BEHIND ||
            !make_room((void **)&e->behind, &room, room ? 2 * room : 1 << 16, sizeof *e->behind)) {
            e->is_left = 1;
            return 0;
        }
        e->behind_room = (uint32_t)room;
    }
    /* Index 0 means that there is no list. */
    if (e->behind_count == 0)
        e->behind_count = 1;
    e->behind[e->behind_count] = 0;
    return e->behind_count;
}

static void add_to_list(struct estimator *e, uint32_t list, int node)
{
    e->behind[list + 1 + (uint32_t)e->behind[list]++] = (int16_t)node;
}

/* Record that a node follows from the nodes of a list. */
static void reach(struct estimator *e, struct net *net, int node, uint32_t list)
{
    struct followed *found = net->followed;
    if (found->last || found->begin[node] || e->is_gone[node >> 1])
        return;
    e->behind_count = list + 1 + (uint32_t)e->behind[list];
    if (found->begin[node ^ 1]) {
        found->known = node ^ 1;
        found->last = list;
        return;
    }
    found->begin[node] = list;
    if (node & 1)
        e->holding[net->holdings++] = (int16_t)node;
    else
        e->others[net->others++] = (int16_t)node;
}

static void reach_from(struct estimator *e, struct net *net, int node, int from)
{
    uint32_t list = begin_list(e);
    if (!list)
        return;
    add_to_list(e, list, from);
    reach(e, net, node, list);
}

static void exclude(struct estimator *e, struct net *net, int node)
{
    int c = node >> 1;
    for (int n = 0; n < e->beside_count[c] && net->has_cells; n++)
        reach_from(e, net, 2 * e->beside[c][n], node);
    for (int n = 0; n < e->seen_count[c]; n++)
        reach_from(e, net, 2 * e->seen[c][n], node);
}

static void place(struct estimator *e, struct net *net, int node)
{
    int c = node >> 1;
    for (int t = net->has_cells ? 0 : 1; t < 4; t++) {
        const int16_t *truth = e->truths[e->truths_of[c][t]];
        int size = e->truth_size[e->truths_of[c][t]], left = -1, lefts = 0;
        for (int n = 0; n < size; n++)
            if (!e->is_gone[truth[n]] && truth[n] != c) {
                left = truth[n];
                lefts++;
            }
        if (lefts != 1)
            continue;
        uint32_t list = begin_list(e);
        if (!list)
            return;
        add_to_list(e, list, node);
        for (int n = 0; n < size; n++)
            if (e->is_gone[truth[n]])
                add_to_list(e, list, 2 * truth[n]);
        reach(e, net, 2 * left + 1, list);
    }
    e->is_gone[c] = 1;
}

static void follow(struct estimator *e, struct followed *found, int start, int has_cells)
{
    struct net net = {.followed = found, .has_cells = has_cells};
    memset(found->begin, 0, 2 * (size_t)e->count * sizeof *found->begin);
    memset(e->is_gone, 0, (size_t)e->count);
    found->last = 0;
    /* The first node follows from no other node. */
    uint32_t list = begin_list(e);
    if (!list)
        return;
    reach(e, &net, start, list);
    while (!found->last && !e->is_left) {
        if (net.holding_begin < net.holdings)
            exclude(e, &net, e->holding[net.holding_begin++]);
        else if (net.other_begin < net.others)
            place(e, &net, e->others[net.other_begin++]);
        else
            break;
    }
}

/* How many nodes the nodes of a list follow from, themselves included. */
static int count_behind(struct estimator *e, const struct followed *found, const int16_t *nodes,
                        int count)
{
    int waiting = 0, seen = 0;
    e->stamp++;
    for (int from = -1;; from = e->queue[--waiting]) {
        const int16_t *more = nodes;
        int number = count;
        if (from >= 0) {
            more = e->behind + found->begin[from] + 1;
            number = more[-1];
        }
        for (int n = 0; n < number; n++)
            if (e->stamps[more[n]] != e->stamp) {
                e->stamps[more[n]] = e->stamp;
                e->queue[waiting++] = more[n];
                seen++;
            }
        if (waiting == 0)
            return seen;
    }
}

static int count_contradiction(struct estimator *e, const struct followed *found)
{
    int16_t known = (int16_t)found->known;
    const int16_t *last = e->behind + found->last;
    return count_behind(e, found, &known, 1) + count_behind(e, found, last + 1, *last) + 1;
}

static void nishio(struct estimator *e)
{
    struct best best = {0};
    struct followed found;
    make_graph(e);
    if (!make_room((void **)&e->begins, &e->begins_room, 2 * (size_t)e->count,
                   sizeof *e->begins)) {
        e->is_left = 1;
        return;
    }
    found.begin = e->begins;
    for (int n = 0; n < 2 * e->count && !e->is_left; n++) {
        e->behind_count = 0;
        follow(e, &found, n ^ 1, 0);
        if (found.last)
            note_settled(e, &best, count_contradiction(e, &found), n);
    }
    offer_best(e, &best, 7.5);
}

/* Record what follows from all of some nodes, of which at least one is true. */
static void join_branches(struct estimator *e, const struct followed *all, const int16_t *starts,
                          int count, struct best *best)
{
    for (int16_t node = 0; node < 2 * e->count; node++) {
        int nodes = 0, is_common = 1;
        for (int n = 0; n < count && is_common; n++)
            is_common = all[starts[n]].begin[node] != 0;
        for (int n = 0; n < count && is_common; n++) {
            nodes += count_behind(e, &all[starts[n]], &node, 1);
            /* A longer argument would not be chosen. */
            is_common = is_beaten(best, nodes);
        }
        if (is_common)
            note_settled(e, best, nodes, node);
    }
}

static void dynamic_chains(struct estimator *e)
{
    struct best best = {0};
    make_graph(e);
    size_t width = 2 * (size_t)e->count;
    struct followed *all = malloc((width + 1) * sizeof *all);
    if (all == NULL || !make_room((void **)&e->begins, &e->begins_room, width * width,
                                  sizeof *e->begins)) {
        free(all);
        e->is_left = 1;
        return;
    }
    e->behind_count = 0;
    for (size_t n = 0; n < width && !e->is_left; n++) {
        struct followed *found = &all[n ^ 1];
        found->begin = e->begins + (n ^ 1) * width;
        follow(e, found, (int)(n ^ 1), 1);
        if (found->last)
            note_settled(e, &best, count_contradiction(e, found), (int)n);
    }
    for (int number = 0; number < e->truth_count && !e->is_left; number++) {
        int16_t starts[SIZE];
        for (int n = 0; n < e->truth_size[number]; n++)
            starts[n] = (int16_t)(2 * e->truths[number][n] + 1);
        if (e->truth_size[number] > 1)
            join_branches(e, all, starts, e->truth_size[number], &best);
    }
    for (int c = 0; c < e->count && !e->is_left; c++) {
        const int16_t starts[2] = {(int16_t)(2 * c + 1), (int16_t)(2 * c)};
        if (e->beside_count[c] > 1)
            join_branches(e, all, starts, 2, &best);
    }
    free(all);
    offer_best(e, &best, 8.5);
}

/* The solution path */

/* Search for moves of the next technique, by lowest number; return 0 after the last one. */
static int search(struct estimator *e, int technique)
{
    switch (technique) {
    case 0: hidden_singles(e); break;
    case 1: locked(e, 1, 1, 1.7), locked(e, 0, 1, 1.9); break;
    case 2: hidden_sets(e, 2, 2.0, 1); break;
    case 3: naked_singles(e); break;
    case 4: hidden_sets(e, 3, 2.5, 1); break;
    case 5: locked(e, 1, 0, 2.6), locked(e, 0, 0, 2.8); break;
    case 6: naked_sets(e, 2, 3.0); break;
    case 7: fish(e, 2, 3.2); break;
    case 8: hidden_sets(e, 2, 3.4, 0); break;
    case 9: naked_sets(e, 3, 3.6); break;
    case 10: fish(e, 3, 3.8); break;
    case 11: hidden_sets(e, 3, 4.0, 0); break;
    case 12: strong_links(e, 2); break;
    case 13: wings(e, 3); break;
    case 14: loops(e); break;
    case 15: naked_sets(e, 4, 5.0); break;
    case 16: fish(e, 4, 5.2); break;
    case 17: hidden_sets(e, 4, 5.4, 0); break;
    case 18: strong_links(e, 3); break;
    case 19: wings(e, 4); break;
    case 20: two_everywhere(e); break;
    case 21: strong_links(e, 4); break;
    case 22: wings(e, 5); break;
    case 23: wings(e, 6); break;
    case 24: forcing_chains(e); break;
    case 25: wings(e, 7); break;
    case 26: nishio(e); break;
    case 27: multiple_chains(e); break;
    case 28: dynamic_chains(e); break;
    default: return 0;
    }
    return 1;
}

/* Write ER, EP and ED in tenths, 0 if there is none; return 0 for a board that is left to
   Python. */
static int estimate(struct estimator *e, const uint8_t *givens, uint8_t *numbers)
{
    cells empty = 0;
    memset(numbers, 0, 3);
    e->is_left = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (givens[cell] > SIZE)
            return 0;
        if (givens[cell] == 0)
            empty |= bit(cell);
    }
    for (int digit = 0; digit < SIZE; digit++)
        e->places[digit] = empty;
    for (int cell = 0; cell < CELLS; cell++)
        if (givens[cell])
            e->places[givens[cell] - 1] &= ~e->peers[cell];
    read_sheet(e);
    int hardest = 0;
    while (e->empty) {
        e->found.number = 0;
        for (int n = 0; e->found.number == 0; n++)
            if (!search(e, n) || e->is_left)
                return !e->is_left;
        if (e->is_left)
            return 0;
        int tenths = (int)(10 * e->found.number + 0.5);
        hardest = tenths > hardest ? tenths : hardest;
        if (!numbers[2])
            numbers[2] = (uint8_t)hardest;
        if (!numbers[1] && e->found.cell >= 0)
            numbers[1] = (uint8_t)hardest;
        struct move move = e->found;
        make_move(e, &move);
    }
    numbers[0] = (uint8_t)hardest;
    return 1;
}

static size_t estimate_many(const uint8_t *puzzles, uint8_t *numbers, size_t count)
{
    enum { WORK_A_CALL = 2000 };
    size_t number = 0;
    struct estimator *e = calloc(1, sizeof *e);
    if (e == NULL)
        return 0;
    make_tables(e);
    for (; number < count && e->work < WORK_A_CALL; number++)
        if (!estimate(e, puzzles + number * CELLS, numbers + 3 * number))
            numbers[3 * number] = ESTIMATE_LEFT;
    free(e->depths);
    free(e->begins);
    free(e->behind);
    free(e);
    return number;
}

#else

/* Without integers of 128 bits all puzzles are left to Python. */
static size_t estimate_many(const uint8_t *puzzles, uint8_t *numbers, size_t count)
{
    (void)puzzles;
    memset(numbers, ESTIMATE_LEFT, 3 * count);
    return count;
}

#endif

/* Write ER, EP and ED of each puzzle, three bytes in tenths: 0 if harder steps are needed than are
   supported; 255 for a puzzle that is left to Python. Return how many were estimated: fewer than
   `count` after some milliseconds of work, or without memory. */
EXPORTED size_t estimate_find(const uint8_t *puzzles, size_t puzzles_size, uint8_t *numbers,
                              size_t numbers_size, size_t count)
{
    if (count > puzzles_size / CELLS || count > numbers_size / 3)
        return 0;
    return estimate_many(puzzles, numbers, count);
}

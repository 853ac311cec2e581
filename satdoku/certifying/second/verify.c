/* A second verifier of satdoku's certificates: one file that shares no code with satdoku.

       cc -O2 -std=c99 -o second verify.c
       ./second NAME.json NAME.cnf NAME.drat          # or NAME.lrat; for "multiple" NAME.json

   It exits with 0 if the certificate holds, and with 1 and a reason on stderr if not. If it holds,
   the grids in NAME.json keep the givens and the rules listed there, and all differ. For "none",
   "unique" and the claim "count" there is no further solution; for the claim "candidates" no
   further solution has a digit in a cell where none of these grids has it.
   1. Grids are judged by the definitions of the rules (sections 3 to 5).
   2. No solution falsifies a clause of the formula (section 8): for each clause one statement of a
      rule is found that no digits satisfy while the clause is false. All digits are tried.
   3. Each lemma of the proof follows from the clauses, and the last one is empty (section 9).
   To be trusted are this file, the C compiler and the machine; the reader has to check that
   sections 3 and 4 define the rules as docs/rules.md does. SHA-256 sums and file names in NAME.json
   are ignored (the command line names the files), as are "program", "encoding", "solver", and
   comments of the formula except the meanings of auxiliary variables.
   It refuses files not written as satdoku writes them, rules not in section 4, boards of more than
   30 digits, clauses that rest on two rules at once, and lemmas that need more than unit
   propagation. So a refused claim may be true, but an accepted one is. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- 1. Refusing, memory, lists, and the cursor ---------------------------------------------- */
static const char *certificate;   /* the path of NAME.json, as given */
static const char *source;        /* the file that is being read */
static long line;                 /* its current line, from 1; 0 for the whole file */
static const char *at;            /* the cursor: reading functions move it forward */
static const char *read_now = ""; /* the text that is being read */

/* Print a fault and its place, and exit: nothing after the first fault is checked. */
static void refuse(const char *format, ...) {
    va_list values;
    printf("%s: FAILED\n", certificate);
    fflush(stdout);
    fprintf(stderr, line > 0 ? "%s:%ld: " : "%s: ", source, line);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}
/* Return zeroed memory. It is freed when the program ends, after one certificate. */
static void *memory(size_t count, size_t size) {
    void *made = calloc(count + 1, size);
    if (made == NULL) refuse("there is not enough memory");
    return made;
}
static void *grown(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room) return items;
    *room = count < 8 ? 8 : 2 * count;
    items = realloc(items, *room * size);
    if (items == NULL) refuse("there is not enough memory");
    return items;
}

/* A list that grows: ADD(list, item), then list.at[0] to list.at[list.count - 1]. */
#define LIST(type) struct { type *at; size_t count, room; }
#define EACH(i, list) for (size_t i = 0; i < (list).count; i++)
#define IN_TABLE(i, table) for (size_t i = 0; i < sizeof table / sizeof *table; i++)
#define ADD(list, item)                                                                            \
    ((list).at = grown((list).at, (list).count, &(list).room, sizeof *(list).at),                  \
     (list).at[(list).count++] = (item))
typedef LIST(int) Ints;
#define ONE(item) ((Ints){(int[]){item}, 1, 1})
#define PART(list, first, end) ((Ints){(list).at + (first), (end) - (first), (end) - (first)})
static bool is_in(int item, Ints list) {
    EACH(i, list) if (list.at[i] == item) return true;
    return false;
}

/* Return the text of a file, which must contain no 0, with a 0 behind it. */
static char *read_file(const char *name) {
    LIST(char) text = {0};
    FILE *file = fopen(name, "rb");
    source = name, line = 0;
    if (file == NULL) refuse("this file cannot be read");
    for (int c; (c = getc(file)) != EOF; ADD(text, (char)c))
        if (c == 0) refuse("this file is not a text");
    fclose(file);
    ADD(text, 0);
    return text.at;
}
static bool take(const char *word) {
    bool is_there = strncmp(at, word, strlen(word)) == 0;
    at += is_there ? strlen(word) : 0;
    return is_there;
}

/* Refuse the current text unless it is written as in certificates. */
static void require(bool is_right) {
    if (!is_right) refuse("'%.60s' is not written as in certificates, or makes no sense", read_now);
}
static void need(const char *word) { require(take(word)); }
/* Read a whole number of at most nine digits, without leading zeros. */
static int read_number(void) {
    size_t sign = *at == '-', length = strspn(at + sign, "0123456789");
    require(length > 0 && length < 10 && (at[sign] != '0' || length + sign == 1));
    at += sign + length;
    return atoi(at - sign - length);
}
static int read_number_and(const char *sign) {
    int number = read_number();
    need(sign);
    return number;
}

/* ---- 2. The JSON of a certificate: texts, lists of texts, and objects of texts --------------- */
struct entry { const char *name, *text; };    /* a list or an object has several of the same name */
static LIST(struct entry) entries;
static const char *const texts[] = {          /* names of the entries whose value is a text */
    "kind", "box", "puzzle", "verdict", "claim", "program", "encoding", "solver"};
static bool take_sign(const char *sign) {
    at += strspn(at, " \t\r\n");
    bool is_there = take(sign);
    at += strspn(at, " \t\r\n");
    return is_there;
}
static const char *read_text(void) {
    char *text = memory(strcspn(at, "\n"), 1), *end = text;
    read_now = at;
    for (need("\""); *at != '"'; *end++ = *at++)
        require((unsigned char)*at >= ' ' && (*at != '\\' || strchr("\"\\/", *++at)) && *at);
    take_sign("\"");
    return text;
}
static void read_json(void) {
    require(take_sign("{"));
    do {
        size_t first = entries.count;
        struct entry entry = {read_text(), NULL};
        EACH(i, entries) require(strcmp(entries.at[i].name, entry.name) != 0);
        bool is_text = false, is_object = strcmp(entry.name, "files") == 0;
        IN_TABLE(i, texts) is_text |= strcmp(entry.name, texts[i]) == 0;
        bool is_full = is_text || strcmp(entry.name, "rules") == 0;
        require(is_full || is_object || strcmp(entry.name, "solutions") == 0);
        require(take_sign(":") && (is_text || take_sign(is_object ? "{" : "[")));
        while (*at != '}' && *at != ']' && !(is_text && entries.count > first)) {
            require(entries.count == first || take_sign(","));
            if (is_object) read_text(), require(take_sign(":"));
            entry.text = read_text();
            ADD(entries, entry);
        }
        require((is_text || take_sign(is_object ? "}" : "]")) && (entry.text || !is_full));
    } while (take_sign(","));
    require(take_sign("}") && *at == 0);
}
/* Return the text of an entry, the one at `place` if there are several; NULL if there is none. */
static const char *text_of(const char *name, int place) {
    EACH(i, entries)
        if (strcmp(entries.at[i].name, name) == 0 && place-- == 0) return entries.at[i].text;
    return NULL;
}

/* ---- 3. What rules say ------------------------------------------------------------------------

   Cells are counted from 0, row by row, digits from 1 to N. Rules are about numbers: the number of
   a digit is the digit itself, unless the rule `digits` lets them begin elsewhere, such as at 0.

   Each rule becomes statements of these kinds, the only ones for the rest of this file: which
   digits a cell may hold; which digits two cells may hold together, mostly no equal ones; which
   cells hold every digit; bounds on the sum of some cells, with a worth for each digit in each of
   them; a machine that reads the numbers of some cells one after the other. A sheet has the
   statements of some rules: `base` those of the puzzle; each choice of a rule `either` has a sheet
   of its own. */
#define MOST_DIGITS 30
typedef int Digits;                           /* bit d - 1 stands for digit d */
#define BIT(digit) (1 << ((digit) - 1))
#define ALL_DIGITS ((1 << N) - 1)
#define NUMBER(digit) ((digit) + lowest - 1)
#define EACH_DIGIT(digit) for (int digit = 1; digit <= N; digit++)
#define EACH_OF(digit, digits) EACH_DIGIT(digit) if ((digits) & BIT(digit))
#define EACH_CELL(cell) for (int cell = 0; cell < cell_count; cell++)
static int N, cell_count, box_rows, box_columns, lowest = 1;
static int *region_of;                        /* by cell; boxes if there are no regions */

/* Relations between the numbers a and b of two cells; n and m are numbers of the rule. */
enum relation {
    LESS, MORE, NOT_MORE, APART, DIFFERENCE, NO_DIFFERENCE, RATIO, NO_RATIO, SUM, NO_SUM,
    NOT_ONE_REMAINDER, NOT_ONE_THIRD, IF_THEN
};
static bool go_together(enum relation relation, int n, int m, int a, int b) {
    switch (relation) {
    case LESS: return a < b;
    case MORE: return a > b;
    case NOT_MORE: return a <= b;
    case APART: return abs(a - b) >= n;
    case DIFFERENCE: return abs(a - b) == n;
    case NO_DIFFERENCE: return abs(a - b) != n;
    case RATIO: return a == n * b || b == n * a;
    case NO_RATIO: return a != n * b && b != n * a;
    case SUM: return a + b == n;
    case NO_SUM: return a + b != n;
    case NOT_ONE_REMAINDER: return a % n != b % n;
    case NOT_ONE_THIRD: return (a - lowest) * 3 / N != (b - lowest) * 3 / N;
    case IF_THEN: return a != n || b == m;    /* if a is n, b is m */
    }
    return false;
}
struct pair { int other; const Digits *with; };   /* with[d - 1]: what goes with d in `other` */
/* Cells with the worth of each digit in each of them: worth[cell][d - 1]; NULL for other cells. */
struct table { Ints cells; const int **worth; const char *text; };
struct sum { const struct table *table; int low, high; struct memo *memo; };   /* low to high */
/* Cells whose numbers are read one after the other. Section 6 says how formulas name states (not
   those of the last kind). `names` has by number of cells read the named states there. */
enum machine_kind {
    BETWEEN, LOCKOUT, PARTS, SANDWICH, FIRST_SUM, SEEN, FIRST_HIDDEN, COUNTED,
    CONSECUTIVE
};
struct machine {
    enum machine_kind kind;
    Ints cells, *names;
    int number, **next;                       /* by place, state and digit, the state after it */
    char **lives;                             /* ... and whether a kept line may pass there */
    struct memo *memo;
};
struct sheet {
    Digits *may;                              /* of each cell */
    char *differ;                             /* by cell * cell_count + cell */
    LIST(struct pair) *pairs;                 /* of each cell */
    LIST(Ints) units;                         /* cells that hold every digit */
    LIST(struct sum) sums;
    LIST(struct machine *) machines;
};
struct either { int rule; LIST(struct sheet *) choices; };
static struct sheet *base;
static LIST(struct either) eithers;
static LIST(struct machine *) machines;       /* of all rules, in their order */
static struct sheet *new_sheet(void) {
    struct sheet *sheet = memory(1, sizeof *sheet);
    sheet->may = memory((size_t)cell_count, sizeof *sheet->may);
    sheet->differ = memory((size_t)cell_count * (size_t)cell_count, 1);
    sheet->pairs = memory((size_t)cell_count, sizeof *sheet->pairs);
    EACH_CELL(cell) sheet->may[cell] = ALL_DIGITS;
    return sheet;
}
static void say_differ(struct sheet *sheet, int one, int other) {
    sheet->differ[one * cell_count + other] = sheet->differ[other * cell_count + one] = 1;
}
static void say_unit(struct sheet *sheet, Ints cells) {
    EACH(i, cells) for (size_t j = 0; j < i; j++) say_differ(sheet, cells.at[i], cells.at[j]);
    if (cells.count == (size_t)N) ADD(sheet->units, cells);
}
static void say_pair(struct sheet *sheet, enum relation relation, int n, int m, int one,
                     int other) {
    Digits *there = memory((size_t)N, sizeof *there), *back = memory((size_t)N, sizeof *back);
    bool may_be_equal = false;
    EACH_DIGIT(a) EACH_DIGIT(b) if (go_together(relation, n, m, NUMBER(a), NUMBER(b))) {
        there[a - 1] |= BIT(b), back[b - 1] |= BIT(a);
        may_be_equal = may_be_equal || a == b;
    }
    if (!may_be_equal) say_differ(sheet, one, other);
    ADD(sheet->pairs[one], ((struct pair){other, there}));
    ADD(sheet->pairs[other], ((struct pair){one, back}));
}

/* Return a table with further cells; NULL is the table without cells. */
static struct table *add_cells(struct table *table, Ints cells, const int *worth) {
    if (table == NULL) {
        table = memory(1, sizeof *table);
        table->worth = memory((size_t)cell_count, sizeof *table->worth);
    }
    EACH(i, cells) {
        ADD(table->cells, cells.at[i]);
        table->worth[cells.at[i]] = worth;
    }
    return table;
}

/* Return worths: `factor` times the number (or 1) for these digits, 0 for all others. */
static const int *worths(Digits digits, bool by_number, int factor) {
    int *worth = memory((size_t)N, sizeof *worth);
    EACH_OF(digit, digits) worth[digit - 1] = factor * (by_number ? NUMBER(digit) : 1);
    return worth;
}
#define TIMES(factor) worths(ALL_DIGITS, true, factor)
static void say_sum(struct sheet *sheet, const struct table *table, int low, int high) {
    ADD(sheet->sums, ((struct sum){table, low, high, NULL}));
}

/* State that some cells have the same sum as others. */
static void say_equal(struct sheet *sheet, Ints cells, Ints others) {
    say_sum(sheet, add_cells(add_cells(NULL, cells, TIMES(1)), others, TIMES(-1)), 0, 0);
}

/* State that a machine accepts these cells. Formulas number machines by mention: each is listed. */
static void say_machine(struct sheet *sheet, enum machine_kind kind, int number, Ints cells) {
    struct machine *made = NULL;
    EACH(i, machines) {
        struct machine *old = machines.at[i];
        if (old->kind == kind && old->number == number && old->cells.count == cells.count
            && memcmp(old->cells.at, cells.at, cells.count * sizeof *cells.at) == 0) made = old;
    }
    if (made == NULL) {
        made = memory(1, sizeof *made);
        made->kind = kind, made->number = number, made->cells = cells;
        made->names = memory(cells.count + 1, sizeof *made->names);
    }
    ADD(sheet->machines, made);
    if (kind < CONSECUTIVE) ADD(machines, made);
    else say_unit(sheet, cells);
}

/* A machine reads the numbers of its cells from state 0 on. These two functions define the states
   of each kind; a state of several numbers has 10 bits for each. */
enum { DEAD = -1, FOUND = 1 << 29 };
#define PACK(a, b, c) ((a) | (b) << 10 | (c) << 20)
#define LESSER(a, b) ((a) < (b) ? (a) : (b))

/* Return the state after `number` at `place`; DEAD if the rule is broken by then. */
static int step(const struct machine *machine, int place, int state, int number) {
    int n = machine->number, last = (int)machine->cells.count - 1;
    int a = state & 1023, b = state >> 10 & 1023, c = state >> 20 & 1023;
    switch (machine->kind) {
    case BETWEEN:                  /* a: the first number; b and c: least and most after it */
        if (place == 0) return PACK(number, 1023, 0);
        if (place < last) return PACK(a, LESSER(number, b), number > c ? number : c);
        return (a < b && c < number) || (number < b && c < a) ? FOUND : DEAD;
    case LOCKOUT:                  /* a: the first number; b: 1 + the most below, c: least above */
        if (place == 0) return PACK(number, 0, 1023);
        if (place < last && number == a) return DEAD;
        if (place < last && number < a) return PACK(a, number >= b ? number + 1 : b, c);
        if (place < last) return PACK(a, b, LESSER(number, c));
        return abs(a - number) >= n && number >= b && number < c ? FOUND : DEAD;
    case PARTS:                    /* 0: only zeros so far; 1 + the sum of the unfinished part */
        return number == 0 ? state : (number += state - (state > 0)) > n ? DEAD : 1 + number % n;
    case SANDWICH:                 /* 0: before; 1 + the sum since the first end; FOUND: after */
        if (number == NUMBER(1) || number == NUMBER(N))
            return state == 0 ? 1 : state == n + 1 ? FOUND : DEAD;
        return state == 0 || state == FOUND ? state : state + number;
    case FIRST_SUM:                /* a: how many numbers count; the rest: their sum */
        if (place == 0) return number > last + 1 ? DEAD : number | number << 10;
        return place < a ? state + (number << 10) : state;
    case SEEN:                     /* a: the highest number; b: how many exceeded all before */
        return number > a ? PACK(number, b + 1, 0) : state;
    case FIRST_HIDDEN:             /* 1 + the highest number while they rise; FOUND */
        if (state == FOUND || number + 1 >= state) return state == FOUND ? FOUND : number + 1;
        return number == n ? FOUND : DEAD;
    case COUNTED:                  /* how often the number occurred */
        return state + (number == n);
    case CONSECUTIVE:              /* a and b: the least and the greatest number */
        return PACK(place > 0 ? LESSER(number, a) : number, number > b ? number : b, 0);
    }
    return DEAD;
}
/* Whether a machine may end in a state. */
static bool accepts(const struct machine *machine, int state) {
    int n = machine->number, count = (int)machine->cells.count;
    switch (machine->kind) {
    case BETWEEN: case LOCKOUT: case SANDWICH: case FIRST_HIDDEN: return state == FOUND;
    case PARTS: return state == 1;
    case FIRST_SUM: case SEEN: return state >> 10 == n;
    case COUNTED: return state == 0 || state == n;
    case CONSECUTIVE: return (state >> 10) - (state & 1023) == count - 1;
    }
    return false;
}

/* ---- 4. Rules as texts ---------------------------------------------------------------------- */
static int read_cell(void) {
    need("r");
    int row = read_number_and("c"), column = read_number();
    require(row >= 1 && row <= N && column >= 1 && column <= N);
    return (row - 1) * N + column - 1;
}

/* Read `r1c1,r1c2`, cells without repeats. */
static Ints read_cells(void) {
    Ints cells = {0};
    do {
        int cell = read_cell();
        require(!is_in(cell, cells));
        ADD(cells, cell);
    } while (take(","));
    return cells;
}
/* Read two cells and append them to a list. */
static void read_edge(Ints *edges) {
    Ints edge = read_cells();
    require(edge.count == 2);
    EACH(i, edge) ADD(*edges, edge.at[i]);
}

/* Read numbers separated by slashes, and return their digits. */
static Ints read_digits(void) {
    Ints digits = {0};
    do {
        int digit = read_number() - lowest + 1;
        require(digit >= 1 && digit <= N);
        ADD(digits, digit);
    } while (take("/"));
    return digits;
}

/* Read `row3`, `row3.left`, `col4` or `col4.up`, and return its cells in that direction. */
static Ints read_line(void) {
    Ints cells = {0};
    bool is_row = take("row") || (need("col"), false);
    int number = read_number() - 1, pace = take(is_row ? ".left" : ".up") ? -1 : 1;
    require(number >= 0 && number < N);
    for (int i = pace < 0 ? N - 1 : 0; i >= 0 && i < N; i += pace)
        ADD(cells, is_row ? number * N + i : i * N + number);
    return cells;
}

/* Functions from row and column (from 0) to the number of a unit; -1 for a cell in none. */
static int by_row(int row, int column) { return (void)column, row; }
static int by_column(int row, int column) { return (void)row, column; }
static int by_falling(int row, int column) { return row == column ? 0 : -1; }
static int by_rising(int row, int column) { return row + column == N - 1 ? 0 : -1; }
static int by_region(int row, int column) { return region_of[row * N + column]; }
static int by_box(int row, int column) { return row / box_rows * box_rows + column / box_columns; }
static int by_place_in_box(int row, int column) {
    return row % box_rows * box_columns + column % box_columns;
}
static int by_window(int row, int column) {   /* windows the size of boxes, with gaps between */
    int pace = box_rows + 1;
    require(box_rows == box_columns);
    return row % pace == 0 || column % pace == 0 ? -1 : row / pace * N + column / pace;
}
/* Return all cells in the unit of a cell. */
static Ints unit_at(int (*unit_of)(int row, int column), int cell) {
    Ints cells = {0};
    EACH_CELL(other)
        if (unit_of(other / N, other % N) == unit_of(cell / N, cell % N)) ADD(cells, other);
    return cells;
}
static void say_units(struct sheet *sheet, int (*unit_of)(int row, int column)) {
    EACH_CELL(cell) if (unit_of(cell / N, cell % N) >= 0 && unit_at(unit_of, cell).at[0] == cell)
            say_unit(sheet, unit_at(unit_of, cell));
}

/* State that any two cells n rows and m columns apart, or the reverse, differ. */
static void say_move(struct sheet *sheet, int n, int m) {
    EACH_CELL(one) EACH_CELL(other) {
        int rows = abs(one / N - other / N), columns = abs(one % N - other % N);
        bool is_move = (rows == n && columns == m) || (rows == m && columns == n);
        if (is_move && one != other) say_differ(sheet, one, other);
    }
}
static int steps_between(int one, int other) {
    return abs(one / N - other / N) + abs(one % N - other % N);
}

/* State a relation of any two cells that share a side, except the pairs listed in `marked`. */
static void say_beside(struct sheet *sheet, enum relation relation, int n, Ints marked) {
    EACH_CELL(one) for (int other = one + 1; other < cell_count; other++) {
        bool is_said = steps_between(one, other) == 1;
        for (size_t i = 0; i < marked.count; i += 2)
            is_said = is_said && (marked.at[i] != one || marked.at[i + 1] != other)
                   && (marked.at[i] != other || marked.at[i + 1] != one);
        if (is_said) say_pair(sheet, relation, n, 0, one, other);
    }
}

/* Read `white=r1c1,r1c2/black=r2c1,r2c2/all`: marks, and whether all possible marks are shown. */
static void read_marks(struct sheet *sheet, int first) {
    static const struct { const char *name; int n; enum relation shown, hidden; } kinds[] = {
        {"x", 10, SUM, NO_SUM}, {"v", 5, SUM, NO_SUM},
        {"white", 1, DIFFERENCE, NO_DIFFERENCE}, {"black", 2, RATIO, NO_RATIO}};
    bool is_all[4] = {false};
    Ints marked = {0};
    do {
        bool is_of_all = take("all"), is_of_both = is_of_all && !take("-");
        int kind = is_of_both || take(kinds[first].name) ? first : first + 1;
        if (kind > first) need(kinds[kind].name);
        is_all[kind] |= is_of_all, is_all[first + 1] |= is_of_both;
        if (is_of_all) continue;
        need("=");
        read_edge(&marked);
        say_pair(sheet, kinds[kind].shown, kinds[kind].n, 0, marked.at[marked.count - 2],
                 marked.at[marked.count - 1]);
    } while (take("/"));
    /* A pair of cells with a mark of either kind is exempt from both negative rules. */
    for (int kind = 0; kind < 4; kind++)
        if (is_all[kind]) say_beside(sheet, kinds[kind].hidden, kinds[kind].n, marked);
}

/* If `cell` (at `own_place` of `cells`) holds p, the p-th of `cells`, from 1, holds `number`. */
static void say_place(struct sheet *sheet, int cell, int own_place, int number, Ints cells) {
    require(number >= lowest && number <= NUMBER(N));
    EACH_DIGIT(digit) {
        int place = NUMBER(digit);
        if (place < 1 || place > N || (place == own_place && place != number))
            sheet->may[cell] &= ~BIT(digit);
        else if (place != own_place)
            say_pair(sheet, IF_THEN, place, number, cell, cells.at[place - 1]);
    }
}

/* Read a line with equal sums: of its parts, or of its cells from border to border of regions. */
static void read_region_sum(struct sheet *sheet) {
    Ints cells = read_cells(), part = {0}, before = {0};
    bool has_parts = *at == '/';
    EACH(i, cells) {
        ADD(part, cells.at[i]);
        bool is_last = i + 1 == cells.count;
        if (!is_last && (has_parts || region_of[cells.at[i]] == region_of[cells.at[i + 1]]))
            continue;
        EACH(j, part) require(!is_in(part.at[j], before));
        if (before.count > 0) say_equal(sheet, part, before);
        before = part, part = (Ints){0};
        if (is_last && take("/")) cells = read_cells(), i = (size_t)-1;
    }
}

/* Rules given by a table: by their units; by a relation of each cell on a line to cells up to
   `reach` behind it (0 for less than the rule's number); by a machine. */
static const struct { const char *name; int (*unit_of)(int row, int column); } unit_rules[] = {
    {"rows", by_row}, {"columns", by_column}, {"boxes", by_box}, {"regions", by_region},
    {"disjoint-groups", by_place_in_box}, {"windoku", by_window}, {"diagonals", by_rising},
    {"diagonals", by_falling}, {"diagonal:/", by_rising}, {"diagonal:\\", by_falling}};
static const struct { const char *name; enum relation relation; int reach; } line_rules[] = {
    {"thermo", LESS, 1}, {"greater", MORE, 1}, {"slow-thermo", NOT_MORE, 1}, {"whispers", APART, 1},
    {"difference", DIFFERENCE, 1}, {"ratio", RATIO, 1}, {"pair-sum", SUM, 1},
    {"entropic", NOT_ONE_THIRD, 2}, {"modular", NOT_ONE_REMAINDER, 0}, {"nabner", APART, 99}};
static const struct { const char *name; enum machine_kind kind; } machine_rules[] = {
    {"between", BETWEEN}, {"lockout", LOCKOUT}, {"sum-line", PARTS}, {"sandwich", SANDWICH},
    {"x-sum", FIRST_SUM}, {"skyscraper", SEEN}, {"hidden-skyscraper", FIRST_HIDDEN},
    {"renban", CONSECUTIVE}};

/* The forms of arguments, with their rules: n is a number, m one above 0, c cells, x a cell that
   stands for four, l a line, d digits; ? an `n=` that may be missing; * text read later. */
static const char *const forms[][2] = {
    {"", " rows columns boxes disjoint-groups windoku diagonals anti-knight anti-king "
         "non-consecutive "},
    {"c", " extra-region odd even minimum maximum row-indexer column-indexer box-indexer greater "
          "counting-circles thermo slow-thermo renban nabner palindrome entropic "
          "between zipper double-arrow "},
    {"m=c", " difference ratio pair-sum whispers modular lockout sum-line "}, {"?n=c", " killer "},
    {"c=c", " arrow clone same-digits "}, {"d=c", " contain contain-exact "},
    {"d=x", " quadruple "}, {"l=n", " sandwich x-sum skyscraper hidden-skyscraper numbered-room "},
    {"n,n", " anti-move "}, {"n=*", " sum "}, {"n*", " no-difference no-ratio no-sum "},
    {"*", " regions digits diagonal candidates kropki xv little-killer region-sum "}};

/* Make the statements of a rule, which docs/rules.md defines in words. */
static void read_rule(struct sheet *sheet, const char *text) {
    const char *form = NULL;
    size_t length = strcspn(text, ":");
    char *name = memory(length + 2, 1);       /* with blanks around, as in `forms` */
    Ints numbers = {0}, cells = {0}, others = {0}, digits = {0};
    struct table *table = NULL;
    sprintf(name, " %.*s ", (int)length, text);
    read_now = text, at = text + length + (text[length] == ':');
#define IS(rule) (strncmp(name + 1, rule, length) == 0 && rule[length] == 0)
    require(strcspn(text, " ") >= length);
    IN_TABLE(i, forms) form = strstr(forms[i][1], name) ? forms[i][0] : form;
    if (form == NULL) refuse("the rule%sis not known to this program", name);
    require((*form != 0) == (text[length] == ':'));
    for (; *form && *form != '*'; form++) {
        if (*form == '?') form += *at == 'r' ? 3 : 1;
        if (*form == 'n' || *form == 'm') ADD(numbers, read_number());
        else if (*form == 'c' && cells.count > 0) others = read_cells();
        else if (*form == 'c') cells = read_cells();
        else if (*form == 'x') {              /* the upper left one of four cells */
            int cell = read_cell();
            require(cell / N < N - 1 && cell % N < N - 1);
            for (int i = 0; i < 4; i++) ADD(cells, cell + i / 2 * N + i % 2);
        }
        else if (*form == 'l') cells = read_line();
        else if (*form == 'd') digits = read_digits();
        else need((char[]){*form, 0});
        require(*form != 'm' || numbers.at[0] > 0);
    }
    int n = IS("nabner") ? 2 : numbers.count > 0 ? numbers.at[0] : 0, count = (int)cells.count;
    require(abs(n) <= 1000000 && (count > 2 || !(IS("between") || IS("lockout") || IS("zipper")
                                                 || IS("double-arrow"))));
    require(N % 3 == 0 || !IS("entropic"));
    IN_TABLE(i, unit_rules) if (IS(unit_rules[i].name) || strcmp(text, unit_rules[i].name) == 0) {
            require(unit_rules[i].unit_of != by_region || sheet == base);
            say_units(sheet, unit_rules[i].unit_of);
            if (*form == '*') at += strlen(at);   /* the letters of regions were read before */
        }
    IN_TABLE(i, line_rules) {
        int reach = line_rules[i].reach ? line_rules[i].reach : n - 1;
        for (int j = 0; j < count && IS(line_rules[i].name); j++)
            for (int k = j + 1; k < count && k <= j + reach; k++)
                say_pair(sheet, line_rules[i].relation, n, 0, cells.at[j], cells.at[k]);
    }
    IN_TABLE(i, machine_rules)
        if (IS(machine_rules[i].name)) say_machine(sheet, machine_rules[i].kind, n, cells);
    if (IS("counting-circles")) EACH_DIGIT(digit) say_machine(sheet, COUNTED, NUMBER(digit), cells);
    if (IS("extra-region") || IS("killer")) say_unit(sheet, cells);
    if (IS("anti-knight")) say_move(sheet, 1, 2);
    if (IS("anti-king")) say_move(sheet, 0, 1), say_move(sheet, 1, 1);
    if (IS("anti-move")) require(n >= 0 && numbers.at[1] >= 0), say_move(sheet, n, numbers.at[1]);
    if (IS("non-consecutive")) say_beside(sheet, NO_DIFFERENCE, 1, others);
    if (IS("no-difference") || IS("no-ratio") || IS("no-sum")) {
        while (take("/")) read_edge(&others);
        say_beside(sheet, IS("no-sum") ? NO_SUM : IS("no-ratio") ? NO_RATIO : NO_DIFFERENCE, n,
                   others);
    }
    if (IS("kropki") || IS("xv")) read_marks(sheet, IS("xv") ? 0 : 2);
    if (IS("odd") || IS("even")) EACH(i, cells) EACH_DIGIT(digit)
            if (NUMBER(digit) % 2 != IS("odd")) sheet->may[cells.at[i]] &= ~BIT(digit);
    if (IS("candidates")) do {                /* r1c1=1/2,r3c4=3 */
        Digits listed = 0;
        int cell = read_cell();
        need("=");
        digits = read_digits();
        EACH(i, digits) listed |= BIT(digits.at[i]);
        sheet->may[cell] &= listed;
    } while (take(","));
    if (IS("minimum") || IS("maximum")) EACH(i, cells) EACH_CELL(other)
            if (steps_between(cells.at[i], other) == 1 && !is_in(other, cells))
                say_pair(sheet, LESS, 0, 0, IS("minimum") ? cells.at[i] : other,
                         IS("minimum") ? other : cells.at[i]);
    if (IS("row-indexer") || IS("column-indexer") || IS("box-indexer"))
        EACH(i, cells) {                      /* places of a row indexer count rows of its column */
            others = unit_at(IS("row-indexer") ? by_column : IS("box-indexer") ? by_box : by_row,
                             cells.at[i]);
            for (n = 1; others.at[n - 1] != cells.at[i];) n++;
            say_place(sheet, cells.at[i], n, n, others);
        }
    if (IS("numbered-room")) say_place(sheet, cells.at[0], 1, n, cells);
    if (IS("quadruple") || IS("contain") || IS("contain-exact")) {
        require(count > 0);
        EACH_DIGIT(digit) {                   /* each digit at least as often as it is listed */
            int often = 0;
            EACH(i, digits) often += digits.at[i] == digit;
            struct table *held = add_cells(NULL, cells, worths(BIT(digit), false, 1));
            if (often > 0) say_sum(sheet, held, often, IS("contain-exact") ? often : count);
        }
    }
    if (IS("sum")) do {                       /* 6=r1c1,-r2c2,2*r3c3 */
        int sign = take("-") ? -1 : 1, factor = *at == 'r' ? 1 : read_number_and("*");
        int cell = read_cell();
        require((!table || !table->worth[cell]) && factor >= 0 && factor <= 9999);
        table = add_cells(table, ONE(cell), TIMES(sign * factor));
    } while (take(","));
    if (IS("arrow")) {                        /* the circle, or the pill read as one number */
        table = add_cells(NULL, others, TIMES(-1));
        for (int i = count - 1, factor = 1; i >= 0; i--, factor *= 10) {
            require(count <= 3 && !is_in(cells.at[i], others));
            add_cells(table, ONE(cells.at[i]), TIMES(factor));
        }
    }
    if (IS("little-killer")) {                /* r1c2.dr=7 */
        int start = read_cell(), down = take(".d") ? 1 : (need(".u"), -1);
        int right = take("r") ? 1 : (need("l"), -1), row = start / N, column = start % N;
        for (; row >= 0 && row < N && column >= 0 && column < N; row += down, column += right)
            ADD(cells, row * N + column);
        need("=");
        n = read_number();
    }
    if (IS("little-killer") || (IS("killer") && numbers.count > 0))
        table = add_cells(NULL, cells, TIMES(1));
    if (table) say_sum(sheet, table, n, n);
    if (IS("clone") || IS("same-digits")) require(cells.count == others.count);
    EACH(i, cells) {
        require(!IS("clone") || cells.at[i] != others.at[i]);
        require(!IS("same-digits") || !is_in(cells.at[i], others));
        if (IS("clone")) say_pair(sheet, DIFFERENCE, 0, 0, cells.at[i], others.at[i]);
        if (IS("palindrome") && i < cells.count / 2)
            say_pair(sheet, DIFFERENCE, 0, 0, cells.at[i], cells.at[cells.count - 1 - i]);
    }
    if (IS("same-digits")) EACH_DIGIT(digit) {
        table = add_cells(NULL, cells, worths(BIT(digit), false, 1));
        say_sum(sheet, add_cells(table, others, worths(BIT(digit), false, -1)), 0, 0);
    }
    if (IS("region-sum")) read_region_sum(sheet);
    /* Zipper: cells at equal distance sum to the middle. Double arrow: ends sum to the rest. */
    for (size_t i = 0, middle = (cells.count - 1) / 2; i < middle; i++) {
        bool is_zipper = IS("zipper");
        if (!is_zipper && (!IS("double-arrow") || i > 0)) break;
        int ends[] = {cells.at[i], cells.at[cells.count - 1 - i]};
        say_equal(sheet, (Ints){ends, 2, 2}, is_zipper ? PART(cells, middle, cells.count / 2 + 1)
                                                       : PART(cells, 1, cells.count - 1));
    }
    if (IS("digits")) require(sheet == base), at += strlen(at);   /* read already */
    require(*at == 0);
}

/* Read `RULE&RULE|RULE`, and make a sheet for each choice. */
static void read_either(int rule) {
    struct either either = {rule, {0}};
    do {
        struct sheet *choice = new_sheet();
        do {
            size_t length = strcspn(at, "|&");
            const char *behind = at + length;
            read_rule(choice, memcpy(memory(length, 1), at, length));
            at = behind;
        } while (take("&"));
        ADD(either.choices, choice);
    } while (take("|"));
    require(*at == 0);
    ADD(eithers, either);
}

/* ---- 5. Grids ------------------------------------------------------------------------------- */
static int *given;                            /* the given digit of each cell, or 0 */
static LIST(const int *) solutions;           /* the grids of the certificate */

/* Read a grid: digits up to 9x9 are one character each, others separated by blanks; . is empty. */
static int *read_grid(const char *text, bool is_full) {
    int *digits = memory((size_t)cell_count, sizeof *digits);
    read_now = text;
    EACH_CELL(cell) {
        char sign[2] = {*text, 0};
        at = N < 10 ? sign : text;
        if (N > 9 && cell > 0) need(" ");
        if (is_full || !take(".")) require((digits[cell] = read_number()) > 0 && digits[cell] <= N);
        text = N < 10 ? text + 1 : at;
    }
    require(*text == 0);
    return digits;
}

/* Whether a full grid satisfies all statements of a sheet. */
static bool keeps(const struct sheet *sheet, const int *grid) {
    EACH_CELL(one) {
        if (!(sheet->may[one] & BIT(grid[one]))) return false;
        EACH_CELL(other)
            if (grid[one] == grid[other] && sheet->differ[one * cell_count + other]) return false;
        EACH(i, sheet->pairs[one]) {
            struct pair pair = sheet->pairs[one].at[i];
            if (!(pair.with[grid[one] - 1] & BIT(grid[pair.other]))) return false;
        }
    }
    EACH(i, sheet->sums) {
        struct sum sum = sheet->sums.at[i];
        long total = 0;
        EACH_CELL(cell)
            total += sum.table->worth[cell] ? sum.table->worth[cell][grid[cell] - 1] : 0;
        if (total < sum.low || total > sum.high) return false;
    }
    EACH(i, sheet->machines) {
        const struct machine *machine = sheet->machines.at[i];
        int state = 0;
        for (size_t j = 0; j < machine->cells.count && state != DEAD; j++)
            state = step(machine, (int)j, state, NUMBER(grid[machine->cells.at[j]]));
        if (state == DEAD || !accepts(machine, state)) return false;
    }
    return true;
}

/* Read a solution and judge it; it must differ from those before. */
static void read_solution(const char *text) {
    int *grid = read_grid(text, true);
    EACH_CELL(cell) if (given[cell] && given[cell] != grid[cell])
            refuse("its solution does not have the given of r%dc%d", cell / N + 1, cell % N + 1);
    if (!keeps(base, grid)) refuse("its solution breaks a rule");
    EACH(i, eithers) {
        bool is_kept = false;
        EACH(j, eithers.at[i].choices) is_kept |= keeps(eithers.at[i].choices.at[j], grid);
        if (!is_kept) refuse("its solution keeps no choice of rule %d", eithers.at[i].rule);
    }
    EACH(i, solutions) require(memcmp(solutions.at[i], grid, (size_t)cell_count * sizeof *grid));
    ADD(solutions, grid);
}

/* Whether one of the solutions has the digit of a candidate variable in its cell. */
static bool occurs(int variable) {
    int cell = (variable - 1) / N;
    EACH(i, solutions) if (cell * N + solutions.at[i][cell] == variable) return true;
    return false;
}

/* ---- 6. What variables mean -------------------------------------------------------------------

   Variable cell * N + digit, up to N * N * N, says that the cell holds the digit. Higher variables
   are auxiliaries, and comments of the formula give their meanings:

       c aux 730-732 worth 5,6,8 of r1c1,r1c2*1,2,3,4 r2c2*0,0,1,0    so much or more together
       c aux 733-735 state 0,1,2 behind 4 of machine 3
       c aux 736-737 choice 1,2 of rule 5                             this choice is kept

   Any grid makes the first and the last kind true or false. A state is defined by clauses of the
   formula: a clause "in state 0 behind 3 cells, and with 1 or 2 in the fourth, the machine is in
   state 2 behind 4" is taken as a definition of state 2. Section 8 compares all clauses with the
   rule, these included. */
enum kind { NOTHING, WORTH, STATE, CHOICE };
struct meaning {
    enum kind kind;
    int value, behind;             /* WORTH: the table sums to this or more */
    const struct table *table;
    struct machine *machine;       /* STATE: `value` is the place, from 1, of the state's name */
    struct either *either;         /* CHOICE: of its choices the one at place `value` */
};
static LIST(struct meaning) meanings;         /* by variable; NOTHING for candidates */
static LIST(const struct table *) known_tables;

/* Read `r1c1,r1c2*1,2,3,4 r2c2*0,0,1,0`, with cells in order. Equal texts share a table. */
static const struct table *read_table(void) {
    int last = -1;
    const char *text = at;
    struct table *table = NULL;
    EACH(i, known_tables)
        if (strcmp(known_tables.at[i]->text, text) == 0)
            return at += strlen(at), known_tables.at[i];
    do {
        Ints cells = read_cells();
        int *worth = memory((size_t)N, sizeof *worth);
        EACH_DIGIT(digit) {
            need(digit == 1 ? "*" : ",");
            worth[digit - 1] = read_number();
            require(abs(worth[digit - 1]) <= 1000000);
        }
        EACH(i, cells) {
            require(cells.at[i] > last);
            last = cells.at[i];
        }
        table = add_cells(table, cells, worth);
    } while (take(" "));
    table->text = text;
    ADD(known_tables, table);
    return table;
}

/* Read the meanings of some auxiliaries: the comment after `c aux `. */
static void read_meaning(const char *text) {
    struct meaning meaning = {NOTHING, 0, 0, NULL, NULL, NULL};
    Ints values = {0};
    read_now = at = text;
    int first = read_number(), last = take("-") ? read_number() : first;
    require((size_t)first == meanings.count && last >= first);   /* so none has two meanings */
    meaning.kind = take(" worth ") ? WORTH : take(" state ") ? STATE : (need(" choice "), CHOICE);
    do ADD(values, read_number()); while (take(","));
    require(values.count == (size_t)(last - first) + 1);
    if (meaning.kind == WORTH) {
        need(" of ");
        meaning.table = read_table();
    } else if (meaning.kind == STATE) {
        need(" behind ");
        meaning.behind = read_number_and(" of machine ");
        size_t number = (size_t)read_number() - 1;
        require(number < machines.count);
        meaning.machine = machines.at[number];
        require(meaning.behind >= 1 && (size_t)meaning.behind <= meaning.machine->cells.count);
    } else {
        need(" of rule ");
        int number = read_number();
        EACH(i, eithers) if (eithers.at[i].rule == number) meaning.either = &eithers.at[i];
        require(meaning.either != NULL);
    }
    require(*at == 0);
    EACH(i, values) {
        int value = meaning.value = values.at[i] - (meaning.kind == CHOICE);
        if (meaning.kind == STATE) {
            Ints *names = &meaning.machine->names[meaning.behind];
            if (!is_in(value, *names)) ADD(*names, value);
            for (meaning.value = 1; names->at[meaning.value - 1] != value;) meaning.value++;
        } else if (meaning.kind == CHOICE) {
            require(value >= 0 && (size_t)value < meaning.either->choices.count);
            EACH(j, meanings)                 /* no choice has two variables, which are counted */
                require(meanings.at[j].either != meaning.either || meanings.at[j].value != value);
        }
        ADD(meanings, meaning);
    }
}

/* ---- 7. The formula ------------------------------------------------------------------------- */
static Ints literals;                         /* of all clauses, each followed by 0 */
static LIST(size_t) clauses;                  /* the offset of each in `literals` */
static long first_line;                       /* the line of the first clause */
static int variables;
static char *rest;                            /* the unread rest of the file */

/* Return the next line without its end, and set the cursor to it; NULL after the last line. */
static const char *next_line(void) {
    char *end = strchr(rest, '\n');
    read_now = at = rest, line++;
    if (*rest == 0) return NULL;
    if (end == NULL) refuse("the last line has no end");
    *end = 0, rest = end + 1;
    return at;
}

/* Read literals separated by single blanks up to a 0 at the end of the line. With `has_hints`,
   hints follow: any number of numbers, and another 0. */
static void read_literals(Ints *found, bool has_hints) {
    int literal;
    do {
        literal = read_number();
        require(abs(literal) <= variables);
        if (literal != 0 || has_hints) need(" ");
        ADD(*found, literal);
    } while (literal != 0);
    while (has_hints && (literal = read_number()) != 0) require(literal > 0 && take(" "));
    require(*at == 0);
}
static int longer_first(const void *one, const void *other) {
    const struct table *const *a = one, *const *b = other;
    return (*a)->cells.count < (*b)->cells.count ? 1 : -((*a)->cells.count > (*b)->cells.count);
}
static void read_formula(const char *name) {
    rest = read_file(name);
    for (int i = 0; i <= cell_count * N; i++) ADD(meanings, (struct meaning){0});
    while (next_line() != NULL && *at == 'c') if (take("c aux ")) read_meaning(at);
    need("p cnf ");
    variables = read_number_and(" ");
    size_t promised = (size_t)read_number();
    require(*at == 0 && (size_t)variables + 1 == meanings.count);
    for (first_line = line + 1; next_line() != NULL; read_literals(&literals, false))
        ADD(clauses, literals.count);
    if (clauses.count != promised) refuse("the header promises %ld clauses", (long)promised);
    if (known_tables.count > 0)
        qsort(known_tables.at, known_tables.count, sizeof *known_tables.at, longer_first);
}

/* ---- 8. Why a clause holds --------------------------------------------------------------------

   A clause holds if no solution of the puzzle breaks it. A grid that breaks it makes each of its
   literals false, and `broken` has what follows for the grid. The clause is accepted if one
   statement of section 3, together with the digits that the givens leave to cells and with the
   cells that differ, allows no such grid. If the clause denies a choice, the grid keeps that
   choice, so the statements of its sheet may be used, too; other choices imply nothing. */

enum { MOST_CLAIMS = 32, MOST_SHEETS = 8 };
struct claim { const struct table *table; int low, high; };   /* bounds on a sum */
static struct {
    const struct sheet *sheets[MOST_SHEETS];  /* statements to use: the puzzle's, and of choices */
    struct claim claims[MOST_CLAIMS];
    int sheet_count, claim_count;
    Digits *left;                             /* by cell, after literals about one cell */
    Ints cells, states, offers;               /* those cells; literals about states, choices */
} broken;
static Digits *open_digits;                   /* by cell, the digits that the givens leave */

#define EACH_SHEET(sheet, i)                                                                       \
    for (int i = 0; i < broken.sheet_count; i++)                                                   \
        for (const struct sheet *sheet = broken.sheets[i]; sheet != NULL; sheet = NULL)
static Digits digits_left(int cell) {
    Digits left = open_digits[cell] & broken.left[cell];
    EACH_SHEET(sheet, i) left &= sheet->may[cell];
    return left;
}

/* Whether two cells may hold these digits together. */
static bool may_hold(int one, int digit, int other, int other_digit) {
    EACH_SHEET(sheet, i) {
        if (digit == other_digit && sheet->differ[one * cell_count + other]) return false;
        EACH(j, sheet->pairs[one])
            if (sheet->pairs[one].at[j].other == other
                && !(sheet->pairs[one].at[j].with[digit - 1] & BIT(other_digit))) return false;
    }
    return true;
}
static void find_open_digits(void) {
    broken.sheets[0] = base, broken.sheet_count = 1;
    broken.left = memory((size_t)cell_count, sizeof *broken.left);
    open_digits = memory((size_t)cell_count, sizeof *open_digits);
    EACH_CELL(cell) {
        broken.left[cell] = ALL_DIGITS;
        open_digits[cell] = given[cell] ? BIT(given[cell]) : ALL_DIGITS;
        EACH_CELL(other) EACH_DIGIT(digit)
            if (given[other] && other != cell && !may_hold(other, given[other], cell, digit))
                open_digits[cell] &= ~BIT(digit);
    }
}

/* Fill `broken`; return false if the clause is too large for it, and so is not accepted. */
static bool break_clause(const int *clause) {
    EACH(i, broken.cells) broken.left[broken.cells.at[i]] = ALL_DIGITS;
    broken.cells.count = broken.states.count = broken.offers.count = 0;
    broken.claim_count = 0, broken.sheet_count = 1;
    for (; *clause != 0; clause++) {
        int variable = abs(*clause), cell = (variable - 1) / N;
        const struct meaning *meaning = &meanings.at[variable];
        const struct table *table = meaning->table;
        Digits digits = 0;                    /* the variable says: the cell has one of them */
        if (meaning->kind == NOTHING) {
            digits = BIT((variable - 1) % N + 1);
        } else if (meaning->kind == WORTH && table->cells.count == 1) {
            cell = table->cells.at[0];
            EACH_DIGIT(digit)
                if (table->worth[cell][digit - 1] >= meaning->value) digits |= BIT(digit);
        } else if (meaning->kind == WORTH) {
            int i = 0, value = meaning->value;
            while (i < broken.claim_count && broken.claims[i].table != table) i++;
            if (i == MOST_CLAIMS) return false;
            struct claim *claim = &broken.claims[i];
            if (i == broken.claim_count) *claim = (struct claim){table, INT32_MIN, INT32_MAX};
            if (i == broken.claim_count) broken.claim_count++;
            if (*clause < 0 && claim->low < value) claim->low = value;
            if (*clause > 0 && claim->high >= value) claim->high = value - 1;
            continue;
        } else if (meaning->kind == STATE || *clause > 0) {
            Ints *list = meaning->kind == STATE ? &broken.states : &broken.offers;
            if (!is_in(*clause, *list)) ADD(*list, *clause);
            continue;
        } else {
            if (broken.sheet_count == MOST_SHEETS) return false;
            broken.sheets[broken.sheet_count++] = meaning->either->choices.at[meaning->value];
            continue;
        }
        if (!is_in(cell, broken.cells)) ADD(broken.cells, cell);
        broken.left[cell] &= *clause < 0 ? digits : ~digits;
    }
    return true;
}

/* Whether a cell has no digit left, or two cells no compatible digits, or a unit that holds every
   digit has no place for one of them. */
static bool leaves_no_digit(void) {
    EACH(i, broken.cells) {
        int one = broken.cells.at[i];
        if (digits_left(one) == 0) return true;
        for (size_t j = 0; j < i; j++) {
            int other = broken.cells.at[j];
            bool is_possible = false;
            EACH_OF(a, digits_left(one)) EACH_OF(b, digits_left(other))
                is_possible = is_possible || may_hold(one, a, other, b);
            if (!is_possible) return true;
        }
    }
    EACH_SHEET(sheet, i) EACH(j, sheet->units) {
        bool is_meant = broken.cells.count > 0 && is_in(broken.cells.at[0], sheet->units.at[j]);
        Digits left = is_meant ? 0 : ALL_DIGITS;
        for (int k = 0; k < N && left != ALL_DIGITS; k++)
            left |= digits_left(sheet->units.at[j].at[k]);
        if (left != ALL_DIGITS) return true;
    }
    return false;
}

/* A set of rows of `width` integers. */
struct rows { size_t width, count, room, slot_count; int *at; size_t *slots; };

/* Return the place of a row. If it is missing, add it, or (not `is_added`) return -1. */
static long place_of(struct rows *rows, const int *row, bool is_added) {
    size_t hash = 0, size = rows->width * sizeof *row;
    if (2 * rows->count >= rows->slot_count) {
        size_t count = rows->count;
        free(rows->slots);
        rows->slot_count = 4 * count + 16, rows->count = 0;
        rows->slots = memory(rows->slot_count, sizeof *rows->slots);
        while (rows->count < count) place_of(rows, rows->at + rows->count * rows->width, true);
    }
    for (size_t i = 0; i < rows->width; i++)
        hash = (hash ^ (size_t)(unsigned)row[i]) * 0x9e3779b1u, hash ^= hash >> 15;
    size_t slot = hash % rows->slot_count;
    for (; rows->slots[slot] != 0; slot = (slot + 1) % rows->slot_count)
        if (memcmp(rows->at + (rows->slots[slot] - 1) * rows->width, row, size) == 0)
            return (long)rows->slots[slot] - 1;
    if (!is_added) return -1;
    while ((rows->count + 1) * rows->width > rows->room)
        rows->at = grown(rows->at, rows->room, &rows->room, sizeof *rows->at);
    memmove(rows->at + rows->count * rows->width, row, size);
    rows->slots[slot] = ++rows->count;
    return (long)rows->count - 1;
}
static void replace_rows(struct rows *rows, struct rows by) {
    free(rows->at);
    free(rows->slots);
    *rows = by;
}

/* Extend rows by the cell at `place` of a group. A row has the digits used so far, a state, and the
   sum of each table. In a group of several cells no digit is used twice; a machine, if any, reads
   the group. */
static void add_cell(struct rows *rows, Ints group, size_t place, const struct table **tables,
                     const struct machine *machine) {
    int row[MOST_CLAIMS + 3], cell = group.at[place];
    struct rows next = {rows->width, 0, 0, 0, NULL, NULL};
    for (size_t i = 0; i < rows->count; i++)
        EACH_OF(digit, digits_left(cell) & ~rows->at[i * rows->width]) {
            memcpy(row, rows->at + i * rows->width, rows->width * sizeof *row);
            row[0] |= group.count > 1 ? BIT(digit) : 0;
            row[1] = machine ? step(machine, (int)place, row[1], NUMBER(digit)) : 0;
            for (size_t j = 2; j < rows->width; j++)
                row[j] += tables[j - 2]->worth[cell] ? tables[j - 2]->worth[cell][digit - 1] : 0;
            if (row[1] != DEAD) place_of(&next, row, true);
        }
    replace_rows(rows, next);
}

/* Replace rows by all sums of a row and a row of a group that the machine, if any, accepts. */
static void add_group(struct rows *rows, struct rows *group, const struct machine *machine) {
    int sum[MOST_CLAIMS + 3] = {0};
    struct rows next = {rows->width, 0, 0, 0, NULL, NULL}, worths = next;
    for (size_t i = 0; i < group->count; i++) {
        int *row = group->at + i * rows->width;
        if (machine && !accepts(machine, row[1])) continue;
        row[0] = row[1] = 0;
        place_of(&worths, row, true);
    }
    for (size_t i = 0; i < worths.count * rows->count; i++) {
        const int *one = rows->at + i % rows->count * rows->width;
        const int *other = worths.at + i / rows->count * rows->width;
        for (size_t j = 2; j < rows->width; j++) sum[j] = one[j] + other[j];
        place_of(&next, sum, true);
    }
    replace_rows(group, worths);
    replace_rows(rows, next);
}

/* Find combinations of sums of some tables, and perhaps more than are possible. Each cell is taken
   once, in a group of cells that all differ: those that a machine reads; then those that comments
   of the formula name together, since clauses mostly rest on these; then each cell alone. */
static void find_worths(struct rows *rows, const struct table **tables, int count,
                        const struct machine *machine) {
    static const int zeros[MOST_CLAIMS + 3];
    const struct rows none = {(size_t)count + 2, 0, 0, 0, NULL, NULL};
    int named = count + (int)known_tables.count;
    char *waits = memory((size_t)cell_count, 1);
    replace_rows(rows, none);
    place_of(rows, zeros, true);
    for (int i = 0; i < count; i++) EACH(j, tables[i]->cells) waits[tables[i]->cells.at[j]] = 1;
    for (int i = machine ? -1 : 0; i < named + cell_count; i++) {
        Ints cells = i < 0 ? machine->cells : i < count ? tables[i]->cells
                   : i < named ? known_tables.at[i - count]->cells : ONE(i - named);
        bool is_group = true;
        EACH(j, cells) {
            is_group &= i < 0 || waits[cells.at[j]];
            for (size_t k = 0; k < j && is_group; k++) {
                int two = cells.at[j] * cell_count + cells.at[k];
                is_group = false;
                EACH_SHEET(sheet, s) is_group |= sheet->differ[two];
            }
        }
        if (!is_group) continue;
        struct rows group = none;
        place_of(&group, zeros, true);
        EACH(j, cells) {
            waits[cells.at[j]] = 0;
            add_cell(&group, cells, j, tables, i < 0 ? machine : NULL);
        }
        add_group(rows, &group, i < 0 ? machine : NULL);
        replace_rows(&group, none);
    }
}

/* The last result of `find_worths`: possible sums of these tables under these sheets. */
struct memo {
    const struct table *tables[MOST_CLAIMS + 1];
    const struct sheet *sheets[MOST_SHEETS];
    struct rows rows;
    bool is_filled;
};

/* Whether the claims, and a sum or a machine of the rules, cannot be true together. The possible
   sums are kept for the next clause, which mostly has the same tables. */
static bool cannot_add_up(const struct sum *sum, const struct machine *machine,
                          struct memo **kept) {
    const struct table *tables[MOST_CLAIMS + 1] = {NULL};
    int count = 0;
    bool is_narrowed = false;
    struct memo *memo = *kept = *kept ? *kept : memory(1, sizeof **kept);
    for (; count < broken.claim_count; count++) tables[count] = broken.claims[count].table;
    if (sum) tables[count++] = sum->table;
    EACH(i, broken.cells) {
        is_narrowed |= machine && is_in(broken.cells.at[i], machine->cells);
        for (int j = 0; j < count; j++) is_narrowed |= tables[j]->worth[broken.cells.at[i]] != NULL;
    }
    for (int i = broken.sheet_count; i < MOST_SHEETS; i++) broken.sheets[i] = NULL;
    if (is_narrowed || !memo->is_filled || memcmp(memo->tables, tables, sizeof tables)
        || memcmp(memo->sheets, broken.sheets, sizeof memo->sheets)) {
        find_worths(&memo->rows, tables, count, machine);
        memo->is_filled = !is_narrowed;
        memcpy(memo->tables, tables, sizeof tables);
        memcpy(memo->sheets, broken.sheets, sizeof memo->sheets);
    }
    for (size_t i = 0; i < memo->rows.count; i++) {
        const int *row = memo->rows.at + i * memo->rows.width + 2;
        bool is_possible = !sum || (row[count - 1] >= sum->low && row[count - 1] <= sum->high);
        for (int j = 0; j < broken.claim_count; j++)
            is_possible &= row[j] >= broken.claims[j].low && row[j] <= broken.claims[j].high;
        if (is_possible) return false;
    }
    return true;
}
static const struct meaning *meaning_of(int literal) { return &meanings.at[abs(literal)]; }

/* Read transitions from clauses: "not in state s behind k cells, or the next cell has none of these
   digits, or in state t behind k + 1" says where s leads. If no state behind k cells has a name,
   the only one is number 0; elsewhere 0 is "in no state that has a name". */
static void read_states(void) {
    EACH(i, machines) {
        struct machine *machine = machines.at[i];
        machine->next = memory(machine->cells.count, sizeof *machine->next);
        EACH(k, machine->cells)
            machine->next[k] = memory((machine->names[k].count + 1) * (size_t)N, sizeof(int));
    }
    EACH(i, clauses) {
        const struct meaning *here = NULL, *there = NULL;
        bool is_known = break_clause(literals.at + clauses.at[i]) && broken.claim_count == 0;
        EACH(j, broken.states) {
            const struct meaning **found = broken.states.at[j] < 0 ? &here : &there;
            is_known = is_known && *found == NULL;
            *found = meaning_of(broken.states.at[j]);
        }
        if (!is_known || there == NULL || broken.cells.count > 1) continue;
        struct machine *machine = there->machine;
        int k = there->behind - 1, cell = machine->cells.at[k], *next = machine->next[k];
        if ((here && (here->machine != machine || here->behind != k))
            || (broken.cells.count > 0 && broken.cells.at[0] != cell)) continue;
        for (int state = 0; state <= (int)machine->names[k].count; state++)
            EACH_OF(digit, broken.left[cell])
                if ((here == NULL || here->value == state) && next[state * N + digit - 1] == 0)
                    next[state * N + digit - 1] = there->value;
    }
}

/* Run a machine of the rules (`step`) and that machine as the formula defines it in parallel, and
   record which of its states and digits occur at each place in lines that keep the rule. */
static void find_lives(struct machine *machine) {
    size_t count = machine->cells.count;
    struct rows *pairs = memory(count + 1, sizeof *pairs);   /* pairs of their states, by place */
    char *is_alive = NULL;                                   /* by pair: whether it can accept */
    machine->lives = memory(count, sizeof *machine->lives);
    for (size_t k = 0; k <= count; k++) pairs[k].width = 2;
    place_of(&pairs[0], (int[]){0, 0}, true);
    /* Go forwards to find all pairs of states, then backwards to find those that can accept. */
    for (size_t turn = 0; turn < 2 * count; turn++) {
        bool is_back = turn >= count;
        size_t k = is_back ? 2 * count - 1 - turn : turn;
        char *is_alive_here = memory(pairs[k].count, 1);
        machine->lives[k] = memory((machine->names[k].count + 1) * (size_t)N, 1);
        if (turn == count) is_alive = memory(pairs[count].count, 1);
        for (size_t i = 0; i < pairs[count].count && turn == count; i++)
            is_alive[i] = accepts(machine, pairs[count].at[2 * i]);
        for (size_t i = 0; i < pairs[k].count; i++) EACH_DIGIT(digit) {
            int entry = pairs[k].at[2 * i + 1] * N + digit - 1, pair[2];
            pair[0] = step(machine, (int)k, pairs[k].at[2 * i], NUMBER(digit));
            pair[1] = machine->next[k][entry];
            long place = pair[0] == DEAD ? -1 : place_of(&pairs[k + 1], pair, !is_back);
            if (is_back && place >= 0 && is_alive[place])
                is_alive_here[i] = machine->lives[k][entry] = 1;
        }
        is_alive = is_back ? is_alive_here : NULL;
    }
}

/* Whether, at some place of a machine that the clause is about, no state and digit break it. */
static bool is_no_run(struct machine *machine) {
    if (machine->lives == NULL) find_lives(machine);
    EACH(k, machine->cells) {
        int cell = machine->cells.at[k];
        bool is_meant = broken.states.count > 0 || broken.cells.count == 0
                     || is_in(cell, broken.cells), occurs = false;
        EACH(i, broken.states) {
            size_t behind = (size_t)meaning_of(broken.states.at[i])->behind;
            is_meant = is_meant && (behind == k || behind == k + 1);
        }
        for (int state = 0; state <= (int)machine->names[k].count && is_meant; state++)
            EACH_OF(digit, digits_left(cell)) {
                bool is_false = machine->lives[k][state * N + digit - 1];
                for (size_t i = 0; i < broken.states.count && is_false; i++) {
                    const struct meaning *meaning = meaning_of(broken.states.at[i]);
                    int now = meaning->behind == (int)k ? state
                            : machine->next[k][state * N + digit - 1];
                    is_false = (meaning->value == now) == (broken.states.at[i] < 0);
                }
                occurs |= is_false;
            }
        if (is_meant && !occurs) return true;
    }
    return false;
}
static bool holds(const int *clause) {
    static struct memo *alone;
    struct machine *named = NULL;
    if (!break_clause(clause)) return false;
    EACH(i, eithers) {                        /* some choice of an `either` is kept */
        size_t offered = 0;
        EACH(j, broken.offers) offered += meaning_of(broken.offers.at[j])->either == &eithers.at[i];
        if (offered == eithers.at[i].choices.count) return true;
    }
    if (leaves_no_digit()) return true;
    EACH(i, broken.states) {
        struct machine *machine = meaning_of(broken.states.at[i])->machine;
        if (named && named != machine) return false;
        named = machine;
    }
    if (broken.claim_count > 0 && cannot_add_up(NULL, NULL, &alone)) return true;
    /* The first cell that the clause names; -1 if it names choices only: can all these be kept? */
    int cell = broken.cells.count > 0 ? broken.cells.at[0] : -1;
    if (broken.claim_count > 0) cell = broken.claims[0].table->cells.at[0];
    EACH_SHEET(sheet, i) {
        EACH(j, sheet->sums) {
            struct sum *sum = &sheet->sums.at[j];
            if (!named && (cell < 0 || sum->table->worth[cell])
                && cannot_add_up(sum, NULL, &sum->memo)) return true;
        }
        EACH(j, sheet->machines) {
            struct machine *machine = sheet->machines.at[j];
            if (named ? machine != named : cell >= 0 && !is_in(cell, machine->cells)) continue;
            if (broken.claim_count > 0 || machine->next == NULL
                ? cannot_add_up(NULL, machine, &machine->memo) : is_no_run(machine)) return true;
        }
    }
    return false;
}

/* Whether a clause denies the digits of a solution in all cells without a given, perhaps also in
   cells with one, and nothing else, in the order of the cells. */
static bool blocks(const int *clause, const int *solution) {
    EACH_CELL(cell) {
        bool is_denied = *clause == -(cell * N + solution[cell]);
        if (!is_denied && !given[cell]) return false;
        clause += is_denied;
    }
    return *clause == 0;
}

/* Whether a clause is just the candidates that are in none of the solutions, in order. */
static bool has_absent(const int *clause) {
    for (int variable = 1; variable <= cell_count * N; variable++)
        if (!occurs(variable) && *clause++ != variable) return false;
    return *clause == 0;
}

/* Require each clause to hold, except the last ones, which exclude the solutions: one for each
   solution, or one that requires a candidate that none of them has. */
static void check_formula(bool is_of_candidates) {
    size_t last = is_of_candidates ? 1 : solutions.count;
    size_t first_last = clauses.count - last;
    if (clauses.count < last) refuse("there are fewer clauses than the claim needs");
    find_open_digits();
    read_states();
    EACH(i, clauses) {
        const int *clause = literals.at + clauses.at[i];
        line = first_line + (long)i;
        if (i < first_last ? !holds(clause) : is_of_candidates ? !has_absent(clause)
            : !blocks(clause, solutions.at[i - first_last]))
            refuse(i < first_last ? "no rule of the puzzle says this clause"
                                  : "this clause does not exclude just what is listed");
    }
}

/* ---- 9. The proof -----------------------------------------------------------------------------

   Each lemma has to follow from the clauses before it by unit propagation: make its literals false;
   if all literals of a clause but one are false, that one is true; in the end all literals of some
   clause are false. The last lemma is the empty clause. Deletions, and the hints of an LRAT proof,
   are ignored: more clauses imply no less, and each of them is implied. */
static signed char *values;                   /* by literal: 1 true, -1 false, 0 unassigned */
static Ints *watchers;                        /* by literal: the clauses that watch it */
static LIST(int *) watched;                   /* clauses of two or more literals, 0 at the end */
static Ints trail;                            /* the true literals, in order of derivation */
static size_t propagated;                     /* how many of the trail were propagated */
static bool is_refuted;
static int value_of(int literal) { return values[variables + literal]; }
static void make_true(int literal) {
    values[variables + literal] = 1, values[variables - literal] = -1;
    ADD(trail, literal);
}

/* Propagate the trail; return whether all literals of some clause are false. The first two of each
   clause are watched: while neither is false, nothing follows from the clause. */
static bool propagate(void) {
    bool is_broken = false;
    while (propagated < trail.count && !is_broken) {
        int false_one = -trail.at[propagated++];
        Ints *list = &watchers[variables + false_one];
        size_t kept = 0;
        EACH(i, *list) {
            int *clause = watched.at[list->at[i]], other = 2;
            if (clause[0] == false_one) clause[0] = clause[1], clause[1] = false_one;
            if (value_of(clause[0]) <= 0 && !is_broken) {
                while (clause[other] != 0 && value_of(clause[other]) < 0) other++;
                if (clause[other] != 0) {     /* another literal to watch */
                    clause[1] = clause[other], clause[other] = false_one;
                    ADD(watchers[variables + clause[1]], list->at[i]);
                    continue;
                }
                is_broken = value_of(clause[0]) < 0;
                if (!is_broken) make_true(clause[0]);
            }
            list->at[kept++] = list->at[i];
        }
        list->count = kept;
    }
    return is_broken;
}

/* Add a clause permanently, without literals that are permanently false. */
static void add_clause(const int *clause) {
    Ints left = {0};
    for (; *clause != 0; clause++) {
        if (value_of(*clause) > 0) return;
        if (value_of(*clause) == 0 && !is_in(*clause, left)) ADD(left, *clause);
    }
    size_t count = left.count;
    ADD(left, 0);
    for (size_t i = 0; i < 2 && count >= 2; i++)
        ADD(watchers[variables + left.at[i]], (int)watched.count);
    if (count >= 2) ADD(watched, left.at);
    if (count == 1) make_true(left.at[0]);
    is_refuted = is_refuted || count == 0 || propagate();
}
static bool follows(const int *lemma) {
    size_t begin = trail.count;
    bool is_shown = false;
    for (; *lemma != 0; lemma++) {
        is_shown |= value_of(*lemma) > 0;
        if (value_of(*lemma) == 0) make_true(-*lemma);
    }
    is_shown = is_shown || propagate();
    while (trail.count > begin) {
        int literal = trail.at[--trail.count];
        values[variables + literal] = values[variables - literal] = 0;
    }
    propagated = begin;
    return is_shown;
}

/* Check the proof; return the number of lemmas up to the empty clause. */
static long check_proof(const char *name) {
    long lemmas = 0;
    bool has_hints = strlen(name) > 5 && strcmp(name + strlen(name) - 5, ".lrat") == 0;
    values = memory(2 * (size_t)variables + 1, 1);
    watchers = memory(2 * (size_t)variables + 1, sizeof *watchers);
    EACH(i, clauses) if (!is_refuted) add_clause(literals.at + clauses.at[i]);
    rest = read_file(name);
    while (next_line() != NULL) {
        Ints lemma = {0};
        if (has_hints) read_number_and(" ");
        if (take("d ")) continue;
        read_literals(&lemma, has_hints);
        if (is_refuted) continue;
        if (!follows(lemma.at)) refuse("'%.60s' does not follow by unit propagation", read_now);
        add_clause(lemma.at);
        lemmas++;
    }
    if (!is_refuted) refuse("the proof ends without the empty clause");
    return lemmas;
}

/* ---- 10. A certificate ----------------------------------------------------------------------- */
static void read_board(void) {
    const char *rule;
    int digit_sets = 0, region_sets = 0;      /* at most one of each, or the last would count */
    read_now = at = text_of("box", 0);
    box_rows = read_number_and("x"), box_columns = read_number();
    require(*at == 0 && box_rows > 0 && box_columns > 0);
    require(box_rows <= MOST_DIGITS && box_columns <= MOST_DIGITS / box_rows);
    N = box_rows * box_columns, cell_count = N * N;
    region_of = memory((size_t)cell_count, sizeof *region_of);
    EACH_CELL(cell) region_of[cell] = by_box(cell / N, cell % N);
    base = new_sheet();
    for (int i = 0; (rule = text_of("rules", i)) != NULL; i++) {
        read_now = at = rule;                 /* other rules depend on these two */
        if (take("digits:")) {
            lowest = read_number_and("-");
            require(lowest >= 0 && lowest < 10 && read_number() == NUMBER(N) && *at == 0);
            require(digit_sets++ == 0);
        } else if (take("regions:")) {
            EACH_CELL(cell) {
                if (cell > 0 && cell % N == 0) need("/");
                require(*at > 0 && *at < 127);    /* letters are one byte each */
                region_of[cell] = *at == '.' ? -1 : *at;
                at++;
            }
            require(*at == 0 && region_sets++ == 0);
        }
    }
    for (int i = 0; (rule = text_of("rules", i)) != NULL; i++) {
        read_now = at = rule;
        for (int j = 0; j < i; j++) require(strcmp(rule, text_of("rules", j)) != 0);
        if (take("either:")) read_either(i + 1);
        else read_rule(base, rule);
    }
    if (text_of("rules", 0) == NULL)
        read_rule(base, "rows"), read_rule(base, "columns"), read_rule(base, "boxes");
}
int main(int count, char **arguments) {
    if (count != 2 && count != 4)
        return fprintf(stderr, "usage: %s NAME.json [NAME.cnf NAME.drat]\n", arguments[0]), 2;
    certificate = arguments[1];
    read_now = at = read_file(certificate);
    read_json();
    for (int i = 0; i < 4; i++)
        if (!text_of(texts[i], 0)) refuse("the entry '%s' is missing", texts[i]);
    const char *claim = text_of("claim", 0), *rule = text_of("rules", 0);
    bool is_of_candidates = claim && strcmp(claim, "candidates") == 0;
    read_now = at = text_of("kind", 0);
    need("satdoku certificate, version ");
    require(read_number() == (claim ? 3 : rule ? 2 : 1) && *at == 0);
    require(!claim || (rule && (is_of_candidates || strcmp(claim, "count") == 0)));
    read_board();
    given = read_grid(text_of("puzzle", 0), false);
    EACH(i, entries)
        if (strcmp(entries.at[i].name, "solutions") == 0) read_solution(entries.at[i].text);
    int found = (int)solutions.count;
    const char *verdict = found == 0 ? "none" : found == 1 ? "unique" : "multiple";
    if (strcmp(text_of("verdict", 0), verdict) != 0 || (!claim && found > 2))
        refuse("this verdict has another number of solutions");
    long lemmas = -1;
    if (claim || found < 2) {
        if (count != 4) refuse("this claim needs a formula and a proof");
        read_formula(arguments[2]);
        check_formula(is_of_candidates);
        lemmas = check_proof(arguments[3]);
    }
    printf("%s: %s", certificate, verdict);
    if (claim) printf(is_of_candidates ? ", no candidate but those of %d listed"
                                       : ", %d listed and no other", found);
    if (lemmas < 0) printf(", both solutions are right");
    else printf(", proven by %ld lemmas over %ld clauses", lemmas, (long)clauses.count);
    printf(": %s", text_of("puzzle", 0));
    for (int i = 0; text_of("rules", i) != NULL; i++) printf(" %.60s", text_of("rules", i));
    return printf("\n"), 0;
}

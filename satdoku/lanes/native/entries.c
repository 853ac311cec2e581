/* The functions that Python calls. A bank is a search with the boards that it has to answer;
   `lanes_work` runs it for some milliseconds, so that Python can handle Ctrl-C and limits in
   between.

   Sizes are checked here, before any memory is read or written. Python keeps all memory alive until
   the bank is done, and no two threads use one bank. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

/* Incremented whenever an entry or its meaning changes; library.py has the same number. */
enum { VERSION = 9 };

/* Rounds per call, so that a call takes less than 50 milliseconds without reading a clock. A round
   takes one to three microseconds at any width. After it, a lane that did not change takes up to
   half a microsecond to choose a cell, or to judge a grid and read the next board: 16 for all 32
   lanes, if this happened after every round. So 2,000 rounds usually take 3 milliseconds, and at
   most 40. */
enum { ROUNDS_A_CALL = 2000 };

enum { WIDEST = 32, EMPTY = 0, NO_DIGIT = 255 };

#define DECLARED(name) extern const struct engine name;
ENGINES(DECLARED)
#define LISTED(name) &name,
static const struct engine *const ENGINE_LIST[] = {ENGINES(LISTED)};
enum { ENGINE_COUNT = sizeof ENGINE_LIST / sizeof *ENGINE_LIST };

/* The task of a lane. */
struct task {
    size_t board;
    uint8_t givens[CELLS], grid[CELLS], second[CELLS];
    /* The number of solutions found, and the number after which the board is done. */
    int found, wanted;
    /* For deleting givens: the next index in the order, and the number of cells that are tested
       now. */
    unsigned at, tested;
    int has_needed;
};

struct bank {
    struct source source;
    const struct engine *engine;
    void *memory, *search;
    struct task tasks[WIDEST];
    size_t given_out, count, stride, room;
    const uint8_t *boards, *digit_of, *text_of, *orders;
    uint8_t *answers, *outcomes;
    uint64_t counted, most_counted, one_in;
    int is_wrong;
    size_t enough;
};

EXPORTED int lanes_version(void)
{
    return VERSION;
}

/* The judge's result, exported for its tests. */
EXPORTED int lanes_judge(const uint8_t *givens, const uint8_t *grid)
{
    return is_solution(givens, grid);
}

#if defined(__x86_64__)

#include <cpuid.h>

/* Bits of XCR0: the registers that the operating system saves when it switches processes. */
enum { YMM_STATE = 0x6, ZMM_STATE = YMM_STATE | 0xe0 };

static int are_saved(unsigned registers)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & registers) == registers;
}

/* Whether the processor has all instructions of an engine, and the system saves its registers. This
   uses cpuid, as __builtin_cpu_supports returns 0 for everything, SSE2 included, in shared
   libraries that zig links. */
static int has_instructions(const struct engine *engine)
{
    int is_512 = strcmp(engine->name, "AVX-512") == 0;
    if (!is_512 && strcmp(engine->name, "AVX2") != 0)
        return 1; /* SSE2 is a part of x86-64 */
    unsigned eax, ebx, ecx, edx;
    unsigned basic = bit_OSXSAVE | bit_POPCNT;
    unsigned extended = bit_BMI | (is_512 ? bit_AVX512F | bit_AVX512BW | bit_AVX512VL : bit_AVX2);
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & basic) != basic)
        return 0;
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (ebx & extended) != extended)
        return 0;
    return are_saved(is_512 ? ZMM_STATE : YMM_STATE);
}

#else

static int has_instructions(const struct engine *engine)
{
    (void)engine;
    return 1; /* other machines have a single engine, whose instructions all of them have */
}

#endif

/* The name of an engine, empty if this processor lacks its instructions; the fastest engines come
   first; NULL after the last. */
EXPORTED const char *lanes_engine(int number)
{
    if (number < 0 || number >= ENGINE_COUNT)
        return NULL;
    return has_instructions(ENGINE_LIST[number]) ? ENGINE_LIST[number]->name : "";
}

EXPORTED int lanes_width(int number)
{
    return number < 0 || number >= ENGINE_COUNT ? 0 : ENGINE_LIST[number]->width;
}

EXPORTED void lanes_close(struct bank *bank)
{
    if (bank != NULL)
        free(bank->memory);
    free(bank);
}

/* Open a bank of this engine without boards; NULL if there is no such engine, or no memory. */
EXPORTED struct bank *lanes_open(int number)
{
    const char *name = lanes_engine(number);
    if (name == NULL || *name == '\0')
        return NULL;
    struct bank *bank = calloc(1, sizeof *bank);
    if (bank == NULL)
        return NULL;
    bank->engine = ENGINE_LIST[number];
    bank->memory = malloc(bank->engine->memory + 63);
    if (bank->memory == NULL) {
        lanes_close(bank);
        return NULL;
    }
    bank->search = (void *)(((uintptr_t)bank->memory + 63) & ~(uintptr_t)63);
    bank->source.is_stopped = 1;
    return bank;
}

static void begin(struct bank *bank, struct source source, size_t count)
{
    bank->source = source;
    bank->given_out = 0;
    bank->count = count;
    bank->counted = 0;
    bank->is_wrong = 0;
    bank->engine->begin(bank->search);
}

/* Return 1 while there is more to do, 0 if all boards are answered, or none were given. */
EXPORTED int lanes_work(struct bank *bank)
{
    if (bank->source.is_stopped)
        return 0;
    return bank->engine->work(bank->search, &bank->source, ROUNDS_A_CALL);
}

/* Whether a grid was wrong: the judge found a fault of the engine. */
EXPORTED int lanes_is_wrong(const struct bank *bank)
{
    return bank->is_wrong;
}

static void write_masks(const uint8_t *digits, uint16_t *cells)
{
    for (int cell = 0; cell < CELLS; cell++)
        cells[cell] = digits[cell] == EMPTY ? ALL_DIGITS : (uint16_t)(1u << (digits[cell] - 1));
}

/* Read the digits of a solved board; 0 for a mask that is not a single digit, which the judge
   rejects. */
static void read_digits(const uint16_t *cells, uint8_t *digits)
{
    for (int cell = 0; cell < CELLS; cell++) {
        unsigned mask = cells[cell];
        digits[cell] = mask && !(mask & (mask - 1)) ? (uint8_t)(__builtin_ctz(mask) + 1) : 0;
    }
}

static int keep_solution(struct source *source, int lane, const uint16_t *cells)
{
    struct task *task = &((struct bank *)source)->tasks[lane];
    read_digits(cells, task->found++ == 0 ? task->grid : task->second);
    return task->found < task->wanted;
}

/* Many boards: whether each has one solution, several, or none. */

static int read_board(const struct bank *bank, size_t number, uint8_t *digits)
{
    const uint8_t *text = bank->boards + number * bank->stride;
    unsigned is_strange = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        digits[cell] = bank->digit_of[text[cell]];
        is_strange |= digits[cell] > 9;
    }
    for (size_t place = CELLS; place < bank->stride; place++)
        is_strange |= text[place] != '\n';
    return !is_strange;
}

static int next_board(struct source *source, int lane, uint16_t *cells)
{
    struct bank *bank = (struct bank *)source;
    struct task *task = &bank->tasks[lane];
    while (bank->given_out < bank->count) {
        task->board = bank->given_out++;
        task->found = 0;
        task->wanted = 2;
        if (read_board(bank, task->board, task->givens)) {
            write_masks(task->givens, cells);
            return 1;
        }
        bank->outcomes[task->board] = UNREADABLE;
    }
    return 0;
}

/* Whether a board has a solution, or two that differ, according to the judge. */
static int are_solutions(const struct task *task, const uint8_t *givens, int count)
{
    return is_solution(givens, task->grid) &&
           (count == 1 || (is_solution(givens, task->second) &&
                           memcmp(task->grid, task->second, CELLS) != 0));
}

/* The engine's result counts as evidence only if the judge accepts it; otherwise it is a fault. */
static int judged(const struct task *task, int outcome)
{
    if (outcome != ONE && outcome != SEVERAL)
        return outcome;
    return are_solutions(task, task->givens, outcome == ONE ? 1 : 2) ? outcome : WRONG;
}

/* Whether a board is in the sample, which is the same in every run. The digits are hashed, eight at
   a time; the factor is 2^64 divided by the golden ratio (Fibonacci hashing). */
static int is_chosen(const uint8_t *digits, uint64_t one_in)
{
    uint64_t mixed = digits[CELLS - 1];
    for (int cell = 0; cell + 8 <= CELLS; cell += 8) {
        uint64_t eight;
        memcpy(&eight, digits + cell, sizeof eight);
        mixed = (mixed ^ eight) * 0x9e3779b97f4a7c15u;
        mixed ^= mixed >> 32;
    }
    return one_in > 0 && mixed % one_in == 0;
}

static void end_board(struct source *source, int lane, int outcome)
{
    struct bank *bank = (struct bank *)source;
    struct task *task = &bank->tasks[lane];
    outcome = judged(task, outcome);
    int is_sample = outcome == ONE && is_chosen(task->givens, bank->one_in);
    bank->outcomes[task->board] = (uint8_t)(is_sample ? CHOSEN : outcome);
    bank->is_wrong |= outcome == WRONG;
    if (outcome != ONE)
        return;
    uint8_t *answer = bank->answers + task->board * bank->stride;
    for (int cell = 0; cell < CELLS; cell++)
        answer[cell] = bank->text_of[task->grid[cell]];
    for (size_t place = CELLS; place < bank->stride; place++)
        answer[place] = '\n';
}

/* Start to answer `count` boards of 81 bytes, or lines of 82 that end in a line feed. `digit_of`
   has the digit of each byte, above 9 if it is none; `text_of` the byte of each digit. Unique
   solutions are written to `answers`, in the same form. `outcomes` gets a byte for each board; one
   unique board in `one_in` is marked as chosen. Return 0 if a size is wrong. */
EXPORTED int lanes_ask(struct bank *bank, const uint8_t *boards, size_t boards_size,
                       const uint8_t *digit_of, size_t digit_of_size, const uint8_t *text_of,
                       size_t text_of_size, uint8_t *answers, size_t answers_size,
                       uint8_t *outcomes, size_t outcomes_size, size_t count, size_t stride,
                       uint64_t most_nodes, uint64_t one_in)
{
    bank->source.is_stopped = 1;
    if ((stride != CELLS && stride != CELLS + 1) || count > boards_size / stride ||
        count > answers_size / stride || count > outcomes_size || digit_of_size < 256 ||
        text_of_size < 10)
        return 0;
    bank->boards = boards;
    bank->digit_of = digit_of;
    bank->text_of = text_of;
    bank->answers = answers;
    bank->outcomes = outcomes;
    bank->stride = stride;
    bank->one_in = one_in;
    begin(bank,
          (struct source){.next = next_board,
                          .solution = keep_solution,
                          .end = end_board,
                          .most_nodes = most_nodes},
          count);
    return 1;
}

/* Read boards from lines, each of 81 digits or dots and a line end, up to the first other line, and
   return their number. `boards` gets one byte per digit, for as many boards as it has room. */
EXPORTED size_t lanes_read(const uint8_t *text, size_t text_size, uint8_t *boards,
                           size_t boards_size)
{
    size_t most = text_size / (CELLS + 1), count;
    if (most > boards_size / CELLS)
        most = boards_size / CELLS;
    for (count = 0; count < most; count++, text += CELLS + 1, boards += CELLS) {
        uint8_t is_wrong = text[CELLS] != '\n';
        /* Without an early exit, compilers vectorise this loop. */
        for (int cell = 0; cell < CELLS; cell++) {
            uint8_t digit = text[cell] == '.' ? 0 : (uint8_t)(text[cell] - '0');
            is_wrong |= digit > 9;
            boards[cell] = digit;
        }
        if (is_wrong)
            break;
    }
    return count;
}

/* Write boards, one byte per digit, as such lines, with dots for 0. Return 0 if a size or a digit
   is wrong. */
EXPORTED int lanes_write(const uint8_t *boards, size_t boards_size, uint8_t *lines,
                         size_t lines_size)
{
    size_t count = boards_size / CELLS;
    uint8_t is_wrong = 0;
    if (boards_size % CELLS != 0 || lines_size / (CELLS + 1) < count)
        return 0;
    for (; count > 0; count--, boards += CELLS, lines += CELLS + 1) {
        for (int cell = 0; cell < CELLS; cell++) {
            is_wrong |= boards[cell] > 9;
            lines[cell] = boards[cell] == 0 ? '.' : (uint8_t)('0' + boards[cell]);
        }
        lines[CELLS] = '\n';
    }
    return !is_wrong;
}

/* Write the rating of each puzzle, one byte per digit, or 254 or 255 (`rating.c`). Return how many
   puzzles were rated: fewer than `count` after some milliseconds of work, or without memory; 0 if a
   size is wrong. */
EXPORTED size_t lanes_rate(int engine, const uint8_t *puzzles, size_t puzzles_size,
                           uint8_t *ratings, size_t ratings_size, size_t count)
{
    const char *name = lanes_engine(engine);
    if (name == NULL || *name == '\0' || count > puzzles_size / CELLS || count > ratings_size)
        return 0;
    return ENGINE_LIST[engine]->rate(puzzles, ratings, count);
}

/* One board: how many solutions it has, and which. */

static int next_to_count(struct source *source, int lane, uint16_t *cells)
{
    struct bank *bank = (struct bank *)source;
    (void)lane;
    if (bank->given_out == bank->count)
        return 0;
    bank->given_out++;
    write_masks(bank->tasks[0].givens, cells);
    return 1;
}

static int count_solution(struct source *source, int lane, const uint16_t *cells)
{
    struct bank *bank = (struct bank *)source;
    uint8_t grid[CELLS];
    (void)lane;
    read_digits(cells, grid);
    if (is_solution(bank->tasks[0].givens, grid)) {
        if (bank->counted < bank->room)
            memcpy(bank->answers + bank->counted * CELLS, grid, CELLS);
        bank->counted++;
    } else {
        bank->is_wrong = 1;
    }
    source->is_stopped = bank->is_wrong || bank->counted >= bank->most_counted;
    return 1;
}

static void ignore_end(struct source *source, int lane, int outcome)
{
    (void)source, (void)lane, (void)outcome;
}

/* Start to count the solutions of a board, one byte per digit, and stop at `most`, or a few more.
   The first solutions, in any order, are written to `grids` as far as there is room. Return 0 if
   the board is invalid. */
EXPORTED int lanes_count(struct bank *bank, const uint8_t *digits, size_t size, uint8_t *grids,
                         size_t grids_size, uint64_t most)
{
    bank->source.is_stopped = 1;
    if (size != CELLS)
        return 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (digits[cell] > 9)
            return 0;
    memcpy(bank->tasks[0].givens, digits, CELLS);
    bank->answers = grids;
    bank->room = grids_size / CELLS;
    bank->most_counted = most;
    begin(bank,
          (struct source){.next = next_to_count,
                          .solution = count_solution,
                          .end = ignore_end,
                          .most_nodes = UINT64_MAX,
                          .is_shared = 1},
          1);
    return 1;
}

EXPORTED uint64_t lanes_counted(const struct bank *bank)
{
    return bank->counted;
}

/* Many puzzles: delete givens one group after the other, as long as the solution stays unique. */

static size_t count_givens(const uint8_t *digits)
{
    size_t count = 0;
    for (int cell = 0; cell < CELLS; cell++)
        count += digits[cell] != EMPTY;
    return count;
}

/* Write the next board of a task: the remaining givens without the next group of its order. Return
   0 at the end of the order. A group of one cell is needed if that cell can hold another digit: one
   grid shows it, so the known digit is excluded on the board from the start. For other groups the
   search needs two grids. */
static int next_deletion(struct bank *bank, struct task *task, uint16_t *cells)
{
    const uint8_t *order = bank->orders + task->board * 2 * CELLS;
    uint8_t without[CELLS];
    task->tested = 0;
    task->found = 0;
    if (task->has_needed && count_givens(task->givens) <= bank->enough)
        return 0;
    memcpy(without, task->givens, CELLS);
    while (task->at + task->tested < CELLS && order[task->at + task->tested] != NO_DIGIT) {
        unsigned place = task->at + task->tested++;
        without[order[place]] = EMPTY;
        /* Behind the cells of the order there is a byte for each: whether a group ends with the
           cell. */
        if (order[CELLS + place])
            break;
    }
    if (task->tested == 0)
        return 0;
    write_masks(without, cells);
    task->wanted = task->tested == 1 ? 1 : 2;
    unsigned first = order[task->at], digit = task->givens[first];
    if (task->tested == 1 && digit != EMPTY)
        cells[first] = ALL_DIGITS & ~(1u << (digit - 1));
    return 1;
}

static int next_grid(struct source *source, int lane, uint16_t *cells)
{
    struct bank *bank = (struct bank *)source;
    struct task *task = &bank->tasks[lane];
    for (;;) {
        if (task->board < bank->count && next_deletion(bank, task, cells))
            return 1;
        if (task->board < bank->count) {
            memcpy(bank->answers + task->board * CELLS, task->givens, CELLS);
            bank->outcomes[task->board] = ONE;
        }
        if (bank->given_out == bank->count) {
            task->board = bank->count;
            return 0;
        }
        task->board = bank->given_out++;
        task->at = 0;
        task->has_needed = 0;
        memcpy(task->givens, bank->boards + task->board * CELLS, CELLS);
    }
}

/* Whether the number of grids is evidence: no grid for a single redundant given, the known solution
   alone for a redundant group, and one grid more for a needed one. */
static int is_evidence(const struct task *task, const uint8_t *without, unsigned first)
{
    if (task->wanted == 2)
        return task->found > 0 && are_solutions(task, without, task->found);
    return task->found == 0 || (is_solution(without, task->grid) &&
                                task->grid[first] != task->givens[first]);
}

static void end_deletion(struct source *source, int lane, int outcome)
{
    struct bank *bank = (struct bank *)source;
    struct task *task = &bank->tasks[lane];
    const uint8_t *order = bank->orders + task->board * 2 * CELLS;
    uint8_t without[CELLS];
    memcpy(without, task->givens, CELLS);
    for (unsigned n = 0; n < task->tested; n++)
        without[order[task->at + n]] = EMPTY;
    if (outcome == OVER_BUDGET || !is_evidence(task, without, order[task->at])) {
        bank->is_wrong |= outcome != OVER_BUDGET;
        bank->outcomes[task->board] = (uint8_t)(outcome == OVER_BUDGET ? OVER_BUDGET : WRONG);
        task->board = bank->count;
        return;
    }
    int is_needed = task->found == task->wanted;
    task->has_needed |= is_needed;
    task->at += task->tested;
    if (!is_needed)
        memcpy(task->givens, without, CELLS);
}

/* Start to delete givens of `count` puzzles with one solution, one byte per digit. `orders` has 162
   bytes for each: the cells in the order in which their givens are tested, 255 after the last, and
   then for each of these a byte that is not zero if a group ends there; the givens of a group are
   deleted together. The remaining givens are written to `answers`. After a group that is needed,
   deleting stops as soon as at most `enough` givens are left. Return 0 if a size or a cell is
   wrong. */
EXPORTED int lanes_delete(struct bank *bank, const uint8_t *puzzles, size_t puzzles_size,
                          const uint8_t *orders, size_t orders_size, uint8_t *answers,
                          size_t answers_size, uint8_t *outcomes, size_t outcomes_size,
                          size_t count, size_t enough, uint64_t most_nodes)
{
    bank->source.is_stopped = 1;
    if (count > puzzles_size / CELLS || count > orders_size / (2 * CELLS) ||
        count > answers_size / CELLS || count > outcomes_size)
        return 0;
    for (size_t place = 0; place < count * CELLS; place++) {
        uint8_t cell = orders[place / CELLS * 2 * CELLS + place % CELLS];
        if (puzzles[place] > 9 || (cell >= CELLS && cell != NO_DIGIT))
            return 0;
    }
    bank->boards = puzzles;
    bank->orders = orders;
    bank->enough = enough;
    bank->answers = answers;
    bank->outcomes = outcomes;
    begin(bank,
          (struct source){.next = next_grid,
                          .solution = keep_solution,
                          .end = end_deletion,
                          .most_nodes = most_nodes},
          count);
    for (int lane = 0; lane < WIDEST; lane++)
        bank->tasks[lane].board = count;
    return 1;
}

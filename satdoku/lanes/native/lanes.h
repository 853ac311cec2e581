/* Declarations shared by the files of the library: 9x9 boards, their search, and random numbers. */

#ifndef LANES_H
#define LANES_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

enum {
    CELLS = 81,
    /* Most boards that a lane saves: one when it branches on a cell, and no cell is chosen
       twice. */
    PLACES = CELLS,
    /* The cells of a saved board, rounded up, as eight cells are read at a time. */
    ROOM = 88,
    ALL_DIGITS = 0x1ff
};

/* The result of a board. The first three are its number of solutions, two for several. A chosen
   board has one solution too, and a solver answers it again. bank.py has the same list. */
enum { NONE, ONE, SEVERAL, OVER_BUDGET, UNREADABLE, WRONG, CHOSEN };

/* Callbacks of a search, which give it boards and take its results. */
struct source {
    /* Write the next board for a lane, one mask of candidates per cell; return 0 if there is
       none. */
    int (*next)(struct source *, int lane, uint16_t *cells);
    /* Take a solution of the lane's board, one mask per cell; return 0 if no further one is
       wanted. */
    int (*solution)(struct source *, int lane, const uint16_t *cells);
    /* Take the result of the lane's board. */
    void (*end)(struct source *, int lane, int outcome);
    /* Node limit: the search gives up a board after so many chosen cells. */
    uint64_t most_nodes;
    /* Whether idle lanes take saved boards of other lanes; all lanes then search the same board. */
    int is_shared;
    /* Whether to stop the search early. */
    int is_stopped;
};

/* The search in registers of one width, and the size of its memory, which must be aligned to 64
   bytes. */
struct engine {
    const char *name;
    int width;
    size_t memory;
    void (*begin)(void *search);
    /* Run at most `rounds` rounds; return 0 when all boards are done. */
    int (*work)(void *search, struct source *source, long rounds);
    /* In rating.c: rate `count` puzzles, or as many as some milliseconds allow; return how many. */
    size_t (*rate)(const uint8_t *puzzles, uint8_t *ratings, size_t count);
};

/* In judge.c: whether a grid, one digit per cell, keeps the givens and has each digit once in each
   unit. */
int is_solution(const uint8_t *givens, const uint8_t *grid);

/* The state of Python's random numbers, as `Random.random` draws them: 624 words, and how many of
   them are used. */
enum { WORDS = 624 };

struct chance {
    uint32_t *words;
    int32_t drawn;
};

/* In chance.c: seed with a key of `length` words, at least one. */
void seed_chance(struct chance *chance, const uint32_t *key, int length);

/* Draw a random number from 0 to below `number`, from 53 random bits like Python's `random()`. */
int32_t draw(struct chance *chance, int32_t number);

#endif

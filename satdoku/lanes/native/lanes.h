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
    /* A lane saves a board when it branches on a cell, and no cell is chosen twice. */
    PLACES = CELLS,
    /* A saved board; eight cells are read at a time. */
    ROOM = 88,
    ALL_DIGITS = 0x1ff
};

/* The result of a board. The first three are its number of solutions, two for several; a chosen
   board has one too, and a solver answers it again. bank.py has the same list. */
enum { NONE, ONE, SEVERAL, OVER_BUDGET, UNREADABLE, WRONG, CHOSEN };

/* Callbacks of a search: the source of its boards, and the receiver of its answers. */
struct source {
    /* Write the next board for a lane, a mask of candidates a cell; 0 if there is none. */
    int (*next)(struct source *, int lane, uint16_t *cells);
    /* Take a solution of the lane's board, a mask a cell; 0 if no further solution is wanted. */
    int (*solution)(struct source *, int lane, const uint16_t *cells);
    /* Take the result of the lane's board. */
    void (*end)(struct source *, int lane, int outcome);
    /* Node limit: a board is given up when so many cells were chosen. */
    uint64_t most_nodes;
    /* Idle lanes take over saved boards of others; all lanes search one board then. */
    int is_shared;
    /* Stop the search early. */
    int is_stopped;
};

/* The search in registers of one width, and the size of its memory, which has to be aligned to 64
   bytes. */
struct engine {
    const char *name;
    int width;
    size_t memory;
    void (*begin)(void *search);
    /* Run at most so many rounds; 0 when all boards are done. */
    int (*work)(void *search, struct source *source, long rounds);
    /* In rating.c: rate so many puzzles, or as many as some milliseconds allow; return how many. */
    size_t (*rate)(const uint8_t *puzzles, uint8_t *ratings, size_t count);
};

/* In judge.c: whether a grid, a digit a cell, keeps the givens and has each digit once in each
   unit. */
int is_solution(const uint8_t *givens, const uint8_t *grid);

/* Python's random numbers, as `Random.random` draws them: 624 words, and how many are used. */
enum { WORDS = 624 };

struct chance {
    uint32_t *words;
    int32_t drawn;
};

/* In chance.c: seed with a key of so many words, at least one. */
void seed_chance(struct chance *chance, const uint32_t *key, int length);

/* A random number from 0 to below `number`, from 53 random bits, as Python's `random()` has. */
int32_t draw(struct chance *chance, int32_t number);

#endif

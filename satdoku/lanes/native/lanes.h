/* What the files of the library tell each other: boards of 9x9, their search, and random numbers. */

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
    /* A lane saves a board where it chooses a digit of a cell, and no cell is chosen twice. */
    PLACES = CELLS,
    /* A saved board, of which eight cells are read at a time. */
    ROOM = 88,
    ALL_DIGITS = 0x1ff
};

/* What became of a board. The first three are its number of solutions, two for several; what is
   chosen has one too, and is to be answered by a solver once more. bank.py has the same list. */
enum { NONE, ONE, SEVERAL, OVER_BUDGET, UNREADABLE, WRONG, CHOSEN };

/* Where the boards of a search come from, and where its answers go. */
struct source {
    /* Writes the next board for a lane, a mask of candidates a cell; 0 if there is none. */
    int (*next)(struct source *, int lane, uint16_t *cells);
    /* Gets a solution of the lane's board, a mask a cell; 0 if no further one is looked for. */
    int (*solution)(struct source *, int lane, const uint16_t *cells);
    /* Gets what became of the lane's board. */
    void (*end)(struct source *, int lane, int outcome);
    /* A board is done when so many cells were chosen. */
    uint64_t most_nodes;
    /* Idle lanes take over what others have saved; all search one board then. */
    int is_shared;
    /* Ends the search before its time. */
    int is_stopped;
};

/* The search in registers of one width, and the memory that it needs, on an address that 64 divides. */
struct engine {
    const char *name;
    int width;
    size_t memory;
    void (*begin)(void *search);
    /* Goes on for so many rounds at most; 0 when all boards are done. */
    int (*work)(void *search, struct source *source, long rounds);
};

/* Of judge.c: whether a grid, a digit a cell, keeps the givens and has each digit once a unit. */
int is_solution(const uint8_t *givens, const uint8_t *grid);

/* Python's random numbers, as `Random.random` draws them: 624 words, and how many are used up. */
enum { WORDS = 624 };

struct chance {
    uint32_t *words;
    int32_t drawn;
};

/* Of chance.c: begins with a key of so many words, at least one. */
void seed_chance(struct chance *chance, const uint32_t *key, int length);

/* A number from 0, below this one, by lot: of 53 random bits, as Python's `random()` has. */
int32_t draw(struct chance *chance, int32_t number);

#endif

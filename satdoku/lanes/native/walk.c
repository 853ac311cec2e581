/* The moves of local search on boards of any size, the same as in `solving/large/walk.py`, 20 to 30
   times as fast. Random numbers are drawn in the same order; a test compares the moves. */

#include "lanes.h"

/* The constants of walk.py, which explains them; a test compares their values too. */
enum { BARRED = 1 << 30, SAMPLE = 20, MOST_EXTRA = 10 };

/* No candidate; or the position of a cell that is not in conflict. */
enum { NO_ONE = -1 };

/* The state of a walk; `solving/large/walk.py` declares the same structure. `first_candidate[n]` is
   the first candidate of cell n, `first_neighbour[n]` the index of the first neighbour of candidate
   n; both end where those of n + 1 begin. */
struct walk {
    int32_t cells, candidates, neighbour_count, slots;
    const int32_t *first_candidate, *cell_of, *first_neighbour, *neighbours;
    int32_t *conflicts, *held, *in_conflict, *cost, *place_of;
    /* The candidates whose tabu ends at a move: a linked list for each future move, in a ring of
       `slots`. */
    int32_t *first_released, *next_released;
    struct chance chance;
    int64_t moves;
    int32_t conflict_count;
    double forbidden_share;
};

EXPORTED int walk_number(int which)
{
    return which == 0 ? BARRED : which == 1 ? SAMPLE : MOST_EXTRA;
}

EXPORTED size_t walk_size(void)
{
    return sizeof(struct walk);
}

/* Whether all indices in a walk are within its arrays, so that no move accesses memory outside. */
EXPORTED int walk_is_sound(const struct walk *walk)
{
    int sound = walk->cells >= 0 && walk->candidates >= 0 && walk->neighbour_count >= 0 &&
                walk->slots > 0 && walk->chance.drawn >= 0 && walk->chance.drawn <= WORDS &&
                walk->conflict_count >= 0 && walk->conflict_count <= walk->cells &&
                walk->moves == 0 && walk->forbidden_share >= 0 &&
                /* No candidate is tabu for more moves than the ring has slots. */
                walk->forbidden_share * walk->cells + MOST_EXTRA + 1 <= walk->slots;
    if (!sound)
        return 0;
    const int32_t *starts = walk->first_candidate, *ends = walk->first_neighbour;
    sound = starts[0] == 0 && starts[walk->cells] == walk->candidates && ends[0] == 0 &&
            ends[walk->candidates] == walk->neighbour_count;
    for (int32_t cell = 0; sound && cell < walk->cells; cell++) {
        int32_t held = walk->held[cell], place = walk->place_of[cell];
        sound = starts[cell] < starts[cell + 1] && starts[cell + 1] <= walk->candidates &&
                held >= starts[cell] && held < starts[cell + 1] && place >= NO_ONE &&
                place < walk->conflict_count &&
                (place == NO_ONE || walk->in_conflict[place] == cell);
        for (int32_t n = starts[cell]; sound && n < starts[cell + 1]; n++)
            sound = walk->cell_of[n] == cell && walk->next_released[n] == NO_ONE &&
                    ends[n] <= ends[n + 1] && ends[n + 1] <= walk->neighbour_count;
    }
    for (int32_t n = 0; sound && n < walk->neighbour_count; n++)
        sound = walk->neighbours[n] >= 0 && walk->neighbours[n] < walk->candidates;
    for (int32_t n = 0; sound && n < walk->conflict_count; n++) {
        int32_t cell = walk->in_conflict[n];
        sound = cell >= 0 && cell < walk->cells && walk->place_of[cell] == n;
    }
    for (int32_t n = 0; sound && n < walk->slots; n++)
        sound = walk->first_released[n] == NO_ONE;
    return sound;
}

static int32_t find_cost(const struct walk *walk, int32_t cell)
{
    int32_t candidate = walk->first_candidate[cell], end = walk->first_candidate[cell + 1];
    int32_t fewest = walk->conflicts[candidate];
    while (++candidate < end)
        if (walk->conflicts[candidate] < fewest)
            fewest = walk->conflicts[candidate];
    return fewest - walk->conflicts[walk->held[cell]];
}

static int32_t best_of(struct walk *walk, int32_t cell)
{
    const int32_t *conflicts = walk->conflicts;
    int32_t best = walk->first_candidate[cell], end = walk->first_candidate[cell + 1], equal = 1;
    for (int32_t candidate = best + 1; candidate < end; candidate++) {
        if (conflicts[candidate] < conflicts[best]) {
            best = candidate;
            equal = 1;
        } else {
            equal += conflicts[candidate] == conflicts[best];
        }
    }
    int32_t skipped = equal > 1 ? draw(&walk->chance, equal) : 0, fewest = conflicts[best];
    while (skipped > 0)
        skipped -= conflicts[++best] == fewest;
    return best;
}

static void drop(struct walk *walk, int32_t cell)
{
    int32_t place = walk->place_of[cell], end = --walk->conflict_count;
    int32_t last = walk->in_conflict[end];
    walk->in_conflict[place] = last;
    walk->cost[place] = walk->cost[end];
    walk->place_of[last] = place;
    walk->place_of[cell] = NO_ONE;
}

/* Take a candidate, and those after it in its list, off the tabu list. */
static void release(struct walk *walk, int32_t candidate)
{
    for (; candidate != NO_ONE; candidate = walk->next_released[candidate]) {
        int32_t left = walk->conflicts[candidate] -= BARRED, cell = walk->cell_of[candidate];
        int32_t place = walk->place_of[cell];
        if (place >= 0) {
            int32_t cost = left - walk->conflicts[walk->held[cell]];
            if (cost < walk->cost[place])
                walk->cost[place] = cost;
        }
    }
}

/* Choose the cell whose best move costs least, in a sample that begins at a random position. */
static int32_t choose(struct walk *walk)
{
    int32_t count = walk->conflict_count, start = draw(&walk->chance, count), best = start;
    int32_t sample = count < SAMPLE ? count : SAMPLE;
    for (int32_t n = start + 1; n < start + sample; n++) {
        int32_t place = n < count ? n : n - count;
        if (walk->cost[place] < walk->cost[best])
            best = place;
    }
    return walk->in_conflict[best];
}

static void lower(struct walk *walk, int32_t of)
{
    for (int32_t n = walk->first_neighbour[of]; n < walk->first_neighbour[of + 1]; n++) {
        int32_t candidate = walk->neighbours[n], left = --walk->conflicts[candidate];
        int32_t cell = walk->cell_of[candidate], place = walk->place_of[cell];
        if (place < 0)
            continue;
        int32_t own = walk->held[cell];
        if (own != candidate) {
            int32_t cost = left - walk->conflicts[own];
            if (cost < walk->cost[place])
                walk->cost[place] = cost;
        } else if (left == BARRED) {
            drop(walk, cell);
        } else {
            walk->cost[place]++;
        }
    }
}

static void lift(struct walk *walk, int32_t of)
{
    for (int32_t n = walk->first_neighbour[of]; n < walk->first_neighbour[of + 1]; n++) {
        int32_t candidate = walk->neighbours[n], before = walk->conflicts[candidate]++;
        int32_t cell = walk->cell_of[candidate];
        int32_t place = walk->place_of[cell], own = walk->held[cell];
        if (place < 0) {
            if (own == candidate) {
                place = walk->place_of[cell] = walk->conflict_count++;
                walk->in_conflict[place] = cell;
                walk->cost[place] = find_cost(walk, cell);
            }
        } else if (own == candidate) {
            walk->cost[place]--;
        } else if (before - walk->conflicts[own] == walk->cost[place]) {
            /* The candidate was the best of its cell, and may no longer be. */
            walk->cost[place] = find_cost(walk, cell);
        }
    }
}

/* Make moves until there are `end` in all, or until no cell is in conflict. */
EXPORTED void walk_advance(struct walk *walk, int64_t end)
{
    while (walk->moves < end && walk->conflict_count) {
        int32_t *slot = &walk->first_released[walk->moves % walk->slots];
        release(walk, *slot);
        *slot = NO_ONE;

        int32_t cell = choose(walk);
        int32_t candidate = best_of(walk, cell), former = walk->held[cell];
        walk->moves++;
        /* All other candidates of the cell may be tabu. */
        if (walk->conflicts[candidate] >= BARRED)
            continue;

        int64_t length = (int64_t)(walk->forbidden_share * walk->conflict_count);
        int64_t until = walk->moves + length + draw(&walk->chance, MOST_EXTRA);
        slot = &walk->first_released[until % walk->slots];
        walk->next_released[former] = *slot;
        *slot = former;
        walk->held[cell] = candidate;
        walk->conflicts[candidate] += BARRED;
        lower(walk, former);
        lift(walk, candidate);
        if (walk->conflicts[candidate] == BARRED)
            drop(walk, cell);
        else
            walk->cost[walk->place_of[cell]] = find_cost(walk, cell);
    }
}

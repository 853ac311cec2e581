/* Hints for a DRAT proof: for each lemma the clauses that imply it. `certifying/hints.py` computes
   the same, some hundred times as slowly. Steps that the contradiction does not need are left out.

   A proof is derived in one of two ways. Forwards, each lemma is derived when it is read, so a
   wrong one is found even if nothing needs it. Backwards, as drat-trim does, all lemmas are read
   and propagated first; then the work goes back from the contradiction through the same states of
   the trail, and derives only the lemmas that are needed, preferably from clauses that are needed
   too.

   Of the hints that this file finds, `check_hints` of certifying/rup.py follows a sample. If this
   file cannot read a proof or derive a lemma, Python does the work and says what is wrong. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

/* The states of a proof. `proof_advance` tells the first three, as hints.py does. */
enum { RUNNING, REFUTED, NOT_SHOWN, GOING_BACK };

/* A reason in place of a clause's number: the literal is an assumption of the current check. */
enum { ASSUMED = 0 };

struct list {
    int32_t *at;
    size_t count, room;
};

/* A clause has its literals in the pool, as they were read. If more than one of them is not false
   for good, and none is true, these are listed at `rest`; of more than two, the watched ones are
   first. */
struct clause {
    size_t first, rest;
    int32_t count, rest_count;
    int32_t number; /* its number in the proof with hints */
    int32_t next;   /* the next clause of the same hash */
    char is_deleted, is_core; /* core: needed by a step that is derived backwards */
};

/* A step of the proof with hints: its literals are in the pool, its hints in `hints`. A lemma has a
   clause, a fact and the contradiction have a reason. */
struct step {
    size_t literals, hints;
    size_t trail; /* the length of the trail before it */
    int32_t literal_count, hint_count;
    int32_t clause, reason;
    int is_needed;
};

struct proof {
    int32_t variables;
    struct list pool, hints, trail, used, lemma;
    struct list deleted; /* pairs of a deleted clause and the number of steps before its deletion */
    int is_backward;
    struct clause *clauses; /* from index 1; clauses of the formula come first */
    size_t clause_count, clause_room;
    int32_t formula;
    struct step *steps;
    size_t step_count, step_room;
    /* For each literal: pairs of a binary clause and the literal that it implies if this one
       becomes true; and pairs of a longer clause that watches the literal, in `core` if it is core,
       and another literal of it: while that is true, the clause need not be visited. */
    struct list *implied, *watching, *core;
    signed char *is_true; /* for each literal */
    int32_t *reason, *fact; /* for each variable: a clause; the number of the step that states it */
    char *mark;             /* for each literal; all 0 between two uses */
    size_t settled, written, undone;
    int32_t refuting, *slots;
    size_t slot_count;
    char *text, *at;
    int64_t lemmas, deletions;
    uint64_t visits;
    int is_out_of_memory, state;
};

static size_t index_of(const struct proof *p, int32_t literal)
{
    return (size_t)(p->variables + literal);
}

/* Make room for one more item; without memory, return 0, which ends the work at the next step. */
static int make_room(struct proof *p, void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return 1;
    size_t wanted = *room ? 2 * *room : 16;
    void *larger = wanted < INT32_MAX ? realloc(*items, wanted * size) : NULL;
    if (!larger) {
        p->is_out_of_memory = 1;
        return 0;
    }
    *items = larger, *room = wanted;
    return 1;
}

static void add(struct proof *p, struct list *list, int32_t item)
{
    if (make_room(p, (void **)&list->at, list->count, &list->room, sizeof *list->at))
        list->at[list->count++] = item;
}

/* Add two items to a list that has only pairs, so that its room is even. */
static void add_pair(struct proof *p, struct list *list, int32_t one, int32_t other)
{
    if (make_room(p, (void **)&list->at, list->count, &list->room, sizeof *list->at))
        list->at[list->count++] = one, list->at[list->count++] = other;
}

/* ---- Propagation: binary clauses first, as in rup.py, then core clauses ---- */

static void assign(struct proof *p, int32_t literal, int32_t reason)
{
    p->is_true[index_of(p, literal)] = 1;
    p->reason[abs(literal)] = reason;
    add(p, &p->trail, literal);
}

static void take_back(struct proof *p, size_t start)
{
    while (p->trail.count > start)
        p->is_true[index_of(p, p->trail.at[--p->trail.count])] = 0;
}

/* Update the watches of a literal that becomes false; return the clause that conflicts, or 0. */
static int32_t visit_watchers(struct proof *p, struct list *watching, int32_t literal)
{
    struct list *list = &watching[index_of(p, literal)];
    size_t kept = 0, place = 0;
    int32_t conflict = 0;
    for (; place < list->count && !conflict; place += 2) {
        int32_t number = list->at[place], other = list->at[place + 1];
        if (!p->is_true[index_of(p, other)]) {
            struct clause *clause = &p->clauses[number];
            int32_t *rest = p->pool.at + clause->rest;
            if (clause->is_deleted || (watching == p->watching && clause->is_core))
                continue;
            if (rest[0] == literal)
                rest[0] = rest[1], rest[1] = literal;
            if (rest[1] != literal)
                continue; /* entered twice when it was restored, and moved since */
            other = rest[0];
            if (!p->is_true[index_of(p, other)]) {
                int32_t next = 2;
                while (next < clause->rest_count && p->is_true[index_of(p, -rest[next])])
                    next++;
                if (next < clause->rest_count) {
                    rest[1] = rest[next], rest[next] = literal;
                    add_pair(p, &watching[index_of(p, rest[1])], number, other);
                    continue;
                }
                if (p->is_true[index_of(p, -other)])
                    conflict = number;
                else
                    assign(p, other, number);
            }
        }
        list->at[kept++] = number, list->at[kept++] = other;
    }
    p->visits += place / 2;
    while (place < list->count)
        list->at[kept++] = list->at[place++];
    list->count = kept;
    return conflict;
}

static int32_t propagate(struct proof *p, size_t start)
{
    size_t visited = start, visited_core = start;
    while (visited < p->trail.count) {
        for (; start < p->trail.count; start++) {
            const struct list *list = &p->implied[index_of(p, p->trail.at[start])];
            p->visits += list->count / 2;
            for (size_t i = 0; i < list->count; i += 2) {
                int32_t literal = list->at[i + 1];
                if (p->is_true[index_of(p, literal)])
                    continue;
                if (p->is_true[index_of(p, -literal)])
                    return list->at[i];
                assign(p, literal, list->at[i]);
            }
        }
        int is_core = visited_core < p->trail.count;
        int32_t conflict = is_core
                               ? visit_watchers(p, p->core, -p->trail.at[visited_core++])
                               : visit_watchers(p, p->watching, -p->trail.at[visited++]);
        if (conflict || p->is_out_of_memory)
            return conflict;
    }
    return 0;
}

/* ---- Clauses ---- */

static size_t slot_of(const struct proof *p, const int32_t *literals, size_t count)
{
    uint32_t sum = 0, product = 1;
    for (size_t i = 0; i < count; i++)
        sum += (uint32_t)literals[i], product *= 2 * (uint32_t)literals[i] + 1;
    return (sum * 2654435761u ^ product) % p->slot_count;
}

static void imply(struct proof *p, int32_t literal, int32_t number, int32_t implied)
{
    add_pair(p, &p->implied[index_of(p, literal)], number, implied);
}

/* Enter a clause with more than one literal into the lists of its first two. */
static void watch(struct proof *p, int32_t number)
{
    const struct clause *clause = &p->clauses[number];
    const int32_t *rest = p->pool.at + clause->rest;
    struct list *watching = clause->is_core ? p->core : p->watching;
    if (clause->rest_count == 2) {
        imply(p, -rest[0], number, rest[1]);
        imply(p, -rest[1], number, rest[0]);
    } else {
        add_pair(p, &watching[index_of(p, rest[0])], number, rest[1]);
        add_pair(p, &watching[index_of(p, rest[1])], number, rest[0]);
    }
}

/* Attach a clause to propagation, without the literals that are false for good. */
static void attach(struct proof *p, int32_t number)
{
    size_t rest = p->pool.count, first = p->clauses[number].first;
    int is_satisfied = 0;
    for (int32_t i = 0; i < p->clauses[number].count; i++) {
        int32_t literal = p->pool.at[first + (size_t)i];
        is_satisfied |= p->is_true[index_of(p, literal)];
        if (p->is_true[index_of(p, -literal)] || p->mark[index_of(p, literal)])
            continue;
        p->mark[index_of(p, literal)] = 1;
        add(p, &p->pool, literal);
    }
    size_t count = p->pool.count - rest;
    const int32_t *literals = p->pool.at + rest;
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, literals[i])] = 0;
    if (count > 1 && !is_satisfied) {
        p->clauses[number].rest = rest;
        p->clauses[number].rest_count = (int32_t)count;
        watch(p, number);
        return;
    }
    p->pool.count = rest;
    if (is_satisfied)
        return;
    if (count == 1) {
        assign(p, literals[0], number);
    } else if (!p->refuting) {
        p->refuting = number;
    }
}

/* Add a clause whose literals begin at `first` in the pool, and return its number, or 0. */
static int32_t add_clause(struct proof *p, size_t first, size_t count, int32_t number)
{
    struct clause made = {first, 0, (int32_t)count, 0, number, 0, 0, 0};
    if (!make_room(p, (void **)&p->clauses, p->clause_count, &p->clause_room, sizeof made))
        return 0;
    size_t slot = slot_of(p, p->pool.at + first, count);
    made.next = p->slots[slot];
    p->slots[slot] = (int32_t)p->clause_count;
    p->clauses[p->clause_count] = made;
    return (int32_t)p->clause_count++;
}

static void forget_binary(struct proof *p, int32_t literal, int32_t number)
{
    struct list *list = &p->implied[index_of(p, literal)];
    for (size_t i = 0; i < list->count; i += 2)
        if (list->at[i] == number) {
            list->count -= 2;
            memmove(list->at + i, list->at + i + 2, (list->count - i) * sizeof *list->at);
            return;
        }
}

/* Detach a clause from propagation; lists of watched literals drop it when they are visited. */
static void detach(struct proof *p, int32_t number)
{
    struct clause *clause = &p->clauses[number];
    clause->is_deleted = 1;
    if (clause->rest_count == 2)
        for (size_t i = 0; i < 2; i++)
            forget_binary(p, -p->pool.at[clause->rest + i], number);
}

/* Delete the latest copy of a clause, unless it is the reason of a literal. */
static void delete_clause(struct proof *p, const int32_t *literals, size_t count)
{
    size_t false_ones = 0, true_ones = 0, same;
    for (size_t i = 0; i < count; i++) {
        true_ones += p->is_true[index_of(p, literals[i])];
        false_ones += p->is_true[index_of(p, -literals[i])];
    }
    if (true_ones == 1 && false_ones == count - 1)
        return;
    int32_t *link = &p->slots[slot_of(p, literals, count)];
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, literals[i])] = 1;
    for (; *link; link = &p->clauses[*link].next) {
        struct clause *clause = &p->clauses[*link];
        for (same = 0; same < count && clause->count == (int32_t)count; same++)
            if (!p->mark[index_of(p, p->pool.at[clause->first + same])])
                break;
        if (clause->count != (int32_t)count || same < count)
            continue;
        detach(p, *link);
        if (p->is_backward) {
            add(p, &p->deleted, *link);
            add(p, &p->deleted, (int32_t)p->step_count);
        }
        *link = clause->next;
        break;
    }
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, literals[i])] = 0;
}

/* ---- Steps with hints ---- */

static int by_number(const void *one, const void *other)
{
    return *(const int32_t *)one < *(const int32_t *)other ? -1 : 1;
}

/* Add a step without hints, and return its number. */
static int32_t add_step(struct proof *p, size_t literals, size_t count, int32_t reason)
{
    struct step made = {literals, 0, p->trail.count, (int32_t)count, 0, 0, reason, 0};
    if (!make_room(p, (void **)&p->steps, p->step_count, &p->step_room, sizeof made))
        return 0;
    p->steps[p->step_count++] = made;
    return p->formula + (int32_t)p->step_count;
}

/* Add a hint to the latest ones, and mark what it names as needed. */
static void add_hint(struct proof *p, int32_t number)
{
    add(p, &p->hints, number);
    if (number > p->formula)
        p->steps[number - p->formula - 1].is_needed = 1;
}

/* Mark a clause as core, whose watches are visited earlier. */
static void mark_core(struct proof *p, int32_t number)
{
    struct clause *clause = &p->clauses[number];
    if (!p->is_backward || clause->is_core)
        return;
    clause->is_core = 1;
    if (clause->rest_count > 2)
        watch(p, number);
}

/* Write the hints of a step that the clauses of `used` imply. The facts that make these clauses
   unit are hints too, and come first. */
static void write_hints(struct proof *p, size_t number)
{
    struct step *step = &p->steps[number];
    size_t literals = step->literals, count = (size_t)step->literal_count;
    step->hints = p->hints.count;
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, p->pool.at[literals + i])] = 1;
    for (size_t turn = 0; turn < 2; turn++) /* the second turn removes the marks */
        for (size_t i = 0; i < p->used.count; i++) {
            const struct clause *clause = &p->clauses[p->used.at[i]];
            for (int32_t j = 0; j < clause->count; j++) {
                int32_t literal = p->pool.at[clause->first + (size_t)j];
                char *mark = &p->mark[index_of(p, literal)];
                if (turn == 0 && !*mark && p->fact[abs(literal)] &&
                    p->is_true[index_of(p, -literal)]) {
                    *mark = 2;
                    add_hint(p, p->fact[abs(literal)]);
                } else if (turn == 1 && *mark == 2) {
                    *mark = 0;
                }
            }
        }
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, p->pool.at[literals + i])] = 0;
    size_t facts = p->hints.count - step->hints;
    if (facts > 1)
        qsort(p->hints.at + step->hints, facts, sizeof *p->hints.at, by_number);
    for (size_t i = 0; i < p->used.count; i++) {
        add_hint(p, p->clauses[p->used.at[i]].number);
        mark_core(p, p->used.at[i]);
    }
    step->hint_count = (int32_t)(p->hints.count - step->hints);
}

/* Write the hints of a step that its reason implies. */
static void write_reason(struct proof *p, size_t number)
{
    p->used.count = 0;
    add(p, &p->used, p->steps[number].reason);
    if (!p->is_out_of_memory)
        write_hints(p, number);
}

/* Add a step with a reason; backwards, its hints are written when it proves to be needed. */
static int32_t add_implied(struct proof *p, size_t literals, size_t count, int32_t reason)
{
    int32_t number = add_step(p, literals, count, reason);
    if (number && !p->is_backward)
        write_reason(p, p->step_count - 1);
    return number;
}

/* Propagate what the clauses imply for good, and add each new fact as a step, unless a unit clause
   states it. */
static void settle(struct proof *p)
{
    if (!p->refuting)
        p->refuting = propagate(p, p->settled);
    for (p->settled = p->trail.count; p->written < p->settled; p->written++) {
        int32_t literal = p->trail.at[p->written], reason = p->reason[abs(literal)];
        const struct clause *clause = &p->clauses[reason];
        if (clause->count == 1) {
            p->fact[abs(literal)] = clause->number;
            continue;
        }
        size_t place = p->pool.count;
        add(p, &p->pool, literal);
        if (p->is_out_of_memory)
            return;
        p->fact[abs(literal)] = add_implied(p, place, 1, reason);
        if (!p->is_out_of_memory)
            p->steps[p->step_count - 1].trail = p->written;
    }
    if (p->refuting)
        add_implied(p, p->pool.count, 0, p->refuting);
}

static void mark_literals(struct proof *p, int32_t number, char value)
{
    const struct clause *clause = &p->clauses[number];
    for (int32_t i = 0; i < clause->count; i++)
        p->mark[index_of(p, p->pool.at[clause->first + (size_t)i])] = value;
}

/* Collect in `used` the clauses that lead to a conflict, in the order of their use. */
static void trace(struct proof *p, int32_t conflict, size_t start)
{
    p->used.count = 0;
    add(p, &p->used, conflict);
    mark_literals(p, conflict, 1);
    for (size_t place = p->trail.count; place > start; place--) {
        int32_t literal = p->trail.at[place - 1], reason = p->reason[abs(literal)];
        if (!p->mark[index_of(p, -literal)] || reason == ASSUMED)
            continue;
        add(p, &p->used, reason);
        mark_literals(p, reason, 1);
    }
    for (size_t i = 0; i < p->used.count; i++)
        mark_literals(p, p->used.at[i], 0);
    for (size_t i = 0, j = p->used.count; i + 1 < j; i++) {
        int32_t kept = p->used.at[i];
        p->used.at[i] = p->used.at[--j], p->used.at[j] = kept;
    }
}

/* Whether the lemma follows by propagation; if so, `used` has the clauses that imply it. */
static int explain(struct proof *p, const int32_t *lemma, size_t count)
{
    size_t start = p->trail.count;
    int32_t conflict = 0;
    for (size_t i = 0; i < count && !conflict; i++) {
        if (p->is_true[index_of(p, lemma[i])]) {
            conflict = p->reason[abs(lemma[i])];
            if (conflict == ASSUMED)
                break; /* a literal and its negation: no clause implies the lemma */
        } else if (!p->is_true[index_of(p, -lemma[i])]) {
            assign(p, -lemma[i], ASSUMED);
        }
        if (i + 1 == count && !conflict)
            conflict = propagate(p, start);
    }
    if (conflict)
        trace(p, conflict, start);
    take_back(p, start);
    return conflict != 0;
}

/* ---- The text of a proof ---- */

/* Skip blanks, line ends, and lines that begin with c. */
static void skip_blanks(struct proof *p)
{
    for (;; p->at++) {
        if (*p->at == 'c' && (p->at == p->text || p->at[-1] == '\n'))
            p->at += strcspn(p->at, "\n");
        if (*p->at != ' ' && *p->at != '\n')
            return;
    }
}

/* Read a step into `lemma`. Return 1 for a lemma, 2 for a deletion, 0 at the end, -1 for anything
   but plain textual DRAT over the variables of the formula. */
static int read_step(struct proof *p)
{
    int kind = 0;
    p->lemma.count = 0;
    for (skip_blanks(p); *p->at; skip_blanks(p)) {
        size_t length = strcspn(p->at, " \n");
        int sign = *p->at == '-' ? -1 : 1;
        int64_t number = 0;
        if (*p->at == 'd' && length == 1 && kind == 0) {
            kind = 2, p->at++;
            continue;
        }
        if (sign < 0)
            p->at++, length--;
        if (length == 0 || length > 10 || (*p->at == '0' && (length > 1 || sign < 0)))
            return -1;
        for (; length > 0 && *p->at >= '0' && *p->at <= '9'; length--)
            number = 10 * number + (*p->at++ - '0');
        if (length > 0 || number > p->variables)
            return -1;
        kind = kind ? kind : 1;
        if (number == 0)
            return kind;
        add(p, &p->lemma, sign * (int32_t)number);
    }
    return kind ? -1 : 0;
}

/* ---- Entries ---- */

EXPORTED void proof_close(struct proof *p)
{
    if (!p)
        return;
    for (size_t i = 0; p->implied && p->watching && p->core && i <= 2 * (size_t)p->variables; i++) {
        free(p->implied[i].at);
        free(p->watching[i].at);
        free(p->core[i].at);
    }
    void *all[] = {p->pool.at,  p->hints.at, p->trail.at, p->used.at, p->lemma.at, p->clauses,
                   p->steps,    p->implied,  p->watching, p->is_true, p->reason,   p->fact,
                   p->mark,     p->slots,    p->text,     p->core,    p->deleted.at, p};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Copy a formula, whose clauses end with 0, and the text of a proof; NULL if there is no memory, or
   a literal has a variable above `variables`. The proof is derived backwards if `is_backward`. */
EXPORTED struct proof *proof_open(const int32_t *formula, size_t count, int32_t variables,
                                  const char *text, size_t length, int is_backward)
{
    struct proof *p = calloc(1, sizeof *p);
    size_t literals = 2 * (size_t)variables + 1, first = 0;
    if (!p || variables < 0 || variables >= INT32_MAX / 2)
        return free(p), NULL;
    p->variables = variables;
    p->is_backward = is_backward;
    p->slot_count = 2 * (count / 2 + length / 8) + 17;
    p->clause_count = 1;
    p->implied = calloc(literals, sizeof *p->implied);
    p->watching = calloc(literals, sizeof *p->watching);
    p->core = calloc(literals, sizeof *p->core);
    p->is_true = calloc(literals, 1);
    p->mark = calloc(literals, 1);
    p->reason = calloc((size_t)variables + 1, sizeof *p->reason);
    p->fact = calloc((size_t)variables + 1, sizeof *p->fact);
    p->slots = calloc(p->slot_count, sizeof *p->slots);
    p->text = malloc(length + 1);
    int is_sound = p->implied && p->watching && p->core && p->is_true && p->mark && p->reason &&
                   p->fact && p->slots && p->text && (count == 0 || formula[count - 1] == 0);
    if (is_sound) {
        memcpy(p->text, text, length);
        p->text[length] = 0, p->at = p->text;
        is_sound = strlen(p->text) == length;
    }
    for (size_t i = 0; is_sound && i < count; i++) {
        is_sound = formula[i] >= -variables && formula[i] <= variables;
        add(p, &p->pool, formula[i]);
        if (formula[i] != 0)
            continue;
        is_sound = is_sound && add_clause(p, first, i - first, (int32_t)p->clause_count);
        first = i + 1;
    }
    if (!is_sound || p->is_out_of_memory)
        return proof_close(p), NULL;
    p->formula = (int32_t)p->clause_count - 1;
    for (int32_t wanted = 1; wanted <= 3; wanted++) /* short clauses first: they shorten others */
        for (int32_t n = 1; n <= p->formula; n++) {
            int32_t size = p->clauses[n].count;
            if (wanted == 3 ? size > 2 : wanted == 2 ? size == 2 : size <= 1)
                attach(p, n);
        }
    settle(p);
    return p;
}

/* Add the lemma that was read, and what follows from it for good. */
static void add_lemma(struct proof *p)
{
    size_t first = p->pool.count, count = p->lemma.count;
    p->lemmas++;
    for (size_t i = 0; i < count; i++)
        add(p, &p->pool, p->lemma.at[i]);
    int32_t step = add_step(p, first, count, 0);
    if (step && !p->is_backward)
        write_hints(p, p->step_count - 1);
    int32_t number = p->is_out_of_memory ? 0 : add_clause(p, first, count, step);
    if (!number)
        return;
    p->steps[p->step_count - 1].clause = number;
    attach(p, number);
    settle(p);
}

/* ---- Backwards ---- */

/* Attach a deleted clause again. The trail is as it was at the deletion, so its watches fit. */
static void restore(struct proof *p, int32_t number)
{
    p->clauses[number].is_deleted = 0;
    if (p->clauses[number].rest_count > 1)
        watch(p, number);
}

/* Go back to the state before the last step that was not undone, and derive it if it is needed. */
static void go_back(struct proof *p)
{
    size_t number = --p->undone;
    while (p->deleted.count && p->deleted.at[p->deleted.count - 1] > (int32_t)number) {
        p->deleted.count -= 2;
        restore(p, p->deleted.at[p->deleted.count]);
    }
    struct step *step = &p->steps[number];
    if (step->clause)
        detach(p, step->clause);
    take_back(p, step->trail);
    if (!step->is_needed)
        return;
    if (!step->clause)
        write_reason(p, number);
    else if (explain(p, p->pool.at + step->literals, (size_t)step->literal_count))
        write_hints(p, number);
    else
        p->state = NOT_SHOWN;
}

/* ---- Advancing ---- */

/* Read a step and add it; at the end of the text there has to be a contradiction. */
static void go_forward(struct proof *p)
{
    int kind = read_step(p);
    if (p->is_out_of_memory || kind < 0 || (kind == 0 && !p->refuting)) {
        p->state = NOT_SHOWN;
    } else if (kind == 0) {
        p->state = p->is_backward ? GOING_BACK : REFUTED;
        p->undone = p->step_count;
        p->steps[p->step_count - 1].is_needed = 1;
    } else if (p->refuting) {
        return; /* not needed, but has to be well-formed */
    } else if (kind == 2) {
        p->deletions++;
        delete_clause(p, p->lemma.at, p->lemma.count);
    } else if (p->is_backward || explain(p, p->lemma.at, p->lemma.count)) {
        add_lemma(p);
    } else {
        p->state = NOT_SHOWN;
    }
}

/* Work until about `most` clauses were visited, and return the state. */
EXPORTED int proof_advance(struct proof *p, uint64_t most)
{
    uint64_t end = p->visits + most;
    for (; p->state == RUNNING && p->visits < end; p->visits++)
        go_forward(p);
    for (; p->state == GOING_BACK && p->visits < end; p->visits++) {
        if (p->undone > 0)
            go_back(p);
        else
            p->state = REFUTED;
        if (p->is_out_of_memory)
            p->state = NOT_SHOWN;
    }
    return p->state == GOING_BACK ? RUNNING : p->state;
}

EXPORTED int64_t proof_counted(const struct proof *p, int which)
{
    return which == 0 ? p->lemmas : p->deletions;
}

/* Write the steps that the last one needs, renumbered, each as: number of literals, literals,
   number of hints, hints. Return the length of the output; write nothing if there is less room. */
EXPORTED size_t proof_steps(const struct proof *p, int32_t *out, size_t room)
{
    size_t count = p->step_count, size = 0;
    int32_t *numbers = calloc(count + 1, sizeof *numbers), kept = p->formula;
    if (!numbers || p->state != REFUTED || count == 0)
        return free(numbers), 0;
    numbers[count - 1] = 1;
    for (size_t i = count; i-- > 0;) {
        const struct step *step = &p->steps[i];
        for (int32_t j = 0; numbers[i] && j < step->hint_count; j++) {
            int32_t hint = p->hints.at[step->hints + (size_t)j];
            if (hint > p->formula)
                numbers[hint - p->formula - 1] = 1;
        }
        size += numbers[i] ? 2 + (size_t)step->literal_count + (size_t)step->hint_count : 0;
    }
    for (size_t i = 0; size <= room && i < count; i++) {
        const struct step *step = &p->steps[i];
        if (!numbers[i])
            continue;
        numbers[i] = ++kept;
        *out++ = step->literal_count;
        for (int32_t j = 0; j < step->literal_count; j++)
            *out++ = p->pool.at[step->literals + (size_t)j];
        *out++ = step->hint_count;
        for (int32_t j = 0; j < step->hint_count; j++) {
            int32_t hint = p->hints.at[step->hints + (size_t)j];
            *out++ = hint > p->formula ? numbers[hint - p->formula - 1] : hint;
        }
    }
    free(numbers);
    return size;
}

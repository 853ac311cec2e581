/* Hints for a DRAT proof: for each lemma the clauses that imply it. `certifying/hints.py` computes
   the same, some hundred times as slowly. Steps that the contradiction does not need are left out.

   Of the hints that this file finds, `check_hints` of certifying/rup.py follows a sample. If this
   file cannot read a proof or derive a lemma, Python does the work and says what is wrong. */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"

/* The results of `proof_advance`; hints.py has the same numbers. */
enum { RUNNING, REFUTED, NOT_SHOWN };

/* A reason in place of a clause's number: the literal is an assumption of the current check. */
enum { ASSUMED = 0 };

struct list {
    int32_t *at;
    size_t count, room;
};

/* A clause has its literals in the pool, as they were read. If more than two of them are not false
   for good, these are listed at `rest`, the two watched ones first. */
struct clause {
    size_t first, rest;
    int32_t count, rest_count;
    int32_t number; /* its number in the proof with hints */
    int32_t next;   /* the next clause of the same hash */
    int is_deleted;
};

/* A step of the proof with hints: its literals are in the pool, its hints in `hints`. */
struct step {
    size_t literals, hints;
    int32_t literal_count, hint_count;
};

struct proof {
    int32_t variables;
    struct list pool, hints, trail, used, lemma;
    struct clause *clauses; /* from index 1; clauses of the formula come first */
    size_t clause_count, clause_room;
    int32_t formula;
    struct step *steps;
    size_t step_count, step_room;
    /* For each literal: pairs of a binary clause and the literal that it implies if this one
       becomes true; and the longer clauses that watch the literal. */
    struct list *implied, *watching;
    signed char *is_true; /* for each literal */
    int32_t *reason, *fact; /* for each variable: a clause; the number of the step that states it */
    char *mark;             /* for each literal; all 0 between two uses */
    size_t settled, written;
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

/* ---- Propagation: binary clauses first, as in rup.py ---- */

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
static int32_t visit_watchers(struct proof *p, int32_t literal)
{
    struct list *list = &p->watching[index_of(p, literal)];
    size_t kept = 0, place = 0;
    int32_t conflict = 0;
    for (; place < list->count && !conflict; place++) {
        int32_t number = list->at[place];
        struct clause *clause = &p->clauses[number];
        int32_t *rest = p->pool.at + clause->rest, other;
        if (clause->is_deleted)
            continue;
        if (rest[0] == literal)
            rest[0] = rest[1], rest[1] = literal;
        other = rest[0];
        if (!p->is_true[index_of(p, other)]) {
            int32_t next = 2;
            while (next < clause->rest_count && p->is_true[index_of(p, -rest[next])])
                next++;
            if (next < clause->rest_count) {
                rest[1] = rest[next], rest[next] = literal;
                add(p, &p->watching[index_of(p, rest[1])], number);
                continue;
            }
            if (p->is_true[index_of(p, -other)])
                conflict = number;
            else
                assign(p, other, number);
        }
        list->at[kept++] = number;
    }
    p->visits += place;
    while (place < list->count)
        list->at[kept++] = list->at[place++];
    list->count = kept;
    return conflict;
}

static int32_t propagate(struct proof *p, size_t start)
{
    size_t visited = start;
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
        int32_t conflict = visit_watchers(p, -p->trail.at[visited++]);
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
    struct list *list = &p->implied[index_of(p, literal)];
    add(p, list, number);
    add(p, list, implied);
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
    if (count > 2 && !is_satisfied) {
        p->clauses[number].rest = rest;
        p->clauses[number].rest_count = (int32_t)count;
        add(p, &p->watching[index_of(p, literals[0])], number);
        add(p, &p->watching[index_of(p, literals[1])], number);
        return;
    }
    p->pool.count = rest;
    if (is_satisfied)
        return;
    if (count == 2) {
        imply(p, -literals[0], number, literals[1]);
        imply(p, -literals[1], number, literals[0]);
    } else if (count == 1) {
        assign(p, literals[0], number);
    } else if (!p->refuting) {
        p->refuting = number;
    }
}

/* Add a clause whose literals begin at `first` in the pool, and return its number, or 0. */
static int32_t add_clause(struct proof *p, size_t first, size_t count, int32_t number)
{
    struct clause made = {first, 0, (int32_t)count, 0, number, 0, 0};
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
        clause->is_deleted = 1;
        for (size_t i = 0; i < count && !clause->rest_count; i++)
            forget_binary(p, -literals[i], *link);
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

/* Write a step that the clauses of `used` imply, and return its number. The facts that make these
   clauses unit are hints too, and come first. */
static int32_t write_step(struct proof *p, size_t literals, size_t count)
{
    struct step made = {literals, p->hints.count, (int32_t)count, 0};
    if (!make_room(p, (void **)&p->steps, p->step_count, &p->step_room, sizeof made))
        return 0;
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
                    add(p, &p->hints, p->fact[abs(literal)]);
                } else if (turn == 1 && *mark == 2) {
                    *mark = 0;
                }
            }
        }
    for (size_t i = 0; i < count; i++)
        p->mark[index_of(p, p->pool.at[literals + i])] = 0;
    size_t facts = p->hints.count - made.hints;
    if (facts > 1)
        qsort(p->hints.at + made.hints, facts, sizeof *p->hints.at, by_number);
    for (size_t i = 0; i < p->used.count; i++)
        add(p, &p->hints, p->clauses[p->used.at[i]].number);
    made.hint_count = (int32_t)(p->hints.count - made.hints);
    p->steps[p->step_count++] = made;
    return p->formula + (int32_t)p->step_count;
}

/* Propagate what the clauses imply for good, and write each new fact as a step, unless a unit
   clause states it. */
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
        p->used.count = 0;
        add(p, &p->used, reason);
        if (p->is_out_of_memory)
            return;
        p->fact[abs(literal)] = write_step(p, place, 1);
    }
    p->used.count = 0;
    if (p->refuting) {
        add(p, &p->used, p->refuting);
        if (!p->is_out_of_memory)
            write_step(p, p->pool.count, 0);
    }
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
    for (size_t i = 0; p->implied && p->watching && i <= 2 * (size_t)p->variables; i++) {
        free(p->implied[i].at);
        free(p->watching[i].at);
    }
    void *all[] = {p->pool.at,  p->hints.at, p->trail.at, p->used.at, p->lemma.at, p->clauses,
                   p->steps,    p->implied,  p->watching, p->is_true, p->reason,   p->fact,
                   p->mark,     p->slots,    p->text,     p};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Copy a formula, whose clauses end with 0, and the text of a proof; NULL if there is no memory, or
   a literal has a variable above `variables`. */
EXPORTED struct proof *proof_open(const int32_t *formula, size_t count, int32_t variables,
                                  const char *text, size_t length)
{
    struct proof *p = calloc(1, sizeof *p);
    size_t literals = 2 * (size_t)variables + 1, first = 0;
    if (!p || variables < 0 || variables >= INT32_MAX / 2)
        return free(p), NULL;
    p->variables = variables;
    p->slot_count = 2 * (count / 2 + length / 8) + 17;
    p->clause_count = 1;
    p->implied = calloc(literals, sizeof *p->implied);
    p->watching = calloc(literals, sizeof *p->watching);
    p->is_true = calloc(literals, 1);
    p->mark = calloc(literals, 1);
    p->reason = calloc((size_t)variables + 1, sizeof *p->reason);
    p->fact = calloc((size_t)variables + 1, sizeof *p->fact);
    p->slots = calloc(p->slot_count, sizeof *p->slots);
    p->text = malloc(length + 1);
    int is_sound = p->implied && p->watching && p->is_true && p->mark && p->reason && p->fact &&
                   p->slots && p->text && (count == 0 || formula[count - 1] == 0);
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

/* Work until about `most` clauses were visited, and return the state. */
EXPORTED int proof_advance(struct proof *p, uint64_t most)
{
    for (uint64_t end = p->visits + most; p->state == RUNNING && p->visits < end; p->visits++) {
        int kind = read_step(p);
        size_t count = p->lemma.count;
        if (p->is_out_of_memory || kind < 0 || (kind == 0 && !p->refuting)) {
            p->state = NOT_SHOWN;
        } else if (kind == 0) {
            p->state = REFUTED;
        } else if (p->refuting) {
            continue; /* not needed, but has to be well-formed */
        } else if (kind == 2) {
            p->deletions++;
            delete_clause(p, p->lemma.at, count);
        } else if (explain(p, p->lemma.at, count)) {
            size_t first = p->pool.count;
            p->lemmas++;
            for (size_t i = 0; i < count; i++)
                add(p, &p->pool, p->lemma.at[i]);
            if (p->is_out_of_memory)
                continue;
            int32_t number = add_clause(p, first, count, write_step(p, first, count));
            if (number)
                attach(p, number);
            settle(p);
        } else {
            p->state = NOT_SHOWN;
        }
    }
    return p->state;
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

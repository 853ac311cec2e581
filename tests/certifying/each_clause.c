/* Says of each clause of a formula whether the second verifier accepts it: 1, or 0; for tests. */
#define main verify_main
#include "verify.c"
#undef main

int main(int count, char **arguments) {
    if (count != 3) return verify_main(1, arguments);
    certificate = arguments[1];
    read_now = at = read_file(certificate);
    read_json();
    read_board();
    given = read_grid(text_of("puzzle", 0), false);
    read_formula(arguments[2]);
    find_open_digits();
    read_states();
    EACH(i, clauses) putchar(holds(literals.at + clauses.at[i]) ? '1' : '0');
    return 0;
}

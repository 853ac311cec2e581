/* The judge: whether a grid is a solution of a board. It shares no code with the search in
   engine.c, and uses only the rules of Sudoku. */

#include "lanes.h"

int is_solution(const uint8_t *givens, const uint8_t *grid)
{
    /* For each row, column and box: a bit for each digit in it. */
    unsigned rows[9] = {0}, columns[9] = {0}, boxes[9] = {0};
    for (int row = 0; row < 9; row++) {
        for (int column = 0; column < 9; column++) {
            unsigned given = givens[9 * row + column], digit = grid[9 * row + column];
            if (digit < 1 || digit > 9 || (given != 0 && given != digit))
                return 0;
            rows[row] |= 1u << digit;
            columns[column] |= 1u << digit;
            boxes[row / 3 * 3 + column / 3] |= 1u << digit;
        }
    }
    /* Nine cells with nine different digits have each digit once. */
    for (int unit = 0; unit < 9; unit++)
        if (rows[unit] != 0x3fe || columns[unit] != 0x3fe || boxes[unit] != 0x3fe)
            return 0;
    return 1;
}

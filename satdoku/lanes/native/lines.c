/* Lines of text that hold boards. */

#include "lanes.h"

/* Count the lines at the start of a text that have 81 digits or dots and a line end each. */
EXPORTED size_t lines_count(const uint8_t *text, size_t text_size)
{
    size_t most = text_size / (CELLS + 1), count;
    for (count = 0; count < most; count++, text += CELLS + 1) {
        uint8_t is_wrong = text[CELLS] != '\n';
        /* Without an early exit, compilers vectorise this loop. */
        for (int cell = 0; cell < CELLS; cell++)
            is_wrong |= (uint8_t)((uint8_t)(text[cell] - '0') > 9) & (text[cell] != '.');
        if (is_wrong)
            break;
    }
    return count;
}

/* What the racer does with a prompt, which is one object of cJSON. */
#ifndef RACER_H
#define RACER_H

#include <cjson/cJSON.h>

/* The place of what is played in `legalActions`. */
int racer_choose(const cJSON *prompt);

/* The hazards to answer where nobody is asked, a new array: those whose safety is in hand. */
cJSON *racer_orders(const cJSON *prompt);

#endif

/* Tests of the bot: make test */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "racer.h"

#define PLAY(name) "{\"play\":{\"card\":\"CARD_" name "\"}}"
#define DISCARD(name) "{\"discard\":{\"card\":\"CARD_" name "\"}}"
#define DRAWS                                         \
    "{\"draw\":{\"source\":\"DRAW_SOURCE_PILE\"}},"   \
    "{\"draw\":{\"source\":\"DRAW_SOURCE_DISCARD\"}}"

static const struct test {
    const char *what, *kind, *hand, *actions;
    int wanted;
    const char *orders;
} TESTS[] = {
    {"the longest distance", "PLAY", "",
     PLAY("D25") "," PLAY("D100") "," PLAY("REPAIRS") "," DISCARD("D25"), 1, "[]"},
    {"what is too long for the way that is left", "PLAY", "",
     DISCARD("D25") "," DISCARD("D200") "," DISCARD("REPAIRS"), 1, "[]"},
    {"the coup fourre", "RESPOND", "\"CARD_EXTRA_TANK\"",
     "{\"pass\":{}},{\"coupFourre\":{\"card\":\"CARD_EXTRA_TANK\"}}", 1, "[\"CARD_OUT_OF_GAS\"]"},
    {"nothing but to pass", "RESPOND", "", "{\"pass\":{}}", 0, "[]"},
    {"the open card, if the car takes it", "DRAW", "", DRAWS, 1, "[]"},
    {"not if there is one in hand", "DRAW", "\"CARD_D25\"", DRAWS, 0, "[]"},
};

static cJSON *prompt_of(const struct test *test) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"kind\":\"STAGE_%s\",\"defaultIndex\":0,\"legalActions\":[%s],\"view\":{\"seat\":1,"
             "\"hand\":[%s],\"teams\":[{\"seats\":[0]},{\"seats\":[1]}],\"targetKm\":1000,"
             "\"discardPile\":[\"CARD_D25\"],\"tables\":[{\"km\":0},"
             "{\"km\":900,\"acceptedCards\":[\"CARD_D25\"]}]}}",
             test->kind, test->actions, test->hand);
    return cJSON_Parse(text);
}

int main(void) {
    int count = sizeof TESTS / sizeof TESTS[0];
    for (int at = 0; at < count; at++) {
        const struct test *test = &TESTS[at];
        cJSON *prompt = prompt_of(test), *orders = racer_orders(prompt);
        int chosen = racer_choose(prompt);
        char *ordered = cJSON_PrintUnformatted(orders);
        if (chosen != test->wanted || strcmp(ordered, test->orders) != 0) {
            fprintf(stderr, "%s: chose %d and ordered %s, not %d and %s\n", test->what, chosen,
                    ordered, test->wanted, test->orders);
            return EXIT_FAILURE;
        }
        cJSON_free(ordered);
        cJSON_Delete(orders);
        cJSON_Delete(prompt);
    }
    printf("%d tests passed\n", count);
    return EXIT_SUCCESS;
}

/* Distance first, whatever happens: drives as far as it can, mends the car, and hurts nobody else. */
#include "racer.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NONE = -1 };

enum kind { UNKNOWN, DISTANCE, HAZARD, REMEDY, SAFETY };

static const struct card {
    const char *name;
    enum kind kind;
    int km;             /* of a distance */
    const char *safety; /* that answers a hazard */
} CARDS[] = {
    {"CARD_D25", DISTANCE, 25, NULL},
    {"CARD_D50", DISTANCE, 50, NULL},
    {"CARD_D75", DISTANCE, 75, NULL},
    {"CARD_D100", DISTANCE, 100, NULL},
    {"CARD_D200", DISTANCE, 200, NULL},
    {"CARD_RED_LIGHT", HAZARD, 0, "CARD_RIGHT_OF_WAY"},
    {"CARD_SPEED_LIMIT", HAZARD, 0, "CARD_RIGHT_OF_WAY"},
    {"CARD_OUT_OF_GAS", HAZARD, 0, "CARD_EXTRA_TANK"},
    {"CARD_FLAT_TIRE", HAZARD, 0, "CARD_PUNCTURE_PROOF"},
    {"CARD_ACCIDENT", HAZARD, 0, "CARD_DRIVING_ACE"},
    {"CARD_GREEN_LIGHT", REMEDY, 0, NULL},
    {"CARD_END_OF_LIMIT", REMEDY, 0, NULL},
    {"CARD_GASOLINE", REMEDY, 0, NULL},
    {"CARD_SPARE_TIRE", REMEDY, 0, NULL},
    {"CARD_REPAIRS", REMEDY, 0, NULL},
    {"CARD_RIGHT_OF_WAY", SAFETY, 0, NULL},
    {"CARD_EXTRA_TANK", SAFETY, 0, NULL},
    {"CARD_PUNCTURE_PROOF", SAFETY, 0, NULL},
    {"CARD_DRIVING_ACE", SAFETY, 0, NULL},
};
static const size_t KINDS = sizeof CARDS / sizeof CARDS[0];
static const struct card NO_CARD = {"", UNKNOWN, 0, NULL};

/* A member's number or text; 0 and "" where it is missing, as all these do with NULL. */
static int number(const cJSON *object, const char *name) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    return found != NULL ? found->valueint : 0;
}

static const char *text(const cJSON *object, const char *name) {
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return found != NULL ? found : "";
}

static const cJSON *member(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The card of an action's arm, such as "play"; NO_CARD if it is another action. */
static const struct card *card_of(const cJSON *action, const char *arm) {
    const char *name = text(member(action, arm), "card");
    for (size_t at = 0; at < KINDS; at++) {
        if (strcmp(CARDS[at].name, name) == 0) return &CARDS[at];
    }
    return &NO_CARD;
}

static int count(const cJSON *cards, const char *name) {
    int found = 0;
    const cJSON *one;
    cJSON_ArrayForEach(one, cards) {
        if (cJSON_IsString(one) && strcmp(one->valuestring, name) == 0) found++;
    }
    return found;
}

static const cJSON *own_table(const cJSON *view) {
    int team = 0;
    const cJSON *one, *seat;
    cJSON_ArrayForEach(one, member(view, "teams")) {
        cJSON_ArrayForEach(seat, member(one, "seats")) {
            if (seat->valueint == number(view, "seat")) {
                return cJSON_GetArrayItem(member(view, "tables"), team);
            }
        }
        team++;
    }
    return NULL;
}

/* What a card is still good for. */
static int use(const struct card *card, const cJSON *view) {
    int to_go = number(view, "targetKm") - number(own_table(view), "km");
    switch (card->kind) {
    case HAZARD:
        return 0;
    case DISTANCE:
        return card->km <= to_go ? card->km : 1;
    case REMEDY:
        /* One of a kind is enough, but of Green Lights. */
        if (strcmp(card->name, "CARD_GREEN_LIGHT") == 0) return 90;
        return count(member(view, "hand"), card->name) > 1 ? 10 : 90;
    default:
        return 90;
    }
}

/* Drive far, else get the car ready to drive, else throw away what drives least. */
static int play(const cJSON *prompt) {
    int drive = NONE, safety = NONE, remedy = NONE, least = NONE, worth = 0, place = 0;
    const cJSON *view = member(prompt, "view"), *action;
    cJSON_ArrayForEach(action, member(prompt, "legalActions")) {
        enum kind kind = card_of(action, "play")->kind;
        if (kind == DISTANCE) drive = place; /* the longest comes last */
        if (kind == SAFETY && safety == NONE) safety = place;
        if (kind == REMEDY && remedy == NONE) remedy = place;
        const struct card *thrown = card_of(action, "discard");
        if (thrown != &NO_CARD && (least == NONE || use(thrown, view) < worth)) {
            least = place;
            worth = use(thrown, view);
        }
        place++;
    }
    if (drive != NONE) return drive;
    if (safety != NONE) return safety; /* and one plays again */
    if (remedy != NONE) return remedy;
    return least != NONE ? least : 0; /* forced play: nothing is left but an attack */
}

/* The place of the first action with an arm, and if `source` is given, with that source. */
static int place_of(const cJSON *prompt, const char *arm, const char *source) {
    int place = 0;
    const cJSON *action;
    cJSON_ArrayForEach(action, member(prompt, "legalActions")) {
        const cJSON *found = member(action, arm);
        if (found != NULL && (source == NULL || strcmp(text(found, "source"), source) == 0)) {
            return place;
        }
        place++;
    }
    return number(prompt, "defaultIndex");
}

/* Take the open card if the car needs it now. */
static int draw(const cJSON *prompt) {
    const cJSON *view = member(prompt, "view"), *pile = member(view, "discardPile");
    const char *top = cJSON_GetStringValue(cJSON_GetArrayItem(pile, cJSON_GetArraySize(pile) - 1));
    if (top != NULL && count(member(own_table(view), "acceptedCards"), top) > 0 &&
        count(member(view, "hand"), top) == 0) {
        return place_of(prompt, "draw", "DRAW_SOURCE_DISCARD");
    }
    return number(prompt, "defaultIndex");
}

int racer_choose(const cJSON *prompt) {
    const char *kind = text(prompt, "kind");
    if (strcmp(kind, "STAGE_PLAY") == 0) return play(prompt);
    if (strcmp(kind, "STAGE_DRAW") == 0) return draw(prompt);
    if (strcmp(kind, "STAGE_RESPOND") == 0) return place_of(prompt, "coupFourre", NULL);
    if (strcmp(kind, "STAGE_EXTEND") == 0) return 0; /* 300 km more: who would stop here? */
    return number(prompt, "defaultIndex");
}

cJSON *racer_orders(const cJSON *prompt) {
    cJSON *orders = cJSON_CreateArray();
    const cJSON *hand = member(member(prompt, "view"), "hand");
    for (size_t at = 0; at < KINDS; at++) {
        if (CARDS[at].kind == HAZARD && count(hand, CARDS[at].safety) > 0) {
            cJSON_AddItemToArray(orders, cJSON_CreateString(CARDS[at].name));
        }
    }
    return orders;
}

/* A bot in C: one JSON object a line in, one out. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "racer.h"

static void answer(const cJSON *prompt) {
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(prompt, "promptId"));
    cJSON *message = cJSON_CreateObject();
    cJSON *body = cJSON_AddObjectToObject(message, "answer");
    cJSON_AddStringToObject(body, "promptId", id != NULL ? id : "");
    cJSON_AddNumberToObject(body, "legalIndex", racer_choose(prompt));
    cJSON_AddItemToObject(body, "coupFourreOn", racer_orders(prompt));
    char *line = cJSON_PrintUnformatted(message);
    if (line != NULL) puts(line);
    cJSON_free(line);
    cJSON_Delete(message);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("{\"join\":{\"protocolVersion\":1,\"botName\":\"c_racer\",\"botVersion\":\"1.0\"}}");
    while (getline(&line, &room, stdin) > 0) {
        cJSON *message = cJSON_Parse(line);
        const cJSON *prompt = cJSON_GetObjectItemCaseSensitive(message, "prompt");
        if (prompt != NULL) answer(prompt);
        cJSON_Delete(message);
    }
    free(line);
    return 0;
}

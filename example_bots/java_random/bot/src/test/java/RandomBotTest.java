import static org.junit.jupiter.api.Assertions.assertTrue;

import millearena.sdk.Prompt;
import millearena.sdk.SamplePrompts;
import org.junit.jupiter.api.Test;

class RandomBotTest {
  private final RandomBot bot = new RandomBot();

  @Test
  void itAnswersEveryKindOfPromptWithALegalAction() {
    for (Prompt prompt : SamplePrompts.all()) {
      assertTrue(prompt.legal().contains(bot.choose(prompt)), prompt::toString);
    }
  }
}

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import millearena.sdk.Prompt;
import millearena.sdk.SamplePrompts;
import millearena.sdk.Stage;
import org.junit.jupiter.api.Test;

class KeeperBotTest {
  private final KeeperBot bot = new KeeperBot();

  @Test
  void itAnswersEveryKindOfPromptWithALegalAction() {
    for (Prompt prompt : SamplePrompts.all()) {
      assertTrue(prompt.legal().contains(bot.choose(prompt)), prompt::toString);
    }
  }

  @Test
  void itAnswersAnAttackWithTheCoupFourre() {
    List<Prompt> attacks = SamplePrompts.of(Stage.RESPOND);
    assertFalse(attacks.isEmpty());
    for (Prompt prompt : attacks) {
      assertEquals(prompt.coupFourre().orElseThrow(), bot.choose(prompt));
    }
  }
}

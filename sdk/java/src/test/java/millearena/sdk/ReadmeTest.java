package millearena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @TempDir Path folder;

  @Test
  void itsBotIsTheTemplates() throws IOException {
    String template = Files.readString(Path.of("template/bot/src/main/java/__Class__.java"));
    assertEquals(named(template), blocks("java").get(0));
  }

  @Test
  void itsCommandsAreTheTemplates() throws IOException {
    String template = named(Files.readString(Path.of("template/bot.toml")));
    assertTrue(template.endsWith(blocks("toml").get(0)), template);
  }

  @Test
  void itsCodeCompiles() throws IOException {
    List<String> codes = blocks("java");
    assertEquals(2, codes.size());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String code : codes) {
      String name =
          Pattern.compile("class (\\w+)").matcher(code).results().findFirst().get().group(1);
      StringWriter said = new StringWriter();
      List<String> options = List.of("-Xlint:all", "-Werror", "-d", folder.toString());
      boolean compiles =
          compiler.getTask(said, null, null, options, null, List.of(new Code(name, code))).call();
      assertTrue(compiles, said::toString);
    }
  }

  private static String named(String template) {
    return template.replace("__name__", "hasty").replace("__Class__", "HastyBot");
  }

  private static List<String> blocks(String language) throws IOException {
    Pattern block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
    String text = Files.readString(Path.of("README.md"));
    return block.matcher(text).results().map((MatchResult one) -> one.group(1)).toList();
  }

  /** Source code that is no file. */
  private static final class Code extends SimpleJavaFileObject {
    private final String text;

    Code(String name, String text) {
      super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

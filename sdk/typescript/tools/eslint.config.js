import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

// Example bots lie outside of this folder.
const root = new URL("../../..", import.meta.url).pathname;

export default tseslint.config(
  { ignores: ["**/build/", "**/dist/", "**/node_modules/", "**/wire/", "**/sdk/"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: true, tsconfigRootDir: root } },
    rules: {
      // Hooks of `Bot` do nothing by themselves, but say what they are told.
      "@typescript-eslint/no-unused-vars": ["error", { args: "none" }],
      "@typescript-eslint/no-empty-function": ["error", { allow: ["methods"] }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["**/*.test.ts"],
    // `test` of Node returns a promise that nobody waits for.
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: {
      globals: {
        URL: false,
        console: false,
        performance: false,
        process: false,
        setTimeout: false,
      },
    },
  },
);

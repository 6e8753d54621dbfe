#include "__stem___bot.hpp"

int main() {
  __Class__ bot;
  return arena::run(bot);
}

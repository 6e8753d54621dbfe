package millearena.sdk;

import java.util.List;

/**
 * Who plays with whom. Seat s + 1 sits on the left of seat s, and play goes that way.
 *
 * @param teams the seats of each team
 */
public record Seating(List<List<Integer>> teams) {
  /** How many seats there are. */
  public int players() {
    return teams.stream().mapToInt(List::size).sum();
  }

  /**
   * The team of a seat.
   *
   * @throws IllegalArgumentException there is no such seat
   */
  public int teamOf(int seat) {
    for (int team = 0; team < teams.size(); team++) {
      if (teams.get(team).contains(seat)) {
        return team;
      }
    }
    throw new IllegalArgumentException("seat " + seat + ": must be 0 to " + (players() - 1));
  }
}

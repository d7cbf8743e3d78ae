const digits = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A run's id: ten base-32 digits of the time in milliseconds and ten of chance, so that ids sort
 * by time and two runs of one millisecond differ.
 */
export function createRunId(time: number, random: () => number): string {
  let id = "";
  let rest = time;
  for (let place = 0; place < 10; place += 1) {
    id = digits[rest % 32] + id;
    rest = Math.floor(rest / 32);
  }
  for (let place = 0; place < 10; place += 1) id += digits[Math.min(31, Math.floor(random() * 32))];
  return id;
}

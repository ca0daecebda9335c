/** Time as a dependency. `now` is milliseconds since the Unix epoch, with fraction. */
export interface Clock {
  now(): number;
}

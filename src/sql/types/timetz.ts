/** A time of day with a fixed zone. */
export class TimeTz {
  /** Microseconds since local midnight, 0 … 86 400 000 000. */
  readonly micros: number;
  /** Seconds east of UTC. */
  readonly offset: number;

  constructor(micros: number, offset: number) {
    this.micros = micros;
    this.offset = offset;
  }
}

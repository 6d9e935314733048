/**
 * What was acknowledged to clients: the last acknowledged value of each row, and values sent without a reply yet. Values of a
 * row only rise, so a concurrent copy is checked against the ledger before and after.
 */
interface Entry {
  acknowledged: number;
  /** Highest value sent since whose fate is unknown; 0: none. */
  sent: number;
}

export class Ledger {
  readonly #rows = new Map<number, Entry>();
  acknowledgedMerges = 0;
  acknowledgedRows = 0;

  send(ids: readonly number[], value: number): void {
    for (const id of ids) {
      const entry = this.#rows.get(id);
      if (entry === undefined) this.#rows.set(id, { acknowledged: 0, sent: value });
      else entry.sent = value;
    }
  }

  acknowledge(ids: readonly number[], value: number): void {
    this.acknowledgedMerges++;
    this.acknowledgedRows += ids.length;
    for (const id of ids) {
      const entry = this.#rows.get(id)!;
      entry.acknowledged = value;
      if (entry.sent <= value) entry.sent = 0;
    }
  }

  /** Nothing was merged: the values will never appear. */
  withdraw(ids: readonly number[]): void {
    for (const id of ids) this.#rows.get(id)!.sent = 0;
  }

  /** The least that each row must hold. */
  snapshot(): Map<number, number> {
    const out = new Map<number, number>();
    for (const [id, { acknowledged }] of this.#rows) out.set(id, acknowledged);
    return out;
  }

  /** Faults of `found` (row → value). `least`: a snapshot that was taken before the copy began. */
  faults(found: ReadonlyMap<number, number>, least?: ReadonlyMap<number, number>): string[] {
    const out: string[] = [];
    for (const [id, { acknowledged, sent }] of this.#rows) {
      const value = found.get(id);
      if (value === undefined) out.push(`row ${id} is missing`);
      else if (least === undefined ? value !== acknowledged && value !== sent : value < (least.get(id) ?? 0) || value > Math.max(acknowledged, sent))
        out.push(
          `row ${id} is ${value}; acknowledged was ${least === undefined ? acknowledged : `${least.get(id) ?? 0} to ${acknowledged}`}, unanswered ${sent}`,
        );
    }
    for (const [id, value] of found) if (value !== 0 && !this.#rows.has(id)) out.push(`row ${id} is ${value}, which was never sent`);
    return out;
  }

  /** After a restart: what was unanswered is either there for good or gone for good. */
  adopt(found: ReadonlyMap<number, number>): void {
    for (const [id, entry] of this.#rows) {
      entry.acknowledged = found.get(id)!;
      entry.sent = 0;
    }
  }
}

/**
 * The client of the kill loop that writes by SQL: a typed table with an index and a sequence. After each start no
 * acknowledged row is missing, what the index finds is what the table holds, and the sequence gives no number twice.
 */
export type Post = (op: string, body: object) => Promise<Record<string, unknown>>;

interface SqlReply {
  results?: { rows: Record<string, number | string>[] }[];
  error?: { code: string; message: string };
}

const GROUPS = 16;

export class SqlClient {
  acknowledged = 0;
  /** Last acknowledged value of each row, and the value sent since, if any. */
  readonly #rows = new Map<number, { value: number; sent: number | null }>();
  #value = 0;
  #made = false;
  /** Rows that may exist without an acknowledgement. */
  #unanswered = 0;

  async #sql(post: Post, sql: string, params?: readonly unknown[]): Promise<Record<string, number | string>[]> {
    const reply = (await post('sql', { sql, params })) as SqlReply;
    if (reply.error !== undefined) throw new Refused(`${sql}: ${reply.error.code} ${reply.error.message}`);
    return reply.results!.at(-1)!.rows;
  }

  async check(post: Post, round: number): Promise<void> {
    if (!this.#made) {
      await this.#sql(post, 'CREATE TABLE sold (id bigserial PRIMARY KEY, g int NOT NULL, v int NOT NULL); CREATE INDEX sold_g ON sold (g, v)');
      this.#made = true;
    }
    const all = await this.#sql(post, 'SET enable_indexscan = off; SELECT id, g, v FROM sold ORDER BY id');
    const found = new Map(all.map(({ id, v }) => [Number(id), Number(v)]));
    for (const [id, row] of this.#rows) {
      const v = found.get(id);
      if (v === undefined) throw new Error(`round ${round}: row ${id} of SQL is missing`);
      if (v !== row.value && v !== row.sent) throw new Error(`round ${round}: row ${id} is ${v}; acknowledged was ${row.value}, sent ${row.sent}`);
    }
    const beyond = [...found.keys()].filter((id) => !this.#rows.has(id));
    if (beyond.length > this.#unanswered) throw new Error(`round ${round}: ${beyond.length} rows that were never sent`);
    this.#unanswered = 0;
    for (const [id, v] of found) this.#rows.set(id, { value: v, sent: null });
    const byIndex: string[] = [];
    for (let g = 0; g < GROUPS; g++) byIndex.push(...(await this.#sql(post, 'SELECT id, g, v FROM sold WHERE g = $1', [g])).map((row) => JSON.stringify(row)));
    const byTable = all.map((row) => JSON.stringify(row)).sort();
    if (byIndex.sort().join() !== byTable.join())
      throw new Error(`round ${round}: the index finds ${byIndex.length} rows, the table holds ${byTable.length}, or other ones`);
  }

  /** One write; false where the server is dead. */
  async write(post: Post): Promise<boolean> {
    const value = ++this.#value;
    const known = this.#rows.size > 0 && value % 3 === 0 ? [...this.#rows.keys()][value % this.#rows.size] : undefined;
    try {
      if (known !== undefined) {
        const row = this.#rows.get(known)!;
        row.sent = value;
        await this.#sql(post, 'UPDATE sold SET g = $2, v = $3 WHERE id = $1', [known, value % GROUPS, value]);
        this.#rows.set(known, { value, sent: null });
      } else {
        this.#unanswered++;
        const [{ id }] = await this.#sql(post, 'INSERT INTO sold (g, v) VALUES ($1, $2) RETURNING id', [value % GROUPS, value]);
        this.#unanswered--;
        if (this.#rows.has(Number(id))) throw new Refused(`the sequence gave ${id} twice`);
        this.#rows.set(Number(id), { value, sent: null });
      }
      this.acknowledged++;
      return true;
    } catch (error) {
      if (error instanceof Refused) throw error;
      return false;
    }
  }
}

class Refused extends Error {}

/**
 * Names by which queries are shown to call their relations: each is another one than those of the queries around, and of those before it,
 * so that a text means the same wherever it is read (ruleutils.c, set_rtable_names).
 */
import type { FromItem } from '../ast/query.ts';
import { outputName } from '../bind/output-name.ts';

export class ShownRelations {
  #taken: ReadonlySet<string>;
  readonly #names = new Map<FromItem, string>();

  /** `taken`: names that stand around all of them. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** What is done while the names of a query's FROM are taken. */
  within<T>(items: readonly FromItem[], run: () => T): T {
    if (items.length === 0) return run();
    const around = this.#taken;
    const taken = new Set(around);
    for (const item of items) this.#choose(item, taken);
    this.#taken = taken;
    try {
      return run();
    } finally {
      this.#taken = around;
    }
  }

  /** Of a relation of a query that is under way, as it was written and as it is shown; null for a join without an alias. */
  nameOf(item: FromItem): { readonly written: string; readonly shown: string } | null {
    const written = writtenName(item);
    return written === null ? null : { written, shown: this.#names.get(item) ?? written };
  }

  #choose(item: FromItem, taken: Set<string>): void {
    if (item.type === 'join') {
      this.#choose(item.left, taken);
      this.#choose(item.right, taken);
    }
    const written = writtenName(item);
    if (written === null) return;
    let shown = written;
    for (let count = 1; taken.has(shown); count++) shown = `${written}_${count}`;
    taken.add(shown);
    this.#names.set(item, shown);
  }
}

/** Items of a list that columns are read from, in the order in which their relations are known: what an alias of a join hides is left out. */
export function visibleItems(items: readonly FromItem[]): FromItem[] {
  return items.flatMap((item) => (item.type === 'join' && item.alias === null ? visibleItems([item.left, item.right]) : [item]));
}

function writtenName(item: FromItem): string | null {
  switch (item.type) {
    case 'table':
      return item.alias?.name ?? item.name.name;
    case 'functions':
      return item.alias?.name ?? outputName(item.functions[0].call);
    case 'derived':
    case 'xmlTable':
    case 'join':
      return item.alias?.name ?? null;
    case 'ruleRows':
      return null;
  }
}

/**
 * Displayed names of relations in queries: distinct from those of enclosing queries, and of earlier relations, so that a text means
 * the same everywhere (ruleutils.c, set_rtable_names).
 */
import type { FromItem } from '../ast/query.ts';
import { outputName } from '../bind/output-name.ts';

export class ShownRelations {
  #taken: ReadonlySet<string>;
  readonly #names = new Map<FromItem, string>();

  /** `taken`: names in the enclosing context. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** Runs with the names of a query's FROM in use. */
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

  /** The written and displayed name of a relation of a current query; null for a join without an alias. */
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

/** FROM items with visible columns, in the order of their relations: those hidden by a join's alias are left out. */
export function visibleItems(items: readonly FromItem[]): FromItem[] {
  return items.flatMap((item) => (item.type === 'join' && item.alias === null ? visibleItems([item.left, item.right]) : [item]));
}

function writtenName(item: FromItem): string | null {
  switch (item.type) {
    case 'table':
      return item.alias?.name ?? item.name.name;
    case 'ranked':
      return item.table.alias?.name ?? item.table.name.name;
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

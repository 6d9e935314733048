/**
 * The hint for a missing column, chosen as Postgres does (parse_relation.c): the one or two columns nearest by edit distance, at
 * most 3 and at most half of the name; a qualifying relation name counts too. With three or more equally near there is no hint.
 */
import type { Relation, Scope } from './scope.ts';

const DISTANCE_MAX = 3;

interface Found {
  readonly relation: Relation;
  readonly name: string;
}

/** `table`: the qualifying name, or null. */
export function columnHint(scope: Scope, table: string | null, name: string): { hint?: string } {
  let best = DISTANCE_MAX + 1;
  let found: Found[] = [];
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    for (const { relations } of [level.namespace, ...level.lateral]) {
      for (const relation of relations) {
        // RETURNING's other names of the written row.
        if ((relation.alias === 'old' || relation.alias === 'new') && relations[0] !== relation && relations[0].table === relation.table) continue;
        const penalty = table === null ? 0 : editDistance(table, relation.alias);
        if (penalty > best) continue;
        for (const column of relation.columns) {
          const own = column.name === name ? 0 : editDistance(column.name, name);
          if (own > Math.floor(Buffer.byteLength(name) / 2)) continue;
          const distance = own + penalty;
          if (distance < best) {
            best = distance;
            found = [{ relation, name: column.name }];
          } else if (distance === best) {
            if (found.length === 2) {
              // Too many are equally near: only nearer ones count.
              found = [];
              best = distance - 1;
            } else if (found.length === 1 || best <= DISTANCE_MAX) found.push({ relation, name: column.name });
          }
        }
      }
    }
  }
  if (found.length === 0) return {};
  return { hint: `Perhaps you meant to reference ${found.map((each) => `the column "${each.relation.alias}.${each.name}"`).join(' or ')}.` };
}

/** Levenshtein distance, by characters. */
function editDistance(a: string, b: string): number {
  const from = Array.from(a);
  const to = Array.from(b);
  if (Math.abs(from.length - to.length) > DISTANCE_MAX + 1) return DISTANCE_MAX + 2;
  let above = to.map((_, i) => i + 1);
  above.unshift(0);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) row.push(Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)));
    above = row;
  }
  return above[to.length];
}

/** Whether an enclosing query has the relation. */
export function isEntry(scope: Scope, name: string): boolean {
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    if (level.entries.some(({ alias }) => alias === name)) return true;
  }
  return false;
}

/** The alias of a table that is referenced by its own name. */
export function aliasHint(scope: Scope, schema: string | null, table: string): string | null {
  for (let level: Scope | null = scope; level !== null; level = level.parent) {
    for (const { relations } of [level.namespace, ...level.lateral]) {
      for (const { alias, table: known } of relations) {
        if (alias === table && isEntry(level, table)) return null;
        if (known !== null && known.name === table && alias !== table && (schema === null || known.schema === schema)) return alias;
      }
    }
  }
  return null;
}

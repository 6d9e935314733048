/**
 * What a client sends on connect and in its startup queries, with the answers of PostgreSQL 15:
 * `fixtures/clients/<client>.json`. Each conversation is a connection. Oids of the schema's own objects differ between
 * servers: `objects` names those in the recorded texts, and in replies they are names: `<shop.users>`, `#` if none is known.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../slt/corpora.ts';

export type Row = readonly (string | null)[];

export interface Rows {
  /** Names and oids of types. */
  readonly columns: readonly (readonly [name: string, type: number])[];
  /** Sorted; a number where they are too many to be kept. */
  readonly rows: readonly Row[] | number;
}
/** `[]`: statements that give no rows. */
export type Reply = readonly Rows[] | { readonly error: string };

/** Without `types` and `values`: a simple query. */
export interface Said {
  readonly text: string;
  /** Of parameters, as the client gives them; 0 is open. */
  readonly types?: readonly number[];
  readonly values?: readonly (string | null)[];
  readonly reply: Reply;
}

export interface Conversation {
  readonly name: string;
  /** Parameters of the startup message, but user and database. */
  readonly startup: Readonly<Record<string, string>>;
  readonly said: readonly Said[];
}

export interface Trace {
  readonly client: string;
  /** Of the client. */
  readonly version: string;
  /** The minor release of Postgres that answered. */
  readonly server: string;
  readonly objects: Readonly<Record<string, string>>;
  readonly conversations: readonly Conversation[];
}

export const FIXTURES = join(projectFolder(), 'fixtures/clients');
export const SCHEMA = readFileSync(join(FIXTURES, 'schema.sql'), 'utf8');

export function traces(): Trace[] {
  return readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Trace);
}

export function writeTrace(trace: Trace): void {
  writeFileSync(join(FIXTURES, `${trace.client}.json`), `${printed(trace, '')}\n`);
}

/** Lists of plain values stand on one line. */
function printed(value: unknown, indent: string): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const list = Array.isArray(value);
  const parts = list ? value : Object.entries(value);
  const plain = (each: unknown): boolean => each === null || typeof each !== 'object' || (Array.isArray(each) && each.length === 0);
  if (list ? value.every(plain) : parts.length === 0) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = list
    ? value.map((each) => `${inner}${printed(each, inner)}`)
    : (parts as [string, unknown][]).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${printed(each, inner)}`);
  const [open, close] = list ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

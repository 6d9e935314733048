/** A database with people and agents, for tests of governed merges. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import type { AllCommands, Json } from '../../src/commands/contract.ts';
import { type Database, open } from '../../src/database.ts';
import { SteppedClock } from '../suite/stepped-clock.ts';

export interface Governed {
  readonly db: Database;
  readonly clock: SteppedClock;
  readonly folder: string;
  /** Commands as an agent; made on first use with these rights. */
  agent(name: string, options?: { can?: string[]; policy?: string | null }): Promise<AllCommands>;
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export const MERGER = ['read', 'fork', 'write_own', 'merge_own', 'merge', 'write_main'];

export async function openGoverned(): Promise<Governed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-governed-'));
  const clock = new SteppedClock();
  let db = await open(folder, { clock });
  return {
    get db() {
      return db;
    },
    clock,
    folder,
    async agent(name, { can = MERGER, policy = null } = {}) {
      const { agents } = await db.agents();
      if (!agents.some((agent) => agent.name === name)) await db.create_agent({ name, can, policy });
      return db.commandsOf(db.directory.byName(name)!);
    },
    async reopen() {
      await db.close();
      db = await open(folder, { clock });
    },
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface HeldReason {
  rule: string;
  message: string;
  found: Json;
  limit: Json;
}

/** The reasons of a merge that was held; the test fails where it was not. */
export async function reasonsOf(merge: Promise<unknown>): Promise<HeldReason[]> {
  try {
    await merge;
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    const { code, data, status } = error as SvcError;
    expect({ code, status, held: data?.['held'] }, (error as SvcError).message).toEqual({ code: '42501', status: 403, held: true });
    return data!['reasons'] as HeldReason[];
  }
  throw new Error('the merge went through');
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error);
  }
  return 'ok';
}

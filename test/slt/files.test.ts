/**
 * Our sqllogictest files, and the shared ones where they lie beside the project, against Postgres and against our engine.
 *
 * Postgres is run too: it proves the runner and the files. Files of many records are left to the command line (`main.ts`).
 */
import { dirname, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownFolder, sharedFolder } from './corpora.ts';
import { isOf, knownReason, knownStatements, WITHOUT_ORACLE } from './known.ts';
import type { SltFile } from './parse-slt.ts';
import { PGliteTarget } from './pglite-target.ts';
import { failureText } from './report.ts';
import { runSlt } from './run-slt.ts';
import { findSkipList, skippedLines } from './skip-list.ts';
import { readSlt, sltFiles } from './slt-files.ts';
import { openSvc } from './svc-target.ts';
import type { Target } from './target.ts';

const RECORDS_MAX = 2000;

const svc = await openSvc();

for (const [corpus, folder] of Object.entries({ own: ownFolder(), shared: sharedFolder('slt') })) {
  describe.skipIf(folder === null)(`${corpus} files`, () => {
    const paths = folder === null ? [] : sltFiles([folder]);
    const files = paths.map((path) => ({ path, file: readSlt(path) })).filter(({ file }) => file.records.length <= RECORDS_MAX);
    test('there are files', () => expect(files.length).toBeGreaterThan(10));

    describe('on Postgres', () => {
      let target: Target;
      beforeAll(async () => {
        target = await PGliteTarget.open();
      }, 60_000);
      afterAll(() => target.close());
      const proven = files.filter(({ path }) => !WITHOUT_ORACLE.includes(relative(folder ?? '', path)));
      for (const { path, file } of proven) test(relative(folder ?? '', path), () => check(path, file, target));
    });

    describe.skipIf(svc === null)('on svc', () => {
      for (const { path, file } of files) {
        const name = relative(folder ?? '', path);
        test(name, () => checkKnown(path, name, file, svc as Target));
      }
    });
  });
}

afterAll(() => svc?.close());

async function check(path: string, file: SltFile, target: Target): Promise<void> {
  const result = await runSlt(file, target, { skip: skippedLines(findSkipList(dirname(path)), path) });
  expect(result.failures.map((failure) => failureText(path, failure)).join('\n\n')).toBe('');
}

/** But for what is known: that has to go wrong still, so that the list does not outlive its reasons. */
async function checkKnown(path: string, name: string, file: SltFile, target: Target): Promise<void> {
  const result = await runSlt(file, target, { skip: skippedLines(findSkipList(dirname(path)), path) });
  const isKnown = ({ sql }: { sql: string }): boolean => knownReason(name, sql) !== null;
  expect(
    result.failures
      .filter((failure) => !isKnown(failure))
      .map((failure) => failureText(path, failure))
      .join('\n\n'),
  ).toBe('');
  const failed = result.failures.filter(isKnown).map(({ sql }) => sql);
  expect(knownStatements(name).filter((start) => !failed.some((sql) => isOf(start, sql)))).toEqual([]);
}

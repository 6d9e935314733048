/** Names, at the end of a run, the tests that passed at a second try only: a race must not hide among them. */
import type { Reporter, TestCase } from 'vitest/node';

export class SecondTries implements Reporter {
  readonly #names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky === true) this.#names.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#names.length > 0) console.log(`\nPassed at a second try:\n${this.#names.map((name) => `  ${name}\n`).join('')}`);
  }
}

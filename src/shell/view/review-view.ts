/**
 * Held merges: a list, and for each what a person needs for a decision: why it is held, its stated purpose, what it
 * deletes first of all, the effects it would send, conflicts to resolve, the rows.
 *
 *   list ──enter──► one ── a approve ──(number of deletes?)──► decided ──► list
 *                    │   ── r reject  ──reason──────────────►
 *                    │   ── p pass    ──────────────────────►
 *                    └── o / t: a conflict's row is ours / theirs
 */
import { exactJsonText } from '../../base/exact-json.ts';
import type { MergePreview, ReviewView as Review } from '../../commands/contract.ts';
import type { Key } from '../edit/keys.ts';
import { conflictSides, definitionLines, summaryLines, summaryText } from '../text/change-lines.ts';
import { visible } from '../text/cell.ts';
import { errorLines } from '../text/error-text.ts';
import { isDecided, verdictText } from '../text/review-text.ts';
import type { Style } from '../text/style.ts';
import { ago } from '../text/time-text.ts';
import { cutLine, padEnd, wrapWords } from '../text/width.ts';
import { ChangeSource, type Diff } from './change-source.ts';
import { Question } from './question.ts';
import { View } from './view.ts';

/** One screen of rows, however many are deleted. */
const ROWS_AT_FIRST = 50;

export interface ReviewActions {
  reviews(): Promise<readonly Review[]>;
  preview(branch: string): Promise<MergePreview>;
  /** The purpose stated in the world's metadata. */
  intent(branch: string): Promise<string | null>;
  readonly diff: Diff;
  review(input: { branch: string; verdict: 'approve' | 'reject' | 'pass'; reason?: string }): Promise<{ merged?: number }>;
  merge(input: Record<string, unknown>): Promise<{ merged?: number }>;
  nowMs(): number;
}

interface Open {
  readonly review: Review;
  readonly intent: string | null;
  readonly preview: MergePreview;
  readonly changes: ChangeSource;
  readonly picks: Map<string, 'ours' | 'theirs'>;
  /** Index in the conflicts. */
  chosen: number;
  top: number;
}

export class ReviewsView extends View<string[]> {
  readonly #actions: ReviewActions;
  readonly #style: Style;
  #reviews: readonly Review[];
  #chosen = 0;
  #open: Open | null = null;
  #question: Question | null = null;
  #busy = '';
  #messages: string[] = [];
  /** Decisions made, shown when the view ends. */
  readonly #decided: string[] = [];
  #page = 10;
  #length = 0;

  constructor(reviews: readonly Review[], actions: ReviewActions, style: Style, first: string | null = null) {
    super();
    this.#reviews = reviews;
    this.#actions = actions;
    this.#style = style;
    if (first !== null) {
      this.#chosen = Math.max(
        0,
        reviews.findIndex(({ world }) => world === first),
      );
      this.#look();
    }
  }

  // --- keys

  key(key: Key): void {
    // A paste answers a question; letters that arrived together may open one.
    if (key.name === 'text' && this.#question === null) for (const text of key.text) this.#key({ name: 'text', text });
    else this.#key(key);
    this.draw();
  }

  #key(key: Key): void {
    if (this.#busy === '') this.#messages = [];
    if (this.#question !== null) this.#question.key(key);
    else if (this.#busy !== '') {
      if (key.name === 'ctrl-c') this.finish(this.#decided);
    } else if (this.#open === null) this.#listKey(key);
    else this.#openKey(this.#open, key);
  }

  #listKey({ name, text }: Key): void {
    switch (name === 'text' ? text[0] : name) {
      case 'q':
      case 'escape':
      case 'ctrl-c':
      case 'ctrl-d':
        this.finish(this.#decided);
        return;
      case 'down':
      case 'j':
        this.#chosen = Math.min(this.#reviews.length - 1, this.#chosen + 1);
        return;
      case 'up':
      case 'k':
        this.#chosen = Math.max(0, this.#chosen - 1);
        return;
      case 'enter':
      case 'right':
        if (this.#reviews.length > 0) this.#look();
        return;
      default:
    }
  }

  #openKey(open: Open, { name, text }: Key): void {
    const { conflicts } = open.preview;
    switch (name === 'text' ? text[0] : name) {
      case 'q':
      case 'escape':
      case 'left':
      case 'ctrl-c':
        this.#open = null;
        this.#messages = [];
        return;
      case 'a':
        this.#approve(open);
        return;
      case 'r':
        this.#ask('Why is it rejected?', (reason) => {
          if (reason.trim() === '') return 'a reason helps who has to change it: write one, or press Esc';
          this.#decide(open, 'reject', { reason });
          return '';
        });
        return;
      case 'p':
        this.#decide(open, 'pass', {});
        return;
      case 'o':
      case 't':
        if (conflicts.length > 0) {
          open.picks.set(conflicts[open.chosen].key, text[0] === 'o' ? 'ours' : 'theirs');
          open.chosen = Math.min(conflicts.length - 1, open.chosen + 1);
        }
        return;
      case 'tab':
        if (conflicts.length > 0) open.chosen = (open.chosen + 1) % conflicts.length;
        return;
      case 'down':
      case 'j':
        this.#scroll(open, 1);
        return;
      case 'up':
      case 'k':
        this.#scroll(open, -1);
        return;
      case ' ':
      case 'pagedown':
      case 'f':
        this.#scroll(open, this.#page);
        return;
      case 'b':
      case 'pageup':
        this.#scroll(open, -this.#page);
        return;
      case 'g':
      case 'home':
        open.top = 0;
        return;
      case 'G':
      case 'end':
        this.#scroll(open, Infinity);
        return;
      default:
    }
  }

  #scroll(open: Open, by: number): void {
    open.top = Math.max(0, Math.min(this.#length - this.#page, open.top + by));
    if (open.changes.more && open.top + 2 * this.#page >= this.#length) void this.work(() => open.changes.load());
  }

  #ask(text: string, take: (answer: string) => string): void {
    const question = new Question(text, (answer) => {
      if (answer === null) {
        this.#question = null;
        return;
      }
      const complaint = take(answer);
      if (complaint === '') this.#question = null;
      else question.complaint = complaint;
    });
    this.#question = question;
  }

  // --- calls of the database

  #look(): void {
    const review = this.#reviews[this.#chosen];
    this.#doing(`looking at ${review.world} …`, async () => {
      const intent = await this.#actions.intent(review.world);
      const preview = await this.#actions.preview(review.world);
      const changes = await ChangeSource.open(this.#actions.diff, { branch: review.world }, this.#style);
      while (changes.more && changes.changes.length < ROWS_AT_FIRST) await changes.load();
      this.#open = { review, intent, preview, changes, picks: new Map(), chosen: 0, top: 0 };
    });
  }

  #approve(open: Open): void {
    const { review, preview, picks } = open;
    const unresolved = preview.conflicts.find(({ key }) => !picks.has(key));
    if (unresolved !== undefined) {
      this.#messages = [
        this.#style.yellow(`${visible(unresolved.key)} is in conflict: o keeps the row of the parent, t takes the one of ${visible(review.world)}`),
      ];
      return;
    }
    if (preview.confirm_deletes === undefined) {
      if (picks.size === 0) this.#decide(open, 'approve', {});
      else this.#merge(open, {});
      return;
    }
    const { deletes, policy } = preview.confirm_deletes;
    this.#ask(`Policy ${policy} asks: how many rows does it delete?`, (answer) => {
      if (Number(answer.trim()) !== deletes || answer.trim() === '') return `that is not the number; the table above says it`;
      this.#merge(open, { confirm_deletes: deletes });
      return '';
    });
  }

  #decide({ review }: Open, verdict: 'approve' | 'reject' | 'pass', more: { reason?: string }): void {
    const doing = { approve: 'approving', reject: 'rejecting', pass: 'passing on' }[verdict];
    this.#doing(`${doing} ${review.world} …`, async () => {
      const { merged } = await this.#actions.review({ branch: review.world, verdict, ...more });
      const done = { approve: `approved ${review.world}: ${merged ?? 0} rows merged`, reject: `rejected ${review.world}`, pass: `passed ${review.world} on` }[
        verdict
      ];
      await this.#over(done);
    });
  }

  /** Merged by the person: a person's own merge is not subject to the policy. */
  #merge({ review, preview, picks }: Open, more: Record<string, unknown>): void {
    this.#doing(`merging ${review.world} …`, async () => {
      const { merged } = await this.#actions.merge({
        branch: review.world,
        version: preview.version,
        target: preview.target,
        ...(picks.size === 0 ? {} : { picks: Object.fromEntries(picks) }),
        ...more,
      });
      await this.#over(`approved ${review.world}: ${merged ?? 0} rows merged`);
    });
  }

  async #over(done: string): Promise<void> {
    this.#decided.push(done);
    this.#reviews = await this.#actions.reviews();
    this.#open = null;
    this.#chosen = Math.max(0, Math.min(this.#chosen, this.#reviews.length - 1));
    this.#messages = [this.#style.green(done)];
  }

  #doing(what: string, act: () => Promise<void>): void {
    this.#busy = what;
    this.#messages = [];
    act()
      .catch((error: unknown) => {
        this.#messages = errorLines(error, null, this.#style, null);
      })
      .finally(() => {
        this.#busy = '';
        this.draw();
      });
  }

  // --- lines

  lines(width: number, height: number): string[] {
    const style = this.#style;
    const question = this.#question;
    this.cursor = null;
    const below: string[] = this.#messages.flatMap((line) => wrapIfPlain(line, width)).slice(0, Math.max(1, height - 6));
    if (question !== null) {
      const { line, x } = question.line(width, style);
      if (question.complaint !== '') below.push(style.yellow(cutLine(question.complaint, width)));
      below.push(line);
      this.cursor = { x, y: height - 1 };
    } else if (this.#busy !== '') below.push(style.dim(this.#busy));
    else below.push(style.inverse(cutLine(this.#keysLine(), width - 1)));
    const body = this.#open === null ? this.#listLines(width) : this.#openLines(this.#open, width);
    this.#page = Math.max(1, height - below.length);
    this.#length = body.length;
    const top = this.#open?.top ?? Math.max(0, this.#chosen - this.#page + 3);
    const shown = body.slice(top, top + this.#page);
    const blank = new Array<string>(Math.max(0, this.#page - shown.length)).fill('');
    return [...shown, ...blank, ...below].map((line) => cutLine(line, width));
  }

  #keysLine(): string {
    const { conflicts } = this.#open?.preview ?? { conflicts: [] };
    if (this.#open === null) return ' ↑↓ choose · enter look · q quit ';
    return ` a approve · r reject · p pass${conflicts.length > 0 ? ' · o/t ours/theirs · tab next' : ''} · space/b scroll · q back `;
  }

  #listLines(width: number): string[] {
    const style = this.#style;
    if (this.#reviews.length === 0) return [style.bold('Reviews'), '', 'No merge waits for a person.'];
    const widest = Math.min(Math.floor(width / 3), Math.max(...this.#reviews.map(({ world }) => world.length)));
    const waiting = this.#reviews.filter((review) => !isDecided(review)).length;
    const rejected = this.#reviews.length - waiting;
    return [
      style.bold(`Reviews: ${waiting} merge${waiting === 1 ? ' waits' : 's wait'} for a person${rejected === 0 ? '' : `, ${rejected} rejected`}`),
      '',
      ...this.#reviews.flatMap((review, i) => {
        const line = `${i === this.#chosen ? '>' : ' '} ${padEnd(cutLine(visible(review.world), widest), widest)}  ${padEnd(visible(review.owner ?? 'a person'), 10)}  ${ago(review.asked, this.#actions.nowMs())}  ${summaryText(review.changes)}`;
        const reason = `      ${style.dim(isDecided(review) ? verdictText(review.verdict!, review.reason) : visible(review.reasons[0]?.message ?? ''))}`;
        return [i === this.#chosen ? style.inverse(padEnd(cutLine(line, width), width)) : line, reason];
      }),
    ];
  }

  #openLines({ review, intent, preview, changes, picks, chosen }: Open, width: number): string[] {
    const style = this.#style;
    const part = (title: string): string => style.bold(title);
    const lines = [
      `${style.bold(visible(review.world))}  by ${visible(review.owner ?? 'a person')}, policy ${visible(review.policy)}, asked ${ago(review.asked, this.#actions.nowMs())}`,
    ];
    const scope = { ...review.scope };
    delete scope['intent'];
    if (intent !== null) lines.push(`“${visible(intent)}”`);
    if (review.changed_since) lines.push(style.yellow('It was changed since it was held: it has to be merged again before it can be approved.'));
    if (review.verdict !== null) lines.push(style.yellow(`A reviewer said: ${verdictText(review.verdict, review.reason)}`));
    lines.push('', part('Why it waits'), ...review.reasons.flatMap(({ message }) => hang('  • ', visible(message), width)));
    if (Object.keys(scope).length > 0) {
      lines.push('', part('Scope that it declared'), ...Object.entries(scope).map(([name, value]) => `  ${visible(name)}: ${visible(listed(value))}`));
    }
    if (preview.blocked.length > 0)
      lines.push('', style.red(style.bold('Checks that it breaks')), ...preview.blocked.flatMap(({ message }) => hang('  • ', visible(message), width)));
    lines.push('', `${part('Changes')}  ${summaryText(review.changes)}`, ...summaryLines(preview.summary, style, width));
    if (preview.definitions !== undefined)
      lines.push('', part('Definitions'), ...definitionLines(preview.definitions, style, width).map((line) => `  ${line}`));
    if (preview.confirm_deletes !== undefined)
      lines.push(style.yellow(`Policy ${preview.confirm_deletes.policy} asks for the number of deletes above ${preview.confirm_deletes.over}.`));
    lines.push(
      '',
      part('Effects'),
      ...(review.effects.length === 0 ? ['  none'] : review.effects.map(({ channel, count }) => `  ${visible(channel)} × ${count}`)),
    );
    if (preview.readers.length > 0) {
      lines.push(
        '',
        part('Who reads what changes'),
        ...preview.readers
          .slice(0, 12)
          .map(
            ({ kind, reader, table, columns }) =>
              `  ${kind} ${visible(reader)} reads ${visible(table)}${columns.length === 0 ? '' : ` (${columns.map(visible).join(', ')})`}`,
          ),
      );
    }
    if (preview.conflicts.length > 0) {
      lines.push(
        '',
        style.yellow(
          style.bold(picks.size === preview.conflicts.length ? 'Conflicts: all resolved' : `Conflicts: ${preview.conflicts.length - picks.size} to resolve`),
        ),
      );
      preview.conflicts.forEach((conflict, i) => {
        const { key } = conflict;
        const { ours, theirs } = conflictSides(conflict);
        const pick = picks.get(key);
        lines.push(`${i === chosen ? '>' : ' '} ${style.bold(visible(key))}${pick === undefined ? '' : style.green(`  ${pick}`)}`);
        lines.push(`    ${pick === 'ours' ? '✓' : ' '} ours    ${style.red(ours)}`, `    ${pick === 'theirs' ? '✓' : ' '} theirs  ${style.green(theirs)}`);
      });
    }
    lines.push('', part('Rows'), ...changes.lines(width));
    if (changes.more) lines.push(style.dim(`… ${changes.total - changes.changes.length} more, space shows them`));
    return lines;
  }
}

function hang(lead: string, text: string, width: number): string[] {
  return wrapWords(text, Math.max(10, width - lead.length)).map((line, i) => (i === 0 ? lead : ' '.repeat(lead.length)) + line);
}

/** Lines with colours are truncated, not wrapped. */
function wrapIfPlain(line: string, width: number): string[] {
  return line.includes('\x1b') ? [line] : wrapWords(line, width);
}

function listed(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : exactJsonText(value);
}

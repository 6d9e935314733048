/**
 * Keys of texts that are equal exactly if an ICU collation considers the texts equal: the keys of columns with a nondeterministic
 * collation, on disk, in every fork. The runtime has collators, which compare, but no sort keys; these are derived by comparing.
 *
 * The root collation gives each text a word of primary weights, one of secondary and one of tertiary weights (UTS #10), and texts
 * are equal at a level if the words up to that level are. A text is split into units that do not interact with their neighbours (a
 * character and its marks), and its words are the concatenation of those of its units. The word of a unit is found by search: its
 * next letter is the greatest character of one primary weight (`atoms`) with which the word is not yet after the unit; likewise for
 * marks, which have only a secondary weight. Each word is compared with its unit before it is used, so that another ICU version than
 * the one this was verified with refuses and never errs.
 *
 * Characters represent weights, the first of each class, so that keys do not change when a later Unicode version adds others in
 * between.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

/** The compared level: 1 letters, 2 their marks, 3 their case and form. */
export type CollationLevel = 1 | 2 | 3;

const SENSITIVITIES = { 1: 'base', 2: 'accent', 3: 'variant' } as const;

/** Languages with the root order. */
const ROOT_LANGUAGES: ReadonlySet<string> = new Set('und root ca de en fr ga id it lb ms nl pt st sw xh zu'.split(' '));

/** Whether keys are available for a locale without further keywords. */
export const isRootOrder = (base: string): boolean => {
  const [language] = base.toLowerCase().split('-', 1);
  return (language === '' || ROOT_LANGUAGES.has(language)) && !/-(?:ca|posix)(?:-|$)/i.test(base);
};

/** Has an implicit primary weight, or none of its own. */
const IMPLICIT = /[\p{Unified_Ideograph}\p{Cn}\p{Co}\p{Cs}\uac00-\ud7a3]/u;
/** Thai vowels before their consonant, a character, and what combines with it or is ignored after it. */
const UNITS = /(?:\p{Logical_Order_Exception}?[^\p{M}]|\p{M})[\p{M}\p{Cf}\p{Cc}\u00b7\u0387\u0e32\u0eb2\u115f\u1160\u3164\uff9e\uff9f\uffa0]*/gsu;
const ASCII = /^[\0-\x7f]*$/;
/** Ignored at all levels, and prevents its neighbours from combining. */
const JOINER = '\u034f';
/** After all others. */
const LAST = '\uffff';
const WORD_MAX = 64;
/** Per collation; the cache is dropped as a whole. */
const UNITS_REMEMBERED_MAX = 50_000;

interface Weights {
  /** All characters except those of `IMPLICIT`, in order; of equal ones the first in Unicode comes first. */
  readonly characters: readonly string[];
  /** A character of each primary weight, in order. */
  readonly atoms: readonly string[];
  /** A character of each stand-alone secondary weight, in order. */
  readonly marks: readonly string[];
  /** Characters that represent several letters, or one whose secondary weight no mark has. */
  readonly others: readonly string[];
}

/** A letter, a variant of some, or a mark. */
interface Part {
  readonly text: string;
  readonly isMark: boolean;
}

type Compare = (a: string, b: string) => number;

/** By letters or parts: the characters that are equal to these in a way that single ones cannot represent, in order. */
type Compounds = Map<string, string[]>;

const collators = new Map<string, Intl.Collator>();

function comparer(level: CollationLevel, shifted: boolean): Compare {
  const name = `${level}${shifted}`;
  let found = collators.get(name);
  if (found === undefined) collators.set(name, (found = new Intl.Collator('en', { sensitivity: SENSITIVITIES[level], ignorePunctuation: shifted })));
  return found.compare;
}

let known: Weights | null = null;

/** Takes a fifth of a second, once. */
function weightsOf(): Weights {
  if (known !== null) return known;
  const [primary, secondary, tertiary] = ([1, 2, 3] as const).map((level) => comparer(level, false));
  const characters: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code === 0xd800) code = 0xe000;
    const character = String.fromCodePoint(code);
    if (!IMPLICIT.test(character)) characters.push(character);
  }
  characters.sort(tertiary);
  const atoms: string[] = [];
  const marks: string[] = [];
  const others: string[] = [];
  const lone = characters.filter((each) => primary(each, '') === 0 && secondary(each, '') !== 0);
  const highest = lone[lone.length - 1];
  const among = ideographs(primary);
  for (const each of characters) {
    if (primary(each, '') === 0) {
      const before = marks[marks.length - 1];
      if (secondary(each, '') !== 0 && (before === undefined || secondary(before + JOINER + highest, each) < 0)) marks.push(each);
      continue;
    }
    const before = atoms[atoms.length - 1];
    const isNew = before === undefined || primary(before + LAST, each) < 0;
    const ideograph = isNew && RADICAL.test(each) ? among[countWhile(among, (other) => primary(other, each) < 0)] : undefined;
    if (ideograph !== undefined && primary(ideograph, each) === 0) atoms.push(ideograph);
    else if (isNew && !IMPLICIT.test(each.normalize('NFKD'))) atoms.push(each);
    const letter = atoms[atoms.length - 1];
    if (letter !== each && each.normalize('NFD') === each && secondary(letter, each) !== 0) others.push(each);
  }
  return (known = { characters, atoms, marks, others });
}

/** Radicals, which are forms of ideographs. */
const RADICAL = /[\u2e80-\u2fdf\u{16ff0}-\u{16fff}]/u;

/** Ideographs of the blocks with the bases of radicals, in order. */
function ideographs(primary: Compare): string[] {
  const list: string[] = [];
  for (const [from, to] of [
    [0x4e00, 0xa000],
    [0x3400, 0x4dc0],
  ])
    for (let code = from; code < to; code++) list.push(String.fromCodePoint(code));
  return list.sort(primary);
}

/** The number of leading elements that satisfy the condition. */
function countWhile(list: readonly string[], holds: (each: string) => boolean): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(list[middle])) from = middle + 1;
    else to = middle;
  }
  return from;
}

const written = ({ text, isMark }: Part): string => (isMark ? JOINER + text + JOINER : text);

export class CollationKeys {
  readonly #level: CollationLevel;
  /** Comparison at each level, from 1. */
  readonly #compare: readonly Compare[];
  readonly #known = new Map<string, string>();
  #ownVariants: Compounds | null = null;
  #ownCompounds: Compounds | null = null;

  /** `shifted`: spaces and punctuation are ignored. */
  constructor(level: CollationLevel, shifted: boolean) {
    this.#level = level;
    this.#compare = [comparer(1, shifted), comparer(2, shifted), comparer(3, shifted)];
  }

  /** 0A000 for a text whose key cannot be derived. */
  keyOf(text: string): string {
    let key = '';
    if (ASCII.test(text)) for (let i = 0; i < text.length; i++) key += this.#ofUnit(text[i]);
    else for (const [unit] of text.normalize('NFD').matchAll(UNITS)) key += this.#ofUnit(unit);
    return key;
  }

  #ofUnit(unit: string): string {
    let key = this.#known.get(unit);
    if (key !== undefined) return key;
    const word = this.#wordOf(unit);
    if (word === null) throw new SvcError('0A000', `a key of "${unit}" by a nondeterministic collation is not supported`);
    key = word;
    if (this.#known.size >= UNITS_REMEMBERED_MAX) this.#known.clear();
    this.#known.set(unit, key);
    return key;
  }

  #wordOf(unit: string): string | null {
    if (this.#compare[this.#level - 1](unit, '') === 0) return '';
    const letters = this.#letters(unit);
    if (letters === null || this.#level === 1) return letters?.join('') ?? null;
    const parts = this.#parts(unit, letters, this.#variants);
    const forms = parts === null || this.#level === 2 ? parts : this.#forms(unit, parts, this.#compounds);
    return forms?.map(({ text }) => text).join('') ?? null;
  }

  #letters(unit: string): string[] | null {
    const { atoms } = weightsOf();
    const [compare] = this.#compare;
    const plain = unit.normalize('NFKD');
    if (plain !== unit && IMPLICIT.test(plain) && compare(plain, unit) === 0) {
      const lists = [...plain.matchAll(UNITS)].map(([each]) => this.#letters(each));
      return lists.includes(null) ? null : lists.flatMap((list) => list!);
    }
    const letters: string[] = [];
    let word = '';
    while (compare(word, unit) !== 0) {
      if (letters.length === WORD_MAX) return null;
      let next: string | undefined = atoms[countWhile(atoms, (each) => compare(word + each, unit) <= 0) - 1];
      if (next === undefined || compare(word + next + LAST, unit) < 0) {
        // The weight of a character with an implicit one: a unit has at most one.
        next = IMPLICIT.exec(unit)?.[0] ?? '';
        if (next === '' || letters.includes(next)) return null;
      }
      letters.push(next);
      word += next;
    }
    return letters;
  }

  /** The letters with marks between them, and variants in their places. */
  #parts(unit: string, letters: readonly string[], variants: Compounds): readonly Part[] | null {
    const { marks } = weightsOf();
    const compare = this.#compare[1];
    const parts: Part[] = [];
    let word = '';
    /** The greatest mark with which the word, including the rest, is not after the unit. */
    const markAfter = (before: string, rest: string): Part | null => {
      const count = countWhile(marks, (each) => compare(before + JOINER + each + JOINER + rest, unit) <= 0);
      return count === 0 ? null : { text: marks[count - 1], isMark: true };
    };
    for (let at = 0; parts.length < WORD_MAX;) {
      const rest = letters.slice(at).join('');
      if (compare(word + rest, unit) === 0) return [...parts, ...letters.slice(at).map((text) => ({ text, isMark: false }))];
      let next = markAfter(word, rest);
      if (next === null) {
        if (at === letters.length) return null;
        const [letter] = letters.slice(at, at + 1);
        const tail = letters.slice(at + 1).join('');
        const marked = markAfter(word + letter, tail);
        const plain = { text: letter, count: 1, whole: word + letter + (marked === null ? '' : written(marked)) + tail };
        const { text, count } = greatest(variants, letters.slice(at), word, unit, compare, plain);
        next = { text, isMark: false };
        at += count;
      }
      parts.push(next);
      word += written(next);
    }
    return null;
  }

  /** The parts in their forms: upper case, circled, wide letters. */
  #forms(unit: string, parts: readonly Part[], compounds: Compounds): readonly Part[] | null {
    const compare = this.#compare[2];
    const forms: Part[] = [];
    let word = '';
    for (let at = 0; at < parts.length;) {
      const { text, isMark } = parts[at];
      const tail = parts
        .slice(at + 1)
        .map(written)
        .join('');
      const list = formsOf(text);
      const wholeOf = (form: string): string => word + written({ text: form, isMark }) + tail;
      let last = countWhile(list, (form) => compare(wholeOf(form), unit) <= 0) - 1;
      for (; last > 0 && compare(list[last - 1], list[last]) === 0; last--);
      const single = last < 0 ? null : { text: list[last], count: 1, whole: wholeOf(list[last]) };
      const rest = parts.slice(at).map(written);
      const best = isMark ? single : greatest(compounds, rest, word, unit, compare, single);
      if (best === null) return null;
      const form = { text: best.text, isMark };
      forms.push(form);
      word += written(form);
      at += best.count;
    }
    return compare(word, unit) === 0 ? forms : null;
  }

  /** Characters equal to letters in a way that marks do not represent. */
  get #variants(): Compounds {
    return (this.#ownVariants ??= this.#compoundsOf((each, so) => {
      const letters = this.#letters(each);
      return letters === null || this.#parts(each, letters, so) !== null ? null : letters;
    }));
  }

  /** Characters equal to parts in forms that single characters do not have. */
  get #compounds(): Compounds {
    return (this.#ownCompounds ??= this.#compoundsOf((each, so) => {
      const letters = this.#letters(each);
      const parts = letters === null ? null : this.#parts(each, letters, this.#variants);
      return parts === null || this.#forms(each, parts, so) !== null ? null : parts.map(written);
    }));
  }

  /** `pieces`: the decomposition of a character that the compounds known so far do not explain. */
  #compoundsOf(pieces: (character: string, so: Compounds) => readonly string[] | null): Compounds {
    const compounds: Compounds = new Map();
    const found = weightsOf().others.map((each) => ({ each, length: this.#letters(each)?.length ?? 0 }));
    // Shorter ones first: longer ones are composed of them if possible. Each list stays in order.
    for (const { each } of found.sort((a, b) => a.length - b.length)) {
      const made = pieces(each, compounds);
      if (made === null || made.length === 0) continue;
      const name = made.join('');
      const list = compounds.get(name);
      if (list === undefined) compounds.set(name, [each]);
      else list.push(each);
    }
    return compounds;
  }
}

/** A prefix of the rest, with the resulting word and remainder. */
interface Step {
  readonly text: string;
  readonly count: number;
  readonly whole: string;
}

/** The greatest possible next step for which the word is not after the unit. */
function greatest<S extends Step | null>(compounds: Compounds, pieces: readonly string[], word: string, unit: string, compare: Compare, single: S): S | Step {
  let best: S | Step = single;
  let name = '';
  for (let count = 1; count <= pieces.length; count++) {
    name += pieces[count - 1];
    const list = compounds.get(name);
    if (list === undefined) continue;
    const tail = pieces.slice(count).join('');
    const fits = countWhile(list, (each) => compare(word + each + tail, unit) <= 0);
    if (fits === 0) continue;
    const whole = word + list[fits - 1] + tail;
    if (best === null || compare(whole, best.whole) > 0) best = { text: list[fits - 1], count, whole };
  }
  return best;
}

/** Characters that differ from a letter or mark only in form, in order. */
function formsOf(text: string): readonly string[] {
  const { characters } = weightsOf();
  const compare = comparer(2, false);
  const from = countWhile(characters, (each) => compare(each, text) < 0);
  const to = countWhile(characters, (each) => compare(each, text) <= 0);
  const list = characters.slice(from, to);
  return IMPLICIT.test(text) ? [text, ...list] : list;
}

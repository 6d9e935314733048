/**
 * Rows of TPC-H (specification 3.0.1, clause 4.2) at any scale factor, streamed and the same on every run.
 *
 * Cardinalities, value ranges, key patterns and the dependencies between columns are the specification's; the pseudo-random
 * stream is our own, so figures are comparable between engines on this data, not with published results. Each row is seeded
 * by its table and key: tables may be made in any order, and orders and line items agree without being kept.
 */
export type TpchTable = 'region' | 'nation' | 'supplier' | 'part' | 'partsupp' | 'customer' | 'orders' | 'lineitem';

export const TPCH_TABLES: readonly TpchTable[] = ['region', 'nation', 'supplier', 'part', 'partsupp', 'customer', 'orders', 'lineitem'];

/** Values in Postgres's input text; none is null. */
export type TpchRow = string[];

const REGIONS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'];
const NATIONS: readonly [string, number][] = [
  ['ALGERIA', 0],
  ['ARGENTINA', 1],
  ['BRAZIL', 1],
  ['CANADA', 1],
  ['EGYPT', 4],
  ['ETHIOPIA', 0],
  ['FRANCE', 3],
  ['GERMANY', 3],
  ['INDIA', 2],
  ['INDONESIA', 2],
  ['IRAN', 4],
  ['IRAQ', 4],
  ['JAPAN', 2],
  ['JORDAN', 4],
  ['KENYA', 0],
  ['MOROCCO', 0],
  ['MOZAMBIQUE', 0],
  ['PERU', 1],
  ['CHINA', 2],
  ['ROMANIA', 3],
  ['SAUDI ARABIA', 4],
  ['VIETNAM', 2],
  ['RUSSIA', 3],
  ['UNITED KINGDOM', 3],
  ['UNITED STATES', 1],
];
const COLORS =
  'almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood burnished chartreuse chiffon chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick floral forest frosted gainsboro ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn lemon light lime linen magenta maroon medium metallic midnight mint misty moccasin navajo navy olive orange orchid pale papaya peach peru pink plum powder puff purple red rose rosy royal saddle salmon sandy seashell sienna sky slate smoke snow spring steel tan thistle tomato turquoise violet wheat white yellow'.split(
    ' ',
  );
const TYPES = [
  ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'],
  ['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED'],
  ['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'],
];
const CONTAINERS = [
  ['SM', 'LG', 'MED', 'JUMBO', 'WRAP'],
  ['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'],
];
const SEGMENTS = ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'];
const PRIORITIES = ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'];
const INSTRUCTIONS = ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'];
const MODES = ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'];

const NOUNS =
  'foxes ideas theodolites pinto beans instructions dependencies excuses platelets asymptotes courts dolphins multipliers sauternes warthogs frets dinos attainments somas Tiresias patterns forges braids hockey players frays warhorses dugouts notornis epitaphs pearls tithes waters orbits gifts sheaves depths sentiments decoys realms pains grouches escapades packages requests accounts deposits'.split(
    ' ',
  );
const VERBS =
  'sleep wake are cajole haggle nag use boost affix detect integrate maintain nod was lose sublate solve thrash promise engage hinder print x-ray breach eat grow impress mold poach serve run dazzle snooze doze unwind kindle play hang believe doubt'.split(
    ' ',
  );
const ADJECTIVES =
  'furious sly careful blithe quick fluffy slow quiet ruthless thin close dogged daring brave stealthy permanent enticing idle busy regular final ironic even bold silent special pending express unusual'.split(
    ' ',
  );
const ADVERBS =
  'sometimes always never furiously slyly carefully blithely quickly fluffily slowly quietly ruthlessly thinly closely doggedly daringly bravely stealthily permanently enticingly idly busily regularly finally ironically evenly boldly silently'.split(
    ' ',
  );
const PREPOSITIONS =
  'about above according across after against along among around at atop before behind beneath beside besides between beyond by despite during except for from into'.split(
    ' ',
  );

const DAY_MS = 86_400_000;
const START = Date.UTC(1992, 0, 1) / DAY_MS;
const END = Date.UTC(1998, 11, 31) / DAY_MS;
const CURRENT = Date.UTC(1995, 5, 17) / DAY_MS;

/** Chosen so that the rarest events (an order of more than 300 pieces, parts and lines that queries 17 and 19 take) happen at scale 0.01 too. */
const SEED = 11;

/** splitmix32 over table, key and position. */
class Stream {
  #state: number;

  constructor(table: number, key: number) {
    this.#state = (Math.imul(table + 1, 0x9e3779b1) ^ Math.imul(key, 0x85ebca6b) ^ Math.imul(SEED, 0xc2b2ae35)) >>> 0;
    this.#step();
    this.#state ^= Math.floor(key / 0x100000000);
  }

  #step(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  between(low: number, high: number): number {
    return low + Math.floor((this.#step() / 4294967296) * (high - low + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)];
  }

  /** Clause 4.2.2.10: sentences of a small grammar, cut to a random length. */
  text(low: number, high: number): string {
    const length = this.between(low, high);
    let text = '';
    while (text.length < length) {
      const noun = (): string =>
        (this.between(0, 1) === 0 ? '' : `${this.between(0, 3) === 0 ? `${this.pick(ADVERBS)} ` : ''}${this.pick(ADJECTIVES)} `) + this.pick(NOUNS);
      const tail = this.between(0, 2) === 0 ? '' : ` ${this.pick(PREPOSITIONS)} the ${noun()}`;
      text += `${noun()} ${this.pick(VERBS)}${this.between(0, 1) === 0 ? '' : ` ${this.pick(ADVERBS)}`}${tail}${this.pick(['.', ';', '!', '?', '--'])} `;
    }
    return text.slice(0, length).trimEnd();
  }

  address(): string {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, ';
    return Array.from({ length: this.between(10, 40) }, () => letters[this.between(0, letters.length - 1)])
      .join('')
      .trim();
  }

  phone(nation: number): string {
    return `${nation + 10}-${this.between(100, 999)}-${this.between(100, 999)}-${this.between(1000, 9999)}`;
  }
}

export function tpchCounts(scale: number): { supplier: number; part: number; customer: number; orders: number } {
  const count = (base: number): number => Math.max(1, Math.round(base * scale));
  return { supplier: count(10_000), part: count(200_000), customer: count(150_000), orders: count(1_500_000) };
}

export function tpchRows(table: TpchTable, scale: number): Generator<TpchRow> {
  return MAKERS[table](scale);
}

const MAKERS: Record<TpchTable, (scale: number) => Generator<TpchRow>> = {
  *region() {
    for (const [key, name] of REGIONS.entries()) yield [String(key), name, new Stream(0, key).text(31, 115)];
  },
  *nation() {
    for (const [key, [name, region]] of NATIONS.entries()) yield [String(key), name, String(region), new Stream(1, key).text(31, 114)];
  },
  *supplier(scale) {
    const count = tpchCounts(scale).supplier;
    for (let key = 1; key <= count; key++) {
      const stream = new Stream(2, key);
      const nation = stream.between(0, 24);
      const row = [String(key), numbered('Supplier', key), stream.address(), String(nation), stream.phone(nation), cents(stream.between(-99_999, 999_999))];
      // Five of ten thousand have complaints, five recommendations; the first of each 2000 keeps both at small scales.
      const words = key % 2000 === 13 ? 'Customer Complaints' : key % 2000 === 77 ? 'Customer Recommends' : null;
      const comment = stream.text(25, 100);
      row.push(words === null ? comment : `${comment.slice(0, 20)}${words.replace(' ', ' slyly ')} ${comment.slice(20, 60)}`.trimEnd());
      yield row;
    }
  },
  *part(scale) {
    const count = tpchCounts(scale).part;
    for (let key = 1; key <= count; key++) {
      const stream = new Stream(3, key);
      const words = new Set<string>();
      while (words.size < 5) words.add(stream.pick(COLORS));
      const maker = stream.between(1, 5);
      yield [
        String(key),
        [...words].join(' '),
        `Manufacturer#${maker}`,
        `Brand#${maker}${stream.between(1, 5)}`,
        TYPES.map((syllable) => stream.pick(syllable)).join(' '),
        String(stream.between(1, 50)),
        CONTAINERS.map((syllable) => stream.pick(syllable)).join(' '),
        cents(retailPrice(key)),
        stream.text(5, 22),
      ];
    }
  },
  *partsupp(scale) {
    const counts = tpchCounts(scale);
    for (let part = 1; part <= counts.part; part++) {
      const stream = new Stream(4, part);
      for (let at = 0; at < 4; at++) {
        yield [
          String(part),
          String(supplierOf(part, at, counts.supplier)),
          String(stream.between(1, 9999)),
          cents(stream.between(100, 100_000)),
          stream.text(49, 198),
        ];
      }
    }
  },
  *customer(scale) {
    const count = tpchCounts(scale).customer;
    for (let key = 1; key <= count; key++) {
      const stream = new Stream(5, key);
      const nation = stream.between(0, 24);
      yield [
        String(key),
        numbered('Customer', key),
        stream.address(),
        String(nation),
        stream.phone(nation),
        cents(stream.between(-99_999, 999_999)),
        stream.pick(SEGMENTS),
        stream.text(29, 116),
      ];
    }
  },
  *orders(scale) {
    for (const order of orderFacts(scale)) yield order.row;
  },
  *lineitem(scale) {
    for (const order of orderFacts(scale)) yield* order.lines;
  },
};

function* orderFacts(scale: number): Generator<{ row: TpchRow; lines: TpchRow[] }> {
  const counts = tpchCounts(scale);
  const clerks = Math.max(1, Math.round(1000 * scale));
  for (let at = 0; at < counts.orders; at++) {
    // Only the first 8 of each 32 keys are used.
    const key = Math.floor(at / 8) * 32 + (at % 8) + 1;
    const stream = new Stream(6, key);
    // A third of the customers never order.
    let customer = stream.between(1, counts.customer);
    while (customer % 3 === 0 && counts.customer > 2) customer = stream.between(1, counts.customer);
    const date = stream.between(START, END - 151);
    const lines: TpchRow[] = [];
    let total = 0;
    let shipped = 0;
    const lineCount = stream.between(1, 7);
    for (let line = 1; line <= lineCount; line++) {
      const part = stream.between(1, counts.part);
      const supplier = supplierOf(part, stream.between(0, 3), counts.supplier);
      const quantity = stream.between(1, 50);
      const extended = quantity * retailPrice(part);
      const discount = stream.between(0, 10);
      const tax = stream.between(0, 8);
      const ship = date + stream.between(1, 121);
      const commit = date + stream.between(30, 90);
      const receipt = ship + stream.between(1, 30);
      const returned = receipt <= CURRENT ? stream.pick(['R', 'A']) : 'N';
      if (ship <= CURRENT) shipped++;
      total += Math.round((extended * (100 + tax) * (100 - discount)) / 10_000);
      lines.push([
        String(key),
        String(part),
        String(supplier),
        String(line),
        `${quantity}.00`,
        cents(extended),
        cents(discount),
        cents(tax),
        returned,
        ship > CURRENT ? 'O' : 'F',
        day(ship),
        day(commit),
        day(receipt),
        stream.pick(INSTRUCTIONS),
        stream.pick(MODES),
        stream.text(10, 43),
      ]);
    }
    const status = shipped === lineCount ? 'F' : shipped === 0 ? 'O' : 'P';
    const clerk = numbered('Clerk', stream.between(1, clerks));
    yield { row: [String(key), String(customer), status, cents(total), day(date), stream.pick(PRIORITIES), clerk, '0', stream.text(19, 78)], lines };
  }
}

function retailPrice(part: number): number {
  return 90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000);
}

function supplierOf(part: number, at: number, suppliers: number): number {
  return ((part + at * (Math.floor(suppliers / 4) + Math.floor((part - 1) / suppliers))) % suppliers) + 1;
}

function numbered(word: string, key: number): string {
  return `${word}#${String(key).padStart(9, '0')}`;
}

function cents(value: number): string {
  const sign = value < 0 ? '-' : '';
  const digits = String(Math.abs(value)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function day(days: number): string {
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}

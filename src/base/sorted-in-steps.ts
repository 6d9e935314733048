/** A stable sort in steps, for lists that one turn of the event loop could not sort: runs are sorted, then merged in pairs. */

/** A run, and as many merged items, take some milliseconds at most. */
const RUN = 4096;

export function* sortedInSteps<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Generator<void, Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: Item[][] = [];
    for (let i = 0; i < runs.length; i += 2) longer.push(i + 1 < runs.length ? yield* merged(runs[i], runs[i + 1], compare) : runs[i]);
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<Item>(left: readonly Item[], right: readonly Item[], compare: (a: Item, b: Item) => number): Generator<void, Item[]> {
  const out: Item[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    out.push(compare(left[l], right[r]) <= 0 ? left[l++] : right[r++]);
    if (out.length % RUN === 0) yield;
  }
  for (; l < left.length; l++) out.push(left[l]);
  for (; r < right.length; r++) out.push(right[r]);
  return out;
}

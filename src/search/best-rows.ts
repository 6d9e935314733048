/** The best of many, by a heap with the worst of them on top. */

const ITEMS_A_STEP = 1 << 15;

/** Numbers below `size`, or those `among`, that are better than the others, best first, in steps. `isBetter` is a total order. */
export function* bestOf(size: number, among: readonly number[] | null, count: number, isBetter: (a: number, b: number) => boolean): Generator<void, number[]> {
  if (count <= 0) return [];
  const heap: number[] = [];
  const all = among?.length ?? size;
  for (let from = 0; from < all; from += ITEMS_A_STEP) {
    offer(heap, from, Math.min(from + ITEMS_A_STEP, all), among, count, isBetter);
    yield;
  }
  return heap.sort((a, b) => (isBetter(a, b) ? -1 : 1));
}

function offer(heap: number[], from: number, to: number, among: readonly number[] | null, count: number, isBetter: (a: number, b: number) => boolean): void {
  for (let n = from; n < to; n++) {
    const i = among === null ? n : among[n];
    if (heap.length < count) {
      heap.push(i);
      rise(heap, isBetter);
    } else if (isBetter(i, heap[0])) {
      heap[0] = i;
      sink(heap, isBetter);
    }
  }
}

function rise(heap: number[], isBetter: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  const item = heap[at];
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBetter(heap[parent], item)) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = item;
}

function sink(heap: number[], isBetter: (a: number, b: number) => boolean): void {
  let at = 0;
  const item = heap[0];
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBetter(heap[child], heap[child + 1])) child++;
    if (!isBetter(item, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}

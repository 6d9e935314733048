/** Reads pages from a root in the store and compares each with the hash kept by its parent; those in `seen` were compared before. */
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import { checkHash } from './check.ts';
import { decodePage } from './page-format.ts';

export function* verifyPages(
  store: PageStore,
  root: number,
  hash: Uint8Array,
  total: { pages: number; bytes: number },
  seen = new Set<number>(),
): Generator<void> {
  const todo: { id: number; hash: Uint8Array }[] = [{ id: root, hash }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    const bytes = store.read(next.id);
    if (bytes === undefined) {
      throw new CacheDamage(`page ${next.id} is missing from the page cache`);
    }
    checkHash(bytes, next.hash, next.id);
    total.pages++;
    total.bytes += bytes.length;
    const node = decodePage(bytes, next.id);
    if (node.isLeaf) {
      for (const vec of node.cols) {
        if (vec.refs === null) continue;
        for (let i = 0; i < node.count; i++) if (vec.tag(i) === 0) todo.push({ id: vec.f64[i], hash: vec.hashes!.subarray(32 * i, 32 * i + 32) });
      }
    } else for (let i = 0; i < node.ids.length; i++) todo.push({ id: node.ids[i], hash: node.hashes[i]! });
    yield;
  }
}

// Values of a store as LangGraph keeps them: without an index, and with one over vectors.
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';

const { PORT, DATABASE, USER } = process.env;
export const url = `postgres://${USER}@127.0.0.1:${PORT}/${DATABASE}`;
export const say = (name, value) => console.log(name, JSON.stringify(value));
/** Three numbers of a text: its length, its vowels, its last letter. */
const embed = (text) => [text.length / 10, (text.match(/[aeiou]/g) ?? []).length / 3, text.charCodeAt(text.length - 1) / 100];
const store = async (name, index) => {
  const made = new PostgresStore({
    connectionOptions: url,
    schema: name,
    ensureTables: true,
    index: index === null ? undefined : { dims: 3, embed: (texts) => Promise.resolve(texts.map(embed)), fields: ['text'], ...index },
  });
  await made.setup();
  return made;
};
export async function useStore(name, index) {
  const kept = await store(name, index);
  for (const [key, text] of [
    ['a', 'about the sea'],
    ['b', 'a boat'],
    ['c', 'mountains'],
    ['d', 'the sea'],
  ])
    await kept.put(['users', 'ann'], key, { text, tags: [key], n: text.length });
  await kept.put(['users', 'bob'], 'x', { text: 'other', n: 1 });
  await kept.put(['users', 'ann'], 'c', null);
  say(`${name} got`, await kept.get(['users', 'ann'], 'a').then(({ key, value, namespace }) => ({ key, value, namespace })));
  say(
    `${name} batch`,
    (
      await kept.batch([
        { namespace: ['users', 'ann'], key: 'b' },
        { namespacePrefix: ['users'], limit: 10, offset: 0, filter: { n: { $gt: 6 } } },
        { matchConditions: [{ matchType: 'prefix', path: ['users'] }], limit: 5, offset: 0, maxDepth: 2 },
      ])
    ).map((each) => (Array.isArray(each) ? each.map((item) => item.key ?? item).sort() : (each?.key ?? null))),
  );
  say(`${name} namespaces`, await kept.listNamespaces({ prefix: ['users'], maxDepth: 2 }));
  if (index !== null)
    say(
      `${name} nearest`,
      (await kept.search(['users'], { query: 'the seas', limit: 3 })).map(({ key, score }) => [key, Math.round(score * 1e4)]),
    );
  say(
    `${name} words`,
    (await kept.search(['users'], { filter: { n: 6 } })).map(({ key }) => key),
  );
  await kept.end?.();
  await kept.stop?.();
}

/**
/**
 * `npm run soak [-- part ...]`: what takes longer than a test may. Parts, each with its own file: agents, kills, floods, damage, library;
 * all of them where none is named. Sizes come from the environment: SVC_SOAK_SECONDS, _ROWS, _RETENTION, _KILLS, _FLOODS, _DAMAGES.
 */
const PARTS: Readonly<Record<string, () => Promise<{ soak(say: (text: string) => void): Promise<void> }>>> = {
  agents: () => import('./part-agents.ts'),
  kills: () => import('./part-kills.ts'),
  floods: () => import('./part-floods.ts'),
  damage: () => import('./part-damage.ts'),
  library: () => import('./part-library.ts'),
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no part "${unknown}"; parts are ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(2);
}
for (const [name, load] of Object.entries(PARTS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stdout.write(`--- ${name}\n`);
  const { soak } = await load();
  await soak((text) => void process.stdout.write(`${text}\n`));
}

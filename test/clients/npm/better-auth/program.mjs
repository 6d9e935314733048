// Migrates and uses better-auth's own tables over a pool of pg.
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { organization, username } from 'better-auth/plugins';
import pg from 'pg';

const database = new pg.Pool({ host: '127.0.0.1', port: Number(process.env.PORT), database: process.env.DATABASE, user: process.env.USER, max: 3 });
const options = {
  database,
  secret: 'a secret of thirty-two characters or more',
  baseURL: 'http://localhost:3000',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  user: { additionalFields: { age: { type: 'number', required: false }, likes: { type: 'json', required: false } } },
  plugins: [username(), organization()],
};
const say = (name, value) => console.log(name, JSON.stringify(value));
const planned = await getMigrations(options);
say(
  'to create',
  planned.toBeCreated.map(({ table, fields }) => [table, Object.keys(fields).length]),
);
await planned.runMigrations();
const { toBeCreated, toBeAdded } = await getMigrations(options);
say('left', [toBeCreated.length, toBeAdded.length]);
await database.query('ALTER TABLE "user" DROP COLUMN age');
const again = await getMigrations(options);
say(
  'to add',
  again.toBeAdded.map(({ table, fields }) => [table, Object.keys(fields)]),
);
await again.runMigrations();
const auth = betterAuth(options);
const { headers, response } = await auth.api.signUpEmail({
  body: { email: 'Ann@example.com', password: 'password-of-ann', name: 'Ann', username: 'ann_1', age: 30 },
  returnHeaders: true,
});
say('signed up', [response.user.email, response.user.age, response.user.emailVerified, typeof response.token]);
const cookie = headers
  .getSetCookie()
  .map((each) => each.split(';')[0])
  .join('; ');
const session = await auth.api.getSession({ headers: new Headers({ cookie }) });
say('session', [session.user.name, session.user.username, session.session.userId === session.user.id]);
const refused = (name, work) =>
  work.then(
    () => say(name, 'no error'),
    (error) => say(name, [error.status ?? null, error.body?.code ?? error.message]),
  );
await refused('same address', auth.api.signUpEmail({ body: { email: 'ann@example.com', password: 'another-password', name: 'A' } }));
await refused('wrong password', auth.api.signInEmail({ body: { email: 'ann@example.com', password: 'wrong' } }));
say('by name', (await auth.api.signInUsername({ body: { username: 'ANN_1', password: 'password-of-ann' } })).user.name);
await auth.api.updateUser({ body: { name: 'Anne', age: 31 }, headers: new Headers({ cookie }) });
say('sessions', (await auth.api.listSessions({ headers: new Headers({ cookie }) })).length);
const made = await auth.api.createOrganization({ body: { name: 'Org', slug: 'org', metadata: { a: [1] } }, headers: new Headers({ cookie }) });
say('organization', [made.name, made.metadata, made.members.map(({ role }) => role)]);
await auth.api.createInvitation({ body: { email: 'bob@example.com', role: 'member', organizationId: made.id }, headers: new Headers({ cookie }) });
const full = await auth.api.getFullOrganization({ query: { organizationId: made.id }, headers: new Headers({ cookie }) });
say('full', [full.members.map(({ user }) => user.name), full.invitations.map(({ email, status }) => [email, status])]);
const context = await auth.$context;
for (let i = 0; i < 5; i++)
  await context.adapter.create({
    model: 'user',
    data: { name: `U${i}`, email: `u${i}@x`, emailVerified: i % 2 === 0, age: i, createdAt: new Date(0), updatedAt: new Date(0) },
  });
const find = (where, more = {}) => context.adapter.findMany({ model: 'user', where, sortBy: { field: 'email', direction: 'desc' }, ...more });
say(
  'found',
  (
    await find(
      [
        { field: 'age', operator: 'gte', value: 1 },
        { field: 'email', operator: 'starts_with', value: 'u' },
      ],
      { limit: 2, offset: 1 },
    )
  ).map(({ email, emailVerified, createdAt }) => [email, emailVerified, createdAt]),
);
say(
  'or',
  (
    await find([
      { field: 'name', value: 'U1', connector: 'OR' },
      { field: 'name', operator: 'in', value: ['U3', 'U4'], connector: 'OR' },
    ])
  ).length,
);
say('updated', await context.adapter.updateMany({ model: 'user', where: [{ field: 'email', operator: 'ends_with', value: '@x' }], update: { name: 'same' } }));
say('count', await context.adapter.count({ model: 'user', where: [{ field: 'name', value: 'same' }] }));
say(
  'deleted',
  await context.adapter.deleteMany({
    model: 'user',
    where: [
      { field: 'age', operator: 'lt', value: 3 },
      { field: 'name', value: 'same' },
    ],
  }),
);
await auth.api.revokeSessions({ headers: new Headers({ cookie }) });
say('signed out', await auth.api.getSession({ headers: new Headers({ cookie }) }));
say(
  'rows',
  (
    await database.query(
      'SELECT (SELECT count(*)::int FROM "user") AS users, (SELECT count(*)::int FROM account) AS accounts, (SELECT count(*)::int FROM session) AS sessions',
    )
  ).rows,
);
await database.end();

import { DataTypes, Op, QueryTypes, Sequelize, Transaction, type Model, type ModelStatic } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';
import { quiet } from './client-programs.ts';

type AnyModel = ModelStatic<Model<Record<string, unknown>, Record<string, unknown>>>;

let served: Served;
let sequelize: Sequelize;
let User: AnyModel;
let Order: AnyModel;
let Tag: AnyModel;
beforeAll(async () => {
  served = await serve();
  sequelize = new Sequelize({ dialect: 'postgres', host: '127.0.0.1', port: served.port, username: 'me', database: 'main', logging: false });
  User = sequelize.define('User', {
    name: { type: DataTypes.STRING(40), allowNull: false, unique: true },
    mood: { type: DataTypes.STRING, defaultValue: 'ok' },
    tags: { type: DataTypes.ARRAY(DataTypes.TEXT) },
    meta: { type: DataTypes.JSONB, defaultValue: {} },
    key: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4 },
    score: { type: DataTypes.DECIMAL(8, 2), comment: 'of ten' },
    seen: { type: DataTypes.DATE(3) },
    born: { type: DataTypes.DATEONLY },
    data: { type: DataTypes.BLOB },
  }) as AnyModel;
  Order = sequelize.define(
    'Order',
    { id: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true }, amount: { type: DataTypes.INTEGER, allowNull: false, validate: { min: 0 } } },
    {
      paranoid: true,
      indexes: [
        { fields: ['amount'], where: { amount: { [Op.gt]: 10 } } },
        { unique: true, fields: ['UserId', 'amount'] },
      ],
    },
  ) as AnyModel;
  Tag = sequelize.define('Tag', { label: { type: DataTypes.TEXT, primaryKey: true } }, { timestamps: false }) as AnyModel;
  User.hasMany(Order);
  Order.belongsTo(User);
  Order.belongsToMany(Tag, { through: 'OrderTags' });
  Tag.belongsToMany(Order, { through: 'OrderTags' });
});
afterAll(async () => {
  await sequelize.close();
  await quiet(served);
});

test('authenticates and syncs, again and altering', async () => {
  await sequelize.authenticate();
  expect(await sequelize.databaseVersion()).toMatch(/^15\./);
  await sequelize.sync();
  await sequelize.sync();
  await sequelize.sync({ alter: true });
  expect((await sequelize.getQueryInterface().showAllTables()).toSorted()).toEqual(['OrderTags', 'Orders', 'Tags', 'Users']);
});

test('ENUM columns, whose types it makes and adds labels to by DO, and findOrCreate, which makes a function', async () => {
  const columns = { name: { type: DataTypes.STRING, unique: true }, seats: DataTypes.RANGE(DataTypes.INTEGER) };
  const Trip = sequelize.define('Trip', { kind: DataTypes.ENUM('land', 'sea'), ...columns }) as AnyModel;
  await Trip.sync();
  const found = async (name: string): Promise<unknown[]> => {
    const [row, isNew] = await Trip.findOrCreate({ where: { name }, defaults: { kind: 'sea', seats: [1, 5] } });
    return [row.get('kind'), isNew];
  };
  expect([await found('far'), await found('far')]).toEqual([
    ['sea', true],
    ['sea', false],
  ]);
  const Wider = sequelize.define('Trip', { kind: DataTypes.ENUM('land', 'sea', 'air'), ...columns }) as AnyModel;
  await Wider.sync({ alter: true });
  await Wider.create({ kind: 'air', name: 'high' });
  expect((await Wider.findAll({ order: ['kind'] })).map((row) => row.get('kind'))).toEqual(['sea', 'air']);
  await expect(sequelize.query(`INSERT INTO "Trips" (kind) VALUES ('rail')`)).rejects.toThrow('invalid input value for enum "enum_Trips_kind": "rail"');
  await Wider.drop({ cascade: true });
});

test('describes its tables', async () => {
  const users = await sequelize.getQueryInterface().describeTable('Users');
  expect(users).toMatchObject({
    id: { type: 'INTEGER', allowNull: false, defaultValue: expect.stringContaining('Users_id_seq'), primaryKey: true },
    name: { type: 'CHARACTER VARYING(40)', allowNull: false },
    tags: { type: 'ARRAY' },
    score: { type: 'NUMERIC', comment: 'of ten' },
  });
  const indexes = (await sequelize.getQueryInterface().showIndex('Orders')) as {
    name: string;
    unique: boolean;
    primary: boolean;
    fields: { attribute: string }[];
  }[];
  expect(indexes.map(({ name, unique, primary, fields }) => [name, unique, primary, fields.map(({ attribute }) => attribute)])).toEqual([
    ['Orders_pkey', true, true, ['id']],
    ['orders__user_id_amount', true, false, ['UserId', 'amount']],
    ['orders_amount', false, false, ['amount']],
  ]);
  const keys = (await sequelize.getQueryInterface().getForeignKeyReferencesForTable('Orders')) as unknown as Record<string, unknown>[];
  expect(keys).toMatchObject([{ tableName: 'Orders', columnName: 'UserId', referencedTableName: 'Users', referencedColumnName: 'id' }]);
});

test('creates, includes, counts', async () => {
  const ann = await User.create(
    {
      name: 'Ann',
      tags: ['a', 'b'],
      meta: { a: { b: 1 } },
      score: 1.5,
      seen: new Date(5),
      born: '2000-01-02',
      data: Buffer.from([0, 255]),
      Orders: [{ amount: 5 }, { amount: 20 }],
    },
    { include: [Order] },
  );
  await User.bulkCreate([{ name: 'Bob' }, { name: 'Ann', mood: 'sad' }], { updateOnDuplicate: ['mood'], conflictAttributes: ['name'] } as object);
  const found = await User.findOne({ where: { meta: { a: { b: 1 } }, tags: { [Op.contains]: ['a'] } }, include: [Order], order: [[Order, 'amount', 'ASC']] });
  expect(found!.toJSON()).toMatchObject({
    id: ann.get('id'),
    name: 'Ann',
    mood: 'sad',
    tags: ['a', 'b'],
    meta: { a: { b: 1 } },
    score: '1.50',
    seen: new Date(5),
    born: '2000-01-02',
    data: Buffer.from([0, 255]),
    Orders: [{ amount: 5 }, { amount: 20 }],
  });
  const { count, rows } = await Order.findAndCountAll({
    include: [{ model: User, where: { name: { [Op.iLike]: 'a%' } } }],
    limit: 1,
    offset: 1,
    order: ['amount'],
  });
  expect([count, rows.map((row) => row.get('amount'))]).toEqual([2, [20]]);
  const [order] = rows as unknown as { addTag(tag: unknown): Promise<void>; getTags(): Promise<Model[]> }[];
  await order.addTag(await Tag.create({ label: 'new' }));
  expect((await order.getTags()).map((tag) => tag.get('label'))).toEqual(['new']);
  expect(await Order.sum('amount')).toBe(25);
  expect(await Order.count({ group: ['UserId'] })).toEqual([{ UserId: 1, count: 2 }]);
});

test('upserts, finds or creates, increments', async () => {
  const [user, made] = await User.upsert({ name: 'Cy', mood: 'ok' });
  expect([user.get('name'), made]).toEqual(['Cy', null]);
  const [, created] = await User.findCreateFind({ where: { name: 'Dee' }, defaults: { name: 'Dee' } });
  expect(created).toBe(true);
  expect((await User.findCreateFind({ where: { name: 'Dee' } }))[1]).toBe(false);
  await Order.increment('amount', { by: 1, where: { amount: 5 } });
  expect(await Order.destroy({ where: { amount: 6 } })).toBe(1);
  expect(await Order.count()).toBe(1);
  expect(await Order.count({ paranoid: false })).toBe(2);
  await expect(User.create({ name: 'Ann' })).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError', fields: { name: 'Ann' } });
  await expect(Order.create({ amount: 1, UserId: 99 })).rejects.toMatchObject({ name: 'SequelizeForeignKeyConstraintError', index: 'Orders_UserId_fkey' });
});

test('transactions', async () => {
  await expect(
    sequelize.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.SERIALIZABLE }, async (transaction) => {
      await User.destroy({ where: {}, transaction });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await sequelize.transaction(async (transaction) => {
    const user = await User.findOne({ where: { name: 'Bob' }, lock: transaction.LOCK.UPDATE, transaction });
    await user!.update({ score: 3 }, { transaction });
    const nested = await sequelize.transaction({ transaction });
    await User.destroy({ where: { name: 'Bob' }, transaction: nested });
    await nested.rollback();
  });
  expect((await User.findOne({ where: { name: 'Bob' } }))!.get('score')).toBe('3.00');
  expect(await sequelize.query('SELECT $1::int + 1 AS a', { bind: [1], type: QueryTypes.SELECT })).toEqual([{ a: 2 }]);
});

test('changes tables by the query interface', async () => {
  const queries = sequelize.getQueryInterface();
  await queries.addColumn('Tags', 'note', { type: DataTypes.STRING });
  await queries.changeColumn('Tags', 'note', { type: DataTypes.TEXT, defaultValue: '' });
  await queries.renameColumn('Tags', 'note', 'remark');
  await queries.addIndex('Tags', ['remark'], { name: 'tags_remark' });
  await queries.addConstraint('Tags', { type: 'check', name: 'short', fields: ['remark'], where: { remark: { [Op.ne]: 'x' } } });
  await queries.removeConstraint('Tags', 'short');
  await queries.removeIndex('Tags', 'tags_remark');
  await queries.removeColumn('Tags', 'remark');
  await queries.renameTable('Tags', 'Labels');
  expect(await queries.tableExists('Labels')).toBe(true);
});

test('drops its schema', async () => {
  await sequelize.drop({ cascade: true });
  await sequelize.getQueryInterface().dropAllTables();
  await sequelize.getQueryInterface().dropAllEnums();
  expect(await sequelize.getQueryInterface().showAllTables()).toEqual([]);
});

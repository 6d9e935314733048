# Makes tables as an application does, works with them, and says what came out.
require 'active_record'
require 'pg'
require 'stringio'

ActiveRecord::Base.establish_connection(
  adapter: 'postgresql', host: '127.0.0.1', port: ENV.fetch('PORT').to_i, username: ENV.fetch('USER'), database: ENV.fetch('DATABASE'), min_messages: 'warning'
)
ActiveRecord::Migration.verbose = false
ActiveRecord::Schema.define(version: 1) do
  enable_extension 'citext'
  enable_extension 'pgcrypto'
  create_table :authors, id: :uuid, default: -> { 'gen_random_uuid()' } do |t|
    t.string :name, null: false, limit: 50, index: { unique: true }
    t.jsonb :meta, default: {}, index: { using: :gin }
    t.text :tags, array: true, default: []
    t.citext :nick
    t.inet :ip
    t.int4range :span
    t.date :born
    t.interval :lasts
    t.boolean :ok, default: true
    t.timestamps
  end
  create_table :books do |t|
    t.string :title
    t.references :author, type: :uuid, foreign_key: { on_delete: :cascade }
    t.decimal :price, precision: 8, scale: 2
    t.binary :data
    t.bit :flags, limit: 4
    t.money :cost
    t.tsvector :words
    t.integer :status, default: 0
    t.index 'lower(title)', name: 'by_lower'
    t.index %i[title author_id], unique: true, where: 'price > 0'
    t.check_constraint 'price >= 0', name: 'priced'
  end
  add_column :books, :note, :text, comment: 'a note'
  change_column_default :books, :note, from: nil, to: 'x'
  rename_column :books, :note, :remark
  change_column :books, :status, :bigint
  add_index :books, :price, order: { price: :desc }, algorithm: :concurrently
end

class Author < ActiveRecord::Base
  attribute :lasts, :interval
  has_many :books
end

class Book < ActiveRecord::Base
  belongs_to :author
  enum status: { draft: 0, live: 1 }
end

connection = ActiveRecord::Base.connection
ann = Author.create!(
  name: 'Ann', meta: { a: { b: 1 } }, tags: %w[x y], nick: 'ANN', ip: '10.0.0.1', span: 1..5, born: Date.new(1980, 1, 2), lasts: 1.day + 2.hours
).reload
p values: [ann.meta, ann.tags, ann.nick, ann.ip.to_s, ann.span, ann.born, ann.lasts.iso8601, ann.ok]
Book.insert_all((1..20).map { |i| { title: "B#{i}", author_id: ann.id, price: i, cost: i } })
Book.upsert_all([{ id: 1, title: 'B1', author_id: ann.id, price: 100 }])
p found: Book.where('lower(title) = ?', 'b3').pluck(:title, :price, :cost), live: Book.live.count, groups: Book.group(:status).count, sum: Book.sum(:price)
p order: Book.order(price: :desc).limit(2).pluck(:title), json: Author.where('meta @> ?', { a: { b: 1 } }.to_json).count
p arrays: Author.where('tags && ARRAY[?]::text[]', ['x']).count, citext: Author.where(nick: 'ann').count
begin
  Author.create!(name: 'Ann')
rescue ActiveRecord::RecordNotUnique => e
  p refused: e.class
end
begin
  Book.create!(title: 'z', author: ann, price: -1)
rescue ActiveRecord::StatementInvalid => e
  p refused: e.cause.class
end
ActiveRecord::Base.transaction do
  Book.order(:id).first.update!(title: 'T')
  ActiveRecord::Base.transaction(requires_new: true) do
    Book.delete_all
    raise ActiveRecord::Rollback
  end
end
p kept: Book.count, locked: Book.first.with_lock { 1 }, pieces: Book.find_each(batch_size: 3).count
p joined: Book.joins(:author).where(authors: { name: 'Ann' }).distinct.count, preloaded: Author.includes(:books).first.books.size
connection.raw_connection.tap { |raw| raw.copy_data('COPY books (title) FROM STDIN') { raw.put_copy_data("c1\nc2\n") } }
p copied: Book.where(title: %w[c1 c2]).count, advisory: [connection.get_advisory_lock(5), connection.release_advisory_lock(5)]
p tables: connection.tables.sort, keys: connection.foreign_keys(:books).map { |key| [key.column, key.on_delete] }
p indexes: connection.indexes(:books).map { |index| [index.name, index.columns, index.unique, index.where] }.sort_by(&:first)
schema = StringIO.new
ActiveRecord::SchemaDumper.dump(connection, schema)
puts schema.string.lines.reject { |line| line.start_with?('#') }

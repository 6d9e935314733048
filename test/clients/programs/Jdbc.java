import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;
import org.postgresql.util.PSQLException;

/** Checks as lines of `ok name` and `not ok name: why`, then how many there were. Called with the server's port. */
public class Jdbc {
  interface Body {
    Object run() throws Exception;
  }

  static int count = 0;

  static void check(String name, Object wanted, Body body) {
    count++;
    try {
      String given = String.valueOf(body.run());
      System.out.println(given.equals(String.valueOf(wanted)) ? "ok " + name : "not ok " + name + ": " + given + " is not " + wanted);
    } catch (Throwable error) {
      System.out.println("not ok " + name + ": " + error.toString().replace('\n', ' '));
    }
  }

  static String rows(ResultSet result, String... columns) throws SQLException {
    StringBuilder out = new StringBuilder();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (String column : columns) row.add(result.getString(column));
      out.append(row);
    }
    return out.toString();
  }

  static int size(ResultSet result) throws SQLException {
    int n = 0;
    while (result.next()) n++;
    return n;
  }

  public static void main(String[] args) throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + args[0] + "/main";
    Connection db = DriverManager.getConnection(url, "me", "");
    DatabaseMetaData meta = db.getMetaData();
    try (Statement s = db.createStatement()) {
      s.execute("SET TimeZone = 'UTC'");
      s.execute("CREATE SCHEMA shop; CREATE TYPE shop.mood AS ENUM ('sad', 'ok'); CREATE TABLE shop.users (id serial PRIMARY KEY, name text NOT NULL, mood shop.mood DEFAULT 'ok')");
      s.execute("CREATE TABLE items (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner int NOT NULL REFERENCES shop.users ON DELETE CASCADE, title varchar(20) NOT NULL,"
          + " price numeric(8,2) DEFAULT 0, twice numeric GENERATED ALWAYS AS (price * 2) STORED, CONSTRAINT titled UNIQUE (owner, title))");
      s.execute("CREATE INDEX dear ON items (price DESC) WHERE price > 10; COMMENT ON TABLE items IS 'for sale'; COMMENT ON COLUMN items.title IS 'its name'");
      s.execute("CREATE VIEW shown AS SELECT id, title FROM items");
      s.execute("CREATE TABLE t (id serial PRIMARY KEY, a int, b text, c numeric(10,2), d timestamptz, e uuid, f jsonb, g int[], h bytea, i bool, j date, k time, l float8, m int8, n varchar(10), o timestamp)");
    }

    check("product", "PostgreSQL 15", () -> meta.getDatabaseProductName() + " " + meta.getDatabaseMajorVersion());
    check("schemas", "[information_schema][pg_catalog][public][shop]", () -> rows(meta.getSchemas(), "TABLE_SCHEM"));
    check("tables", "[public, items, TABLE, for sale][public, t, TABLE, null][shop, users, TABLE, null][public, shown, VIEW, null]",
        () -> rows(meta.getTables(null, null, "%", new String[] {"TABLE", "VIEW"}), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE", "REMARKS"));
    check("columns",
        "[id, -5, int8, 19, 0, null, YES, NO][owner, 4, int4, 10, 0, null, NO, NO][title, 12, varchar, 20, 0, null, NO, NO][price, 2, numeric, 8, 2, 0, NO, NO]"
            + "[twice, 2, numeric, 0, null, (price * (2)::numeric), NO, YES]",
        () -> rows(meta.getColumns(null, "public", "items", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "COLUMN_DEF", "IS_AUTOINCREMENT", "IS_GENERATEDCOLUMN"));
    check("columns of another schema", "[id, 4, serial, nextval('shop.users_id_seq'::regclass)][name, 12, text, null][mood, 12, \"shop\".\"mood\", 'ok'::shop.mood]",
        () -> rows(meta.getColumns(null, "shop", "users", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_DEF"));
    check("primary keys", "[id, 1, items_pkey]", () -> rows(meta.getPrimaryKeys(null, "public", "items"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"));
    check("imported keys", "[users, id, owner, 3, 0, items_owner_fkey, users_pkey]",
        () -> rows(meta.getImportedKeys(null, "public", "items"), "PKTABLE_NAME", "PKCOLUMN_NAME", "FKCOLUMN_NAME", "UPDATE_RULE", "DELETE_RULE", "FK_NAME", "PK_NAME"));
    check("exported keys", "[items, owner]", () -> rows(meta.getExportedKeys(null, "shop", "users"), "FKTABLE_NAME", "FKCOLUMN_NAME"));
    check("cross references", "[items_owner_fkey]", () -> rows(meta.getCrossReference(null, "shop", "users", null, "public", "items"), "FK_NAME"));
    check("indexes", "[items_pkey, f, 1, id, A, null][titled, f, 1, owner, A, null][titled, f, 2, title, A, null][dear, t, 1, price, D, (price > (10)::numeric)]",
        () -> rows(meta.getIndexInfo(null, "public", "items", false, false), "INDEX_NAME", "NON_UNIQUE", "ORDINAL_POSITION", "COLUMN_NAME", "ASC_OR_DESC", "FILTER_CONDITION"));
    check("best row identifier", "[id, int8]", () -> rows(meta.getBestRowIdentifier(null, "public", "items", 2, false), "COLUMN_NAME", "TYPE_NAME"));
    check("version columns", "[ctid]", () -> rows(meta.getVersionColumns(null, "public", "items"), "COLUMN_NAME"));
    check("types that are made", "[even, 2001][items, 2002][pair, 2002][shown, 2002][t, 2002]", () -> {
      try (Statement s = db.createStatement()) {
        s.execute("CREATE DOMAIN public.even AS int CHECK (VALUE % 2 = 0); CREATE TYPE public.pair AS (a int, b text)");
      }
      String found = rows(meta.getUDTs(null, "public", "%", null), "TYPE_NAME", "DATA_TYPE");
      try (Statement s = db.createStatement()) {
        s.execute("DROP DOMAIN public.even; DROP TYPE public.pair");
      }
      return found;
    });
    check("functions", 5, () -> size(meta.getFunctions(null, "pg_catalog", "mod")) + size(meta.getFunctions(null, "pg_catalog", "initcap")));
    check("function columns", "[returnValue, text][$1, text]", () -> rows(meta.getFunctionColumns(null, "pg_catalog", "initcap", "%"), "COLUMN_NAME", "TYPE_NAME"));
    check("types", true, () -> size(meta.getTypeInfo()) > 50);
    check("kinds of tables", 18, () -> size(meta.getTableTypes()));
    check("keywords", true, () -> meta.getSQLKeywords().contains("analyse"));
    check("privileges", 7, () -> size(meta.getTablePrivileges(null, "public", "items")));

    check("values in and out, text then binary", "7 7 x 1.50 2020-01-02T03:04:05Z 00000000-0000-0000-0000-000000000005 {\"a\": 1} [1, 2, null] [0, -1] true 2020-01-02 03:04:05 1.5 1099511627776 v 2020-01-02T03:04:05", () -> {
      String out = "";
      // From the fifth time on the statement is named, and its values are binary.
      PreparedStatement p = db.prepareStatement("INSERT INTO t (a,b,c,d,e,f,g,h,i,j,k,l,m,n,o) VALUES (?,?,?,?,?,?::jsonb,?,?,?,?,?,?,?,?,?) RETURNING *");
      for (int i = 1; i <= 7; i++) {
        p.setInt(1, i);
        p.setString(2, "x");
        p.setBigDecimal(3, new BigDecimal("1.50"));
        p.setObject(4, OffsetDateTime.parse("2020-01-02T03:04:05Z"));
        p.setObject(5, new UUID(0, 5));
        p.setString(6, "{\"a\":1}");
        p.setArray(7, db.createArrayOf("int4", new Integer[] {1, 2, null}));
        p.setBytes(8, new byte[] {0, -1});
        p.setBoolean(9, true);
        p.setObject(10, LocalDate.parse("2020-01-02"));
        p.setObject(11, LocalTime.parse("03:04:05"));
        p.setDouble(12, 1.5);
        p.setLong(13, 1L << 40);
        p.setString(14, "v");
        p.setObject(15, LocalDateTime.parse("2020-01-02T03:04:05"));
        ResultSet r = p.executeQuery();
        r.next();
        out = r.getInt(1) + " " + r.getInt(2) + " " + r.getString(3) + " " + r.getBigDecimal(4) + " " + r.getObject(5, OffsetDateTime.class) + " " + r.getObject(6) + " " + r.getString(7)
            + " " + Arrays.toString((Object[]) r.getArray(8).getArray()) + " " + Arrays.toString(r.getBytes(9)) + " " + r.getBoolean(10) + " " + r.getDate(11) + " " + r.getTime(12) + " "
            + r.getDouble(13) + " " + r.getLong(14) + " " + r.getString(15) + " " + r.getObject(16, LocalDateTime.class);
      }
      return out;
    });
    check("generated keys", 8, () -> {
      PreparedStatement p = db.prepareStatement("INSERT INTO t (a) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
      p.setInt(1, 8);
      p.executeUpdate();
      ResultSet r = p.getGeneratedKeys();
      r.next();
      return r.getInt(1);
    });
    check("batches", 100, () -> {
      PreparedStatement p = db.prepareStatement("INSERT INTO t (a, b) VALUES (?, ?)");
      for (int i = 100; i < 200; i++) {
        p.setInt(1, i);
        p.setString(2, "b" + i);
        p.addBatch();
      }
      return p.executeBatch().length;
    });
    check("rows in pieces", 108, () -> {
      db.setAutoCommit(false);
      Statement s = db.createStatement();
      s.setFetchSize(10);
      int n = size(s.executeQuery("SELECT * FROM t"));
      db.commit();
      db.setAutoCommit(true);
      return n;
    });
    check("scrolling and changing through a result", "108 changed", () -> {
      Statement s = db.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
      ResultSet r = s.executeQuery("SELECT id, a, b FROM t ORDER BY id");
      r.last();
      int n = r.getRow();
      r.absolute(2);
      r.updateString("b", "changed");
      r.updateRow();
      r.moveToInsertRow();
      r.updateInt("a", 999);
      r.insertRow();
      r.first();
      r.deleteRow();
      ResultSet back = db.createStatement().executeQuery("SELECT b FROM t WHERE id = 2");
      back.next();
      return n + " " + back.getString(1);
    });
    check("savepoints", "23505 108", () -> {
      db.setAutoCommit(false);
      Statement s = db.createStatement();
      Savepoint savepoint = db.setSavepoint("one");
      String state = "";
      try {
        s.executeUpdate("INSERT INTO t (id) VALUES (2)");
      } catch (SQLException error) {
        state = error.getSQLState();
        db.rollback(savepoint);
      }
      ResultSet r = s.executeQuery("SELECT count(*) FROM t");
      r.next();
      int n = r.getInt(1);
      db.commit();
      db.setAutoCommit(true);
      return state + " " + n;
    });
    check("levels of isolation, read only", "8 25006", () -> {
      db.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      int level = db.getTransactionIsolation();
      db.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      db.setReadOnly(true);
      db.setAutoCommit(false);
      try {
        db.createStatement().executeUpdate("DELETE FROM t");
        return "deleted";
      } catch (SQLException error) {
        return level + " " + error.getSQLState();
      } finally {
        db.rollback();
        db.setAutoCommit(true);
        db.setReadOnly(false);
      }
    });
    check("what a statement takes and gives", "text numeric serial t true 0", () -> {
      PreparedStatement p = db.prepareStatement("SELECT id FROM t WHERE b = ? AND c > ?");
      ParameterMetaData in = p.getParameterMetaData();
      ResultSetMetaData out = p.getMetaData();
      return in.getParameterTypeName(1) + " " + in.getParameterTypeName(2) + " " + out.getColumnTypeName(1) + " " + out.getTableName(1) + " " + out.isAutoIncrement(1) + " " + out.isNullable(1);
    });
    check("COPY both ways", "2 7000\tx 7001\ty ", () -> {
      var copy = ((PGConnection) db).getCopyAPI();
      long n = copy.copyIn("COPY t (a, b) FROM STDIN CSV", new StringReader("7000,x\n7001,y\n"));
      StringWriter out = new StringWriter();
      copy.copyOut("COPY (SELECT a, b FROM t WHERE a >= 7000 ORDER BY a) TO STDOUT", out);
      return n + " " + out.toString().replace('\n', ' ');
    });
    check("notifications", "news hello", () -> {
      Statement s = db.createStatement();
      s.execute("LISTEN news");
      s.execute("NOTIFY news, 'hello'");
      PGNotification[] got = ((PGConnection) db).getNotifications(1000);
      return got[0].getName() + " " + got[0].getParameter();
    });
    check("a timeout cancels", "57014", () -> {
      Statement s = db.createStatement();
      s.setQueryTimeout(1);
      try {
        s.executeQuery("SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b");
        return "counted";
      } catch (SQLException error) {
        return error.getSQLState();
      }
    });
    check("calls of functions", "ABC", () -> {
      CallableStatement s = db.prepareCall("{? = call upper(?)}");
      s.registerOutParameter(1, Types.VARCHAR);
      s.setString(2, "abc");
      s.execute();
      return s.getString(1);
    });
    check("errors", "42703 8", () -> {
      try {
        db.createStatement().execute("SELECT nope FROM t");
        return "";
      } catch (PSQLException error) {
        return error.getSQLState() + " " + error.getServerErrorMessage().getPosition();
      }
    });
    check("escapes", "2020-01-02 ab", () -> {
      ResultSet r = db.createStatement().executeQuery("SELECT {d '2020-01-02'}, {fn concat('a', 'b')}");
      r.next();
      return r.getString(1) + " " + r.getString(2);
    });
    check("simple queries only", "5 it's", () -> {
      try (Connection other = DriverManager.getConnection(url + "?preferQueryMode=simple", "me", "")) {
        PreparedStatement p = other.prepareStatement("SELECT ?::int + 1, ?");
        p.setInt(1, 4);
        p.setString(2, "it's");
        ResultSet r = p.executeQuery();
        r.next();
        return r.getString(1) + " " + r.getString(2);
      }
    });
    check("large objects", "12 hello world! 5 hello", () -> {
      db.setAutoCommit(false);
      LargeObjectManager large = db.unwrap(PGConnection.class).getLargeObjectAPI();
      long oid = large.createLO(LargeObjectManager.READWRITE);
      LargeObject made = large.open(oid, LargeObjectManager.READWRITE);
      made.write("hello world!".getBytes());
      made.seek(0);
      String all = made.size() + " " + new String(made.read(100));
      made.truncate(5);
      made.seek(0);
      all += " " + made.size() + " " + new String(made.read(100));
      made.close();
      large.delete(oid);
      db.commit();
      db.setAutoCommit(true);
      return all;
    });
    check("valid, in which schema", "true public main", () -> db.isValid(2) + " " + db.getSchema() + " " + db.getCatalog());
    db.close();
    System.out.println("1.." + count);
  }
}

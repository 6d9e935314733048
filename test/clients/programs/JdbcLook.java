import java.sql.*;

/** Connects and asks all that a tool asks of a schema; called with the server's port. */
public class JdbcLook {
  static void read(ResultSet result) throws SQLException {
    while (result.next()) {}
    result.close();
  }

  public static void main(String[] args) throws Exception {
    try (Connection db = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + args[0] + "/main", "me", "")) {
      DatabaseMetaData meta = db.getMetaData();
      read(meta.getCatalogs());
      read(meta.getSchemas());
      read(meta.getTables(null, "%", "%", new String[] {"TABLE", "VIEW", "SEQUENCE"}));
      read(meta.getColumns(null, "public", "items", "%"));
      read(meta.getColumns(null, "shop", "users", "%"));
      read(meta.getPrimaryKeys(null, "public", "items"));
      read(meta.getImportedKeys(null, "public", "items"));
      read(meta.getExportedKeys(null, "shop", "users"));
      read(meta.getIndexInfo(null, "public", "items", false, false));
      read(meta.getBestRowIdentifier(null, "public", "items", 2, false));
      read(meta.getVersionColumns(null, "public", "items"));
      read(meta.getUDTs(null, "public", "none", null));
      read(meta.getFunctions(null, "pg_catalog", "initcap"));
      read(meta.getFunctionColumns(null, "pg_catalog", "initcap", "%"));
      read(meta.getProcedures(null, "public", "%"));
      read(meta.getTablePrivileges(null, "public", "items"));
      read(meta.getColumnPrivileges(null, "public", "items", "%"));
      db.prepareStatement("SELECT id, title FROM items WHERE owner = ?").getMetaData().isAutoIncrement(1);
      read(db.createStatement().executeQuery("SELECT mood, tags FROM shop.users"));
      db.isValid(1);
      db.setAutoCommit(false);
      db.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      read(db.createStatement().executeQuery("SELECT 1"));
      db.commit();
    }
  }
}

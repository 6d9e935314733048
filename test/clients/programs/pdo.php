<?php
// Works with a database by PDO and by the functions of its own, and says what came out.
[$port, $database, $user] = [getenv('PORT'), getenv('DATABASE'), getenv('USER')];
$db = new PDO("pgsql:host=127.0.0.1;port=$port;dbname=$database", $user, '');
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$db->exec('CREATE TABLE items (id serial PRIMARY KEY, name text, data bytea, ok bool, meta jsonb, price numeric(8,2))');
$insert = $db->prepare('INSERT INTO items (name, data, ok, meta, price) VALUES (:name, :data, :ok, :meta, :price) RETURNING id');
foreach ([1, 2, 3] as $i) {
    $insert->bindValue('name', "x$i");
    $insert->bindValue('data', "\0\xff", PDO::PARAM_LOB);
    $insert->bindValue('ok', $i % 2 == 0, PDO::PARAM_BOOL);
    $insert->bindValue('meta', '{"a": 1}');
    $insert->bindValue('price', 1.5);
    $insert->execute();
    echo $insert->fetchColumn(), ' ';
}
echo 'last ', $db->lastInsertId('items_id_seq'), "\n";
foreach ($db->query('SELECT * FROM items ORDER BY id') as $row) {
    echo $row['name'], ' ', bin2hex(stream_get_contents($row['data'])), ' ', var_export($row['ok'], true), ' ', $row['price'], "\n";
}
$query = $db->query('SELECT name, price FROM items');
foreach ([0, 1] as $i) {
    ['native_type' => $type, 'table' => $table, 'precision' => $precision] = $query->getColumnMeta($i);
    echo "column $type $table $precision\n";
}
$db->beginTransaction();
$db->exec('DELETE FROM items');
$db->rollBack();
echo 'kept ', $db->query('SELECT count(*) FROM items')->fetchColumn(), "\n";
try {
    $db->exec('INSERT INTO items (id) VALUES (1)');
} catch (PDOException $error) {
    echo 'refused ', $error->getCode(), "\n";
}
$cursor = $db->prepare('SELECT name FROM items ORDER BY id', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]);
$cursor->execute();
echo 'scrolled ', $cursor->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_LAST)[0], $cursor->fetch(PDO::FETCH_NUM, PDO::FETCH_ORI_PRIOR)[0], "\n";
$db->pgsqlCopyFromArray('items', ["10\tc\t\\N\t\\N\t\\N\t\\N"]);
echo 'copied ', count($db->pgsqlCopyToArray('items')), "\n";
$db->exec("LISTEN news; NOTIFY news, 'hello'");
$heard = $db->pgsqlGetNotify(PDO::FETCH_ASSOC, 1000);
echo 'heard ', $heard['message'], ' ', $heard['payload'], "\n";
$db->beginTransaction();
$oid = $db->pgsqlLOBCreate();
$large = $db->pgsqlLOBOpen($oid, 'w');
fwrite($large, 'large!');
fclose($large);
$large = $db->pgsqlLOBOpen($oid, 'r');
echo 'large ', stream_get_contents($large), "\n";
fclose($large);
$db->pgsqlLOBUnlink($oid);
$db->commit();

$own = pg_connect("host=127.0.0.1 port=$port dbname=$database user=$user");
echo 'columns ', json_encode(pg_meta_data($own, 'items')), "\n";
echo 'inserted ', json_encode(pg_insert($own, 'items', ['name' => 'q', 'ok' => 't']) !== false), json_encode(pg_select($own, 'items', ['name' => 'q'])[0]['ok']), "\n";
pg_send_query($own, 'SELECT 1; SELECT 2');
while ($result = pg_get_result($own)) echo pg_fetch_result($result, 0, 0), ' ';
echo pg_field_table(pg_query($own, 'SELECT name FROM items'), 0), "\n";

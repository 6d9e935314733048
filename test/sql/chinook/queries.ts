/** Twenty questions one asks of a music shop. Each is ordered by columns that tell its rows apart. */
export const CHINOOK_QUERIES: readonly (readonly [string, string])[] = [
  [
    'rows of each table',
    `SELECT 'album' AS t, count(*) FROM album UNION ALL SELECT 'artist', count(*) FROM artist UNION ALL SELECT 'customer', count(*) FROM customer UNION ALL SELECT 'employee', count(*) FROM employee UNION ALL SELECT 'genre', count(*) FROM genre UNION ALL SELECT 'invoice', count(*) FROM invoice UNION ALL SELECT 'invoice_line', count(*) FROM invoice_line UNION ALL SELECT 'media_type', count(*) FROM media_type UNION ALL SELECT 'playlist', count(*) FROM playlist UNION ALL SELECT 'playlist_track', count(*) FROM playlist_track UNION ALL SELECT 'track', count(*) FROM track ORDER BY 1`,
  ],
  [
    'revenue by country',
    `SELECT billing_country, count(*) AS invoices, sum(total) AS revenue, round(avg(total), 2) AS mean FROM invoice GROUP BY billing_country ORDER BY revenue DESC, billing_country`,
  ],
  [
    'revenue by year and quarter with subtotals',
    `SELECT extract(year FROM invoice_date) AS y, extract(quarter FROM invoice_date) AS q, sum(total) FROM invoice GROUP BY ROLLUP (1, 2) ORDER BY 1 NULLS LAST, 2 NULLS LAST`,
  ],
  [
    'best customers',
    `SELECT c.customer_id, first_name || ' ' || last_name AS name, country, sum(i.total) AS spent FROM customer c JOIN invoice i USING (customer_id) GROUP BY c.customer_id ORDER BY spent DESC, c.customer_id LIMIT 10`,
  ],
  [
    'best customer of each country',
    `SELECT country, name, spent FROM (SELECT country, first_name || ' ' || last_name AS name, sum(total) AS spent, rank() OVER (PARTITION BY country ORDER BY sum(total) DESC) AS r FROM customer JOIN invoice USING (customer_id) GROUP BY country, customer_id, first_name, last_name) s WHERE r = 1 ORDER BY country, name`,
  ],
  [
    'artists that sell',
    `SELECT ar.name, count(*) AS sold, sum(il.unit_price * il.quantity) AS revenue FROM invoice_line il JOIN track t USING (track_id) JOIN album al USING (album_id) JOIN artist ar USING (artist_id) GROUP BY ar.artist_id, ar.name ORDER BY revenue DESC, ar.name LIMIT 15`,
  ],
  [
    'share of each genre',
    `SELECT g.name, sum(il.quantity) AS n, round(100.0 * sum(il.quantity) / sum(sum(il.quantity)) OVER (), 2) AS pct FROM invoice_line il JOIN track t USING (track_id) JOIN genre g USING (genre_id) GROUP BY g.name ORDER BY n DESC, g.name`,
  ],
  [
    'favourite genre of each country',
    `WITH sold AS (SELECT i.billing_country AS country, g.name AS genre, count(*) AS n FROM invoice i JOIN invoice_line il USING (invoice_id) JOIN track t USING (track_id) JOIN genre g USING (genre_id) GROUP BY 1, 2) SELECT DISTINCT ON (country) country, genre, n FROM sold ORDER BY country, n DESC, genre`,
  ],
  [
    'tracks nobody bought',
    `SELECT g.name, count(*) FROM track t JOIN genre g USING (genre_id) WHERE NOT EXISTS (SELECT 1 FROM invoice_line il WHERE il.track_id = t.track_id) GROUP BY g.name ORDER BY 2 DESC, 1`,
  ],
  ['artists without an album', `SELECT count(*), min(name), max(name) FROM artist a LEFT JOIN album al USING (artist_id) WHERE al.album_id IS NULL`],
  [
    'who reports to whom',
    `WITH RECURSIVE tree AS (SELECT employee_id, first_name || ' ' || last_name AS name, 0 AS depth, ARRAY[employee_id] AS path FROM employee WHERE reports_to IS NULL UNION ALL SELECT e.employee_id, e.first_name || ' ' || e.last_name, depth + 1, path || e.employee_id FROM employee e JOIN tree ON e.reports_to = tree.employee_id) SELECT repeat('  ', depth) || name, path FROM tree ORDER BY path`,
  ],
  [
    'sales by support agent',
    `SELECT e.last_name, count(DISTINCT c.customer_id) AS customers, count(i.invoice_id) AS invoices, coalesce(sum(i.total), 0) AS sales FROM employee e LEFT JOIN customer c ON c.support_rep_id = e.employee_id LEFT JOIN invoice i ON i.customer_id = c.customer_id GROUP BY e.employee_id, e.last_name ORDER BY sales DESC, e.last_name`,
  ],
  [
    'running revenue by month',
    `SELECT month, revenue, sum(revenue) OVER (ORDER BY month) AS running, revenue - lag(revenue) OVER (ORDER BY month) AS change FROM (SELECT date_trunc('month', invoice_date)::date AS month, sum(total) AS revenue FROM invoice GROUP BY 1) m ORDER BY month`,
  ],
  [
    'invoices whose lines do not add up',
    `SELECT i.invoice_id, i.total, sum(il.unit_price * il.quantity) FROM invoice i JOIN invoice_line il USING (invoice_id) GROUP BY i.invoice_id HAVING sum(il.unit_price * il.quantity) <> i.total ORDER BY 1`,
  ],
  [
    'longest album of each media type',
    `SELECT mt.name, s.title, s.minutes FROM media_type mt CROSS JOIN LATERAL (SELECT al.title, round(sum(t.milliseconds) / 60000.0, 1) AS minutes FROM track t JOIN album al USING (album_id) WHERE t.media_type_id = mt.media_type_id GROUP BY al.album_id, al.title ORDER BY sum(t.milliseconds) DESC, al.title LIMIT 1) s ORDER BY mt.name`,
  ],
  [
    'playlists by length',
    `SELECT p.playlist_id, p.name, count(pt.track_id) AS tracks, coalesce(sum(t.milliseconds), 0) / 3600000 AS hours FROM playlist p LEFT JOIN playlist_track pt USING (playlist_id) LEFT JOIN track t USING (track_id) GROUP BY p.playlist_id, p.name ORDER BY tracks DESC, p.playlist_id`,
  ],
  [
    'tracks above the mean of their album',
    `SELECT al.title, count(*) FROM track t JOIN album al USING (album_id) WHERE t.milliseconds > (SELECT avg(t2.milliseconds) FROM track t2 WHERE t2.album_id = t.album_id) GROUP BY al.album_id, al.title ORDER BY 2 DESC, 1 LIMIT 10`,
  ],
  [
    'customers who bought rock but no metal',
    `SELECT count(*) FROM (SELECT customer_id FROM invoice JOIN invoice_line USING (invoice_id) JOIN track USING (track_id) JOIN genre USING (genre_id) WHERE genre.name = 'Rock' EXCEPT SELECT customer_id FROM invoice JOIN invoice_line USING (invoice_id) JOIN track USING (track_id) JOIN genre USING (genre_id) WHERE genre.name LIKE '%Metal') s`,
  ],
  [
    'quartiles of track length by genre',
    `SELECT g.name, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY t.milliseconds) AS quartiles, mode() WITHIN GROUP (ORDER BY t.unit_price) FROM track t JOIN genre g USING (genre_id) GROUP BY g.name HAVING count(*) >= 30 ORDER BY g.name`,
  ],
  [
    'the longest gap between invoices of a customer',
    `SELECT customer_id, max(gap) FROM (SELECT customer_id, invoice_date - lag(invoice_date) OVER (PARTITION BY customer_id ORDER BY invoice_date) AS gap FROM invoice) s GROUP BY customer_id ORDER BY 2 DESC, 1 LIMIT 10`,
  ],
];

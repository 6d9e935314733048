/** First oid of objects of worlds; lower ones are the system's, as in Postgres. */
export const FIRST_OWN_OID = 16384;

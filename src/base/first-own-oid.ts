/** Oids below it are the system's, as in Postgres; objects of worlds get this one and above. */
export const FIRST_OWN_OID = 16384;

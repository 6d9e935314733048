/** Values of JSON, and a row as a JSON object. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Row = { [column: string]: Json };

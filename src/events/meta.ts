/** JSON fields that events carry as they are: metadata of worlds, rules of governance. */
export type Meta = { [key: string]: unknown };

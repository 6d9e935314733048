/**
 * SASLprep (RFC 4013) of passwords, which makes one password typed on two keyboards equal. As in Postgres, a password that
 * the profile refuses is used as it is, so nothing is raised here. The table of code points unassigned in Unicode 3.2 is not
 * checked; those assigned since normalize to themselves except for rare marks.
 */

/** Table C.1.2: spaces mapped to a plain one. */
const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
/** Table B.1: characters mapped to nothing. */
const NOTHING = /\u034f|\u200d|[\u00ad\u1806\u180b-\u180d\u200c\u2060\ufeff]|[\ufe00-\ufe0f]/g;
/** Tables C.2 to C.9: controls, private use, surrogates, non-characters, tags and what is unfit for plain text. */
const REFUSED =
  /\u0340|\u0341|\u200d|[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u06dd\u070f\u180e\u200c\u200e\u200f\u2028-\u202e\u2060-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufeff\ufff9-\ufffd\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;
/** Table D.1, by scripts: right-to-left text. */
const RIGHT_TO_LEFT =
  /[\u05be\u05c0\u05c3\u05d0-\u05ea\u05f0-\u05f4\u061b\u061f\u0621-\u063a\u0640-\u064a\u066d-\u066f\u0671-\u06d5\u06e5\u06e6\u06fa-\u06fe\u0700-\u070d\u0710\u0712-\u072c\u0780-\u07a5\u07b1\u200f\ufb1d\ufb1f-\ufdfc\ufe70-\ufefc]/;
const RIGHT_TO_LEFT_AT_ENDS = new RegExp(`^${RIGHT_TO_LEFT.source}(.*${RIGHT_TO_LEFT.source})?$`, 's');
/** Table D.2, by letters: left-to-right text. */
const LEFT_TO_RIGHT = /\p{L}/u;

export function saslprep(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const prepared = text.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
  if (prepared === '' || REFUSED.test(prepared)) return text;
  if (RIGHT_TO_LEFT.test(prepared)) {
    const others = [...prepared].filter((each) => !RIGHT_TO_LEFT.test(each));
    if (!RIGHT_TO_LEFT_AT_ENDS.test(prepared) || others.some((each) => LEFT_TO_RIGHT.test(each))) return text;
  }
  return prepared;
}

/**
 * The states of the default parser. Each line is a rule: a test of the next character, the action, the following state (`.` for the
 * same), and the token that ends here. The first matching rule is taken.
 *
 *     tests    `end`, classes of characters, or characters in quotes, any of which matches; `*` always matches
 *     next     consumes the character                again    examines it again in the next state
 *     push     the same, but returns here, to the rule after this one, if the following states fail (`pop`)
 *     keep     consumes it and forgets the last return point
 *     join     keeps the position, with the state of the last return point
 *     found    a token ends before it (`found1` forgets the last return point, `found*` all of them)
 *
 * The action after a colon is done first: see token-parser.ts.
 */
const TEXT = `
base
  end           next      .
  '<'           push      tagFirst
  ignored       next      space
  ascii         next      asciiWord
  letter        next      word
  digit         next      unsigned
  '-+'          push      signedFirst
  '&'           push      entityFirst
  '~'           push      fileTilde
  '/'           push      fileFirst
  '.'           push      pathStart
  *             next      space
numWord
  end           found     base          numword
  letterOrDigit next      numWord
  mark          next      numWord
  '@'           push      email
  '/'           push      fileFirst
  '.'           push      fileNext
  '-'           push      hyphenNumFirst
  *             found     base          numword
asciiWord
  end           found     base          asciiword
  ascii         next      .
  '.'           push      domainFirst
  '.'           push      fileNext
  '-'           push      hostPartFirst
  '-'           push      hyphenAsciiFirst
  '_'           push      hostPartFirst
  '@'           push      email
  ':'           push      protocolFirst
  '/'           push      fileFirst
  digit         push      host
  digit         next      numWord
  letter        next      word
  mark          next      word
  *             found     base          asciiword
word
  end           found     base          word
  letter        next      .
  mark          next      .
  digit         next      numWord
  '-'           push      hyphenFirst
  *             found     base          word
unsigned
  end           found     base          uint
  digit         next      .
  '.'           push      domainFirst
  '.'           push      unsignedDecimalFirst
  'eE'          push      exponentFirst
  '-_'          push      hostPartFirst
  '@'           push      email
  ascii         push      host
  letter        next      numWord
  mark          next      numWord
  '/'           push      fileFirst
  *             found     base          uint
signedFirst
  end           pop       .
  digit         keep      signed
  *             pop       .
signed
  end           found     base          int
  digit         next      .
  '.'           push      decimalFirst
  'eE'          push      exponentFirst
  *             found     base          int
space
  end           found     base          blank
  '<'           found     base          blank
  ignored       next      .
  '-+&/'        found     base          blank
  other         next      space
  *             found     base          blank
unsignedDecimalFirst
  end           pop       .
  digit         keep      unsignedDecimal
  *             pop       .
unsignedDecimal
  end           found     base          float
  digit         next      .
  '.'           push      versionFirst
  'eE'          push      exponentFirst
  *             found     base          float
decimalFirst
  end           pop       .
  digit         keep      decimal
  *             pop       .
decimal
  end           found     base          float
  digit         next      .
  '.'           push      signedVersion
  'eE'          push      exponentFirst
  *             found     base          float
signedVersion
  end           pop       .
  digit         again     signOfVersion :fromStart
  *             pop       .
signOfVersion
  end           pop       .
  digit         found*    unsigned      blank
  *             next      .
versionFirst
  end           pop       .
  digit         keep      version
  *             pop       .
version
  end           found     base          version
  digit         next      .
  '.'           push      versionFirst
  *             found     base          version
exponentFirst
  end           pop       .
  digit         keep      exponent
  '+-'          next      exponentSign
  *             pop       .
exponentSign
  end           pop       .
  digit         keep      exponent
  *             pop       .
exponent
  end           found     base          sfloat
  digit         next      .
  *             found     base          sfloat
entityFirst
  end           pop       .
  '#'           next      entityNumberFirst
  ascii         next      entity
  ':_'          next      entity
  *             pop       .
entity
  end           pop       .
  letterOrDigit next      .
  ':_.-'        next      .
  ';'           next      entityEnd
  *             pop       .
entityNumberFirst
  end           pop       .
  'xX'          next      entityHexFirst
  digit         next      entityNumber
  *             pop       .
entityHexFirst
  end           pop       .
  hex           next      entityHex
  *             pop       .
entityNumber
  end           pop       .
  digit         next      .
  ';'           next      entityEnd
  *             pop       .
entityHex
  end           pop       .
  hex           next      .
  ';'           next      entityEnd
  *             pop       .
entityEnd
  *             found1    base          entity
tagFirst
  end           pop       .
  '/'           push      tagCloseFirst
  '!'           push      commentFirst
  '?'           push      declaration
  ascii         push      tagName
  ':_'          push      tagName
  *             pop       .
declaration
  end           pop       .
  'x'           next      tag
  *             pop       .
tagCloseFirst
  end           pop       .
  ascii         next      tagName
  *             pop       .
tagName
  end           pop       .
  '/'           next      tagEmptyEnd
  '>'           next      tagEnd        :tags
  blank         next      tag           :tags
  letterOrDigit next      .
  ':_.-'        next      .
  *             pop       .
tagEmptyEnd
  end           pop       .
  '>'           next      tagEnd
  *             pop       .
tag
  end           pop       .
  '>'           next      tagEnd        :tags
  "'"           next      tagSingle
  '"'           next      tagDouble
  ascii         next      .
  digit         next      .
  '=-_#/:.&?%~' next      .
  blank         next      .             :tags
  *             pop       .
tagSingle
  end           pop       .
  '\\'           push      tagEscape
  "'"           next      tag
  *             next      .
tagDouble
  end           pop       .
  '\\'           push      tagEscape
  '"'           next      tag
  *             next      .
tagEscape
  end           pop       .
  *             join      .
tagEnd
  *             found*    base          tag
commentFirst
  end           pop       .
  '-'           next      commentSecond
  'Dd'          next      tag
  *             pop       .
commentSecond
  end           pop       .
  '-'           next      comment
  *             pop       .
comment
  end           pop       .
  '-'           next      commentClose
  *             next      .
commentClose
  end           pop       .
  '-'           next      commentLast
  *             next      comment
commentLast
  end           pop       .
  '-'           next      .
  '>'           next      commentEnd
  *             next      comment
commentEnd
  *             found*    base          tag
domainFirst
  end           pop       .
  ascii         next      domainSecond
  digit         next      host
  *             pop       .
domainSecond
  end           pop       .
  ascii         next      domain
  digit         push      host
  '-_'          push      hostPartFirst
  '.'           push      domainFirst
  '@'           push      email
  *             pop       .
domain
  end           found*    base          host
  ascii         next      .
  digit         push      host
  ':'           push      portFirst
  '-_'          push      hostPartFirst
  '.'           push      domainFirst
  '@'           push      email
  digit         pop       .
  hostWanted    found*    urlPathStart  host
  '/'           push      urlOfHost
  *             found*    base          host
portFirst
  end           pop       .
  digit         next      port
  *             pop       .
port
  end           found*    base          host
  digit         next      .
  hostWanted    found*    urlPathStart  host
  '/'           push      urlOfHost
  *             found*    base          host
hostPartFirst
  end           pop       .
  digit         next      host
  ascii         next      host
  *             pop       .
host
  end           pop       .
  digit         next      .
  ascii         next      .
  '@'           push      email
  '.'           push      domainFirst
  '-_'          push      hostPartFirst
  *             pop       .
email
  hostWanted    pop       .
  hostFollows   found*    base          email
  *             pop       .
fileFirst
  end           pop       .
  ascii         next      file
  digit         next      file
  '.'           next      pathFirst
  '_'           next      file
  '~'           push      fileTilde
  *             pop       .
fileTilde
  end           pop       .
  ascii         next      file
  digit         next      file
  '_'           next      file
  '/'           next      fileFirst
  *             pop       .
pathFirst
  end           pop       .
  ascii         next      file
  digit         next      file
  '_'           next      file
  '.'           next      pathSecond
  '/'           next      fileFirst
  *             pop       .
pathStart
  end           pop       .
  '.'           next      pathSecond
  '/'           next      fileFirst
  *             pop       .
pathSecond
  end           found1    base          file
  '/'           push      fileFirst
  '/'           found1    base          file
  blank         found1    base          file
  *             pop       .
file
  end           found     base          file
  ascii         next      .
  digit         next      .
  '.'           push      fileNext
  '_-'          next      .
  '/'           push      fileFirst
  *             found     base          file
fileNext
  end           pop       .
  ascii         keep      file
  digit         keep      file
  '_'           keep      file
  *             pop       .
urlPathFirst
  end           pop       .
  urlCharacter  next      urlPath
  *             pop       .
urlPathStart
  *             next      urlPath
urlPath
  end           found     base          url_path
  urlCharacter  next      .
  *             found     base          url_path
urlOfHost
  end           pop       .
  urlFollows    found*    base          url      :fromStartWithHost
  *             pop       .
protocolFirst
  end           pop       .
  '/'           next      protocolSecond
  *             pop       .
protocolSecond
  end           pop       .
  '/'           next      protocolEnd
  *             pop       .
protocolEnd
  *             found*    base          protocol
hyphenAsciiFirst
  end           pop       .
  ascii         next      hyphenAscii
  letter        next      hyphen
  digit         next      hyphenDigits
  *             pop       .
hyphenAscii
  end           found*    parts         asciihword :fromStart
  ascii         next      .
  letter        next      hyphen
  mark          next      hyphen
  digit         next      hyphenNum
  '-'           push      hyphenAsciiFirst
  *             found*    parts         asciihword :fromStart
hyphenFirst
  end           pop       .
  letter        next      hyphen
  digit         next      hyphenDigits
  *             pop       .
hyphen
  end           found*    parts         hword    :fromStart
  letter        next      .
  mark          next      .
  digit         next      hyphenNum
  '-'           push      hyphenFirst
  *             found*    parts         hword    :fromStart
hyphenNumFirst
  end           pop       .
  letter        next      hyphenNum
  digit         next      hyphenDigits
  *             pop       .
hyphenNum
  end           found*    parts         numhword :fromStart
  letterOrDigit next      .
  mark          next      .
  '-'           push      hyphenNumFirst
  *             found*    parts         numhword :fromStart
hyphenDigits
  end           pop       .
  digit         next      .
  letter        next      hyphenNum
  mark          next      hyphenNum
  *             pop       .
parts
  end           again     base
  ascii         next      asciiPart
  letter        next      part
  digit         push      partDigits
  '-'           push      partHyphen
  *             again     base
partHyphen
  end           pop       .
  letterOrDigit found1    parts         blank
  mark          found1    parts         blank
  *             pop       .
part
  end           found     base          hword_part
  letter        next      .
  mark          next      .
  digit         next      numPart
  *             found     parts         hword_part
asciiPart
  end           found     base          hword_asciipart
  ascii         next      .
  letter        next      part
  mark          next      part
  digit         next      numPart
  *             found     parts         hword_asciipart
numPart
  end           found     base          hword_numpart
  letterOrDigit next      .
  mark          next      .
  *             found     parts         hword_numpart
partDigits
  end           pop       .
  digit         next      .
  letter        keep      numPart
  mark          keep      numPart
  *             pop       .
`;

export type Test =
  | 'end'
  | 'ignored'
  | 'ascii'
  | 'letter'
  | 'digit'
  | 'letterOrDigit'
  | 'other'
  | 'mark'
  | 'hex'
  | 'blank'
  | 'urlCharacter'
  | 'hostWanted'
  | 'hostFollows'
  | 'urlFollows'
  | '*';
export type Action = 'next' | 'again' | 'push' | 'pop' | 'keep' | 'join' | 'found' | 'found1' | 'found*';
export type Special = 'fromStart' | 'fromStartWithHost' | 'tags';

export interface Rule {
  /** Characters, any of which matches; null if `test` decides. */
  readonly characters: string | null;
  readonly test: Test;
  readonly action: Action;
  /** Number of a state; -1 for the same. */
  readonly to: number;
  readonly token: string;
  readonly special: Special | null;
}

function read(): { names: string[]; rules: Rule[][] } {
  const names: string[] = [];
  const lines: string[][][] = [];
  for (const line of TEXT.split('\n')) {
    if (line === '') continue;
    if (!line.startsWith(' ')) {
      names.push(line);
      lines.push([]);
    } else lines[lines.length - 1].push(line.trim().split(/ +/));
  }
  const rules = lines.map((own) =>
    own.map(([test, action, to, ...rest]): Rule => {
      const quoted = /^['"](.+)['"]$/.exec(test);
      const special = rest.find((each) => each.startsWith(':'))?.slice(1) ?? null;
      return {
        characters: quoted === null ? null : quoted[1],
        test: quoted === null ? (test as Test) : '*',
        action: action as Action,
        to: to === '.' ? -1 : names.indexOf(to),
        token: rest.find((each) => !each.startsWith(':')) ?? '',
        special: special as Special | null,
      };
    }),
  );
  return { names, rules };
}

const { names, rules } = read();

export const STATES: readonly (readonly Rule[])[] = rules;

export function stateNumber(name: string): number {
  return names.indexOf(name);
}

/**
 * Differences between Postgres 15's tables of multibyte encodings and the runtime's decoders: bytes in hexadecimal, each the first
 * of a run of consecutive characters.
 */
export interface EncodingDifference {
  /** Unassigned ranges, as `from-to`. */
  readonly gone?: string;
  /** Characters with other decodings. */
  readonly other?: Readonly<Record<string, string>>;
  /** Characters with other encodings, though the bytes decode to other characters or the character has other bytes, too. */
  readonly written?: Readonly<Record<string, string>>;
}

export const ENCODING_DIFFERENCES: Readonly<Record<string, EncodingDifference>> = {
  SJIS: {
    written: {
      '5c': '¥',
      '7e': '‾',
      8160: '〜‖',
      '817c': '−',
      8191: '¢£',
      '81ca': '¬',
    },
  },
  EUC_JP: {
    gone: '8ee0-8ee2 f9a1-fcfe 8fa2b7 8ff3a1-8ff3b7',
    other: {
      '8fa2c3': '￤',
      '8ff3f3':
        'ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ＇＂㈱№℡炻仼僴凬匇匤﨎咊坙﨏塚增寬峵嵓﨑德悅愠敎昻晥晴朗栁﨓﨔橫櫢淸淲瀨凞猪甁皂皞益礰礼神祥福竧靖精綠緖羽荢﨟薰蘒﨡蠇諸譿賴赶﨣﨤逸郞都鄕﨧﨨閒隆﨩霻靍靑飯飼館馞髙魲鶴黑',
    },
    written: {
      '8fa2c3': '¦',
    },
  },
  EUC_CN: {
    gone: '8140-a0fe a2a1-a2aa a6e0-a6f5 a8bb-a8c0 aa40-b0a0 f840-fe4f',
    other: {
      a1a4: '・',
      a1aa: '―',
    },
  },
  EUC_KR: {
    other: {
      a2e6: '€®㉾',
    },
  },
  GBK: {
    written: {
      80: '€',
    },
  },
  BIG5: {
    gone: 'a3e1 f9dd-f9fe',
    other: {
      a145: '•',
      a14e: '､',
      a15a: '\ufffd',
      a1c2: '‾\ufffd',
      a1c5: '\ufffd',
      a1e3: '∼',
      a1f2: '♁☉',
      a1fe: '\ufffd\ufffd／＼',
      a244: '¥',
      a246: '¢£',
      a2cc: '\ufffd',
      a2ce: '\ufffd',
      c6a1: 'ヾゝゞ々ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユ',
      c7a1: 'ョヨラリルレロヮワヰヱヲンヴヵヶДЕЁЖЗИЙКЛМУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя①②③④⑤⑥⑦⑧⑨⑩⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽',
    },
  },
  GB18030: {
    other: {
      a3a0: '\ue5e5',
      a6d9: '\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793',
      a6ec: '\ue794\ue795',
      a6f3: '\ue796',
      a8bc: '\ue7c7',
      fe59: '\ue81e',
      fe61: '\ue826',
      fe66: '\ue82b\ue82c',
      fe6d: '\ue832',
      fe7e: '\ue843',
      fe90: '\ue854',
      fea0: '\ue864',
    },
  },
};

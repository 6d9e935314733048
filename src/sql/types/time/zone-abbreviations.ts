/**
 * Abbreviations of time zones: those for input (Postgres's set "Default") and those for output. Intl provides offsets but not these.
 * Missing zones show their offset (`+0530`).
 */

/** Abbreviation, minutes east of UTC. Standard time. */
const STANDARD =
  'eat:180 sast:120 wat:60 act:-300 akst:-540 bot:-240 bra:-180 brt:-180 cot:-300 cst:-360 egt:-60 est:-300 fnt:-120 gft:-180 mst:-420 nft:-210 nst:-210 pet:-300 pmst:-180 pst:-480 uyt:-180 wgt:-180 ddut:600 aft:270 almt:360 amt:-240 bdt:360 bnt:480 bort:480 btt:360 cct:480 hkt:480 ict:420 irt:210 ist:120 jayt:540 jst:540 kst:540 mmt:390 myt:480 npt:345 pht:480 pkt:300 tjt:300 uzt:300 xjt:360 ast:-240 azot:-60 acst:570 acwst:525 aest:600 awst:480 cast:570 lhst:630 ligt:600 nzt:720 wast:420 gmt:0 uct:0 ut:0 utc:0 z:0 zulu:0 cet:60 eet:120 fet:180 met:60 mez:60 wet:0 cxt:420 mut:240 mvt:300 ret:240 sct:240 tft:300 chast:765 chut:600 fjt:720 galt:-360 gamt:-540 gilt:720 hst:-600 mart:-570 mht:720 mpt:600 nzst:720 pgt:600 pont:660 pwt:540 taht:-600 tot:780 trut:600 tvt:720 vut:660 wakt:720 wft:720 yapt:600';

/** Daylight-saving time. */
const DAYLIGHT =
  'akdt:-480 brst:-120 cdt:-300 clst:-180 edt:-240 egst:0 fnst:-60 mdt:-360 ndt:-150 pdt:-420 pmdt:-120 pyst:-180 uyst:-120 wgst:-120 almst:420 idt:180 kdt:600 kgst:360 pkst:360 ulast:540 uzst:360 yekst:360 adt:-180 azost:0 acsst:630 acdt:630 aesst:660 aedt:660 awsst:540 cadt:630 sadt:630 wadt:480 wdt:540 bst:60 bdst:120 cest:120 cetdst:120 eest:180 eetdst:180 mest:120 mesz:120 metdst:120 msd:240 wetdst:60 must:300 chadt:825 fjst:780 nzdt:780';

/** Abbreviations whose offset changed over time: the zone decides. */
const DYNAMIC =
  'art:America/Argentina/Buenos_Aires arst:America/Argentina/Buenos_Aires clt:America/Santiago gyt:America/Guyana pyt:America/Asuncion vet:America/Caracas davt:Antarctica/Davis mawt:Antarctica/Mawson amst:Asia/Yerevan anast:Asia/Anadyr anat:Asia/Anadyr azst:Asia/Baku azt:Asia/Baku gest:Asia/Tbilisi get:Asia/Tbilisi irkst:Asia/Irkutsk irkt:Asia/Irkutsk kgt:Asia/Bishkek krast:Asia/Krasnoyarsk krat:Asia/Krasnoyarsk lkt:Asia/Colombo magst:Asia/Magadan magt:Asia/Magadan novst:Asia/Novosibirsk novt:Asia/Novosibirsk omsst:Asia/Omsk omst:Asia/Omsk petst:Asia/Kamchatka pett:Asia/Kamchatka sgt:Asia/Singapore tmt:Asia/Ashgabat ulat:Asia/Ulaanbaatar vlast:Asia/Vladivostok vlat:Asia/Vladivostok yakst:Asia/Yakutsk yakt:Asia/Yakutsk yekt:Asia/Yekaterinburg fkst:Atlantic/Stanley fkt:Atlantic/Stanley lhdt:Australia/Lord_Howe msk:Europe/Moscow volt:Europe/Volgograd iot:Indian/Chagos ckt:Pacific/Rarotonga easst:Pacific/Easter east:Pacific/Easter kost:Pacific/Kosrae lint:Pacific/Kiritimati nut:Pacific/Niue tkt:Pacific/Fakaofo';

/**
 * Output abbreviations. Left: offset in quarter-hours east, colon, abbreviations in order of time, each but the first with its first
 * day (since 1970); an empty one means the numeric form. Right: the zones.
 */
const SHOWN: readonly (readonly [string, string])[] = [
  [
    '0:GMT',
    'Africa/Abidjan|Accra|Bamako|Banjul|Bissau|Conakry|Dakar|Freetown|Lome|Monrovia|Nouakchott|Ouagadougou|Timbuktu America/Danmarkshavn Atlantic/St_Helena Etc/GMT|GMT+0|GMT-0|GMT0|Greenwich GMT|GMT+0|GMT-0|GMT0|Greenwich|Iceland',
  ],
  ['12:EAT', 'Africa/Addis_Ababa|Asmara|Asmera|Dar_es_Salaam|Djibouti|Kampala|Mogadishu|Nairobi Indian/Comoro|Mayotte'],
  ['0:WET 4:WEST,CET@-10903,WEST@479,CET@2849,WEST@3767,CET@4138 8:CEST', 'Africa/Algiers'],
  ['4:WAT', 'Africa/Bangui|Brazzaville|Douala|Kinshasa|Libreville|Luanda'],
  ['8:CAT', 'Africa/Blantyre|Bujumbura|Harare|Kigali|Lusaka|Maputo'],
  ['8:EET 12:EEST', 'Africa/Cairo Asia/Beirut|Nicosia EET|Egypt Europe/Bucharest|Helsinki|Mariehamn|Nicosia'],
  ['0:WET 4:WEST,CET@5188 8:CEST', 'Africa/Ceuta'],
  ['6:SAST 8:CAT 12:CAST', 'Africa/Gaborone'],
  ['6:SAST 8:SAST 12:SAST', 'Africa/Johannesburg'],
  ['8:CAT 12:CAST,EAT@10971', 'Africa/Juba|Khartoum'],
  ['0:GMT 4:WAT', 'Africa/Lagos|Malabo|Niamey|Porto-Novo|Sao_Tome'],
  ['4:WAT 8:CAT', 'Africa/Lubumbashi'],
  ['8:SAST 12:SAST', 'Africa/Maseru'],
  ['8:SAST', 'Africa/Mbabane'],
  ['4:WAT 8:WAST', 'Africa/Ndjamena'],
  ['4:CET 8:CEST,EET@-4019,CEST@4472,EET@7427,CEST@9954,EET@10137,CEST@15793,EET@16003', 'Africa/Tripoli Libya'],
  [
    '4:CET 8:CEST',
    'Africa/Tunis CET Europe/Amsterdam|Belgrade|Budapest|Busingen|Copenhagen|Ljubljana|Malta|Oslo|Podgorica|Rome|San_Marino|Sarajevo|Skopje|Stockholm|Tirane|Vaduz|Vatican|Vienna|Zagreb|Zurich',
  ],
  ['4:WAT 8:SAST,CAT@7383 12:SAST', 'Africa/Windhoek'],
  ['-44:NST,BST@-1006 -40:NWT,NPT@-8906,BDT@-8635,AHST@5050,HST@5081 -36:HDT', 'America/Adak|Atka US/Aleutian'],
  ['-40:AST,AHST@-1006 -36:AWT,APT@-8906,AHDT@-8635,YST@5050,AKST@5081 -32:AKDT', 'America/Anchorage US/Alaska'],
  ['-16:AST', 'America/Anguilla|Aruba|Curacao|Dominica|Grenada|Guadeloupe|Miquelon|Montserrat|Port_of_Spain|St_Kitts|St_Lucia|St_Thomas|St_Vincent|Tortola'],
  ['-20:EST -16:AST', 'America/Antigua'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,EST@-8859', 'America/Atikokan'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789,MDT@9593,CST@14913 -20:CDT', 'America/Bahia_Banderas'],
  ['-16:AST -12:ADT', 'America/Barbados|Martinique|Thule Atlantic/Bermuda'],
  ['-24:CST -20:CWT,CPT@-8906,CDT@1434', 'America/Belize'],
  ['-16:AST -12:ADT,AWT@-10188,APT@-8906', 'America/Blanc-Sablon'],
  ['-32:PST -28:PDT,MST@-17035 -24:MWT,MPT@-8906,MDT@-8635', 'America/Boise'],
  ['-28:MST -24:MWT,MPT@-8906,MDT@850,CST@10895,MDT@11413 -20:CDT,EST@11259', 'America/Cambridge_Bay'],
  ['-24:CST -20:EST,CDT@9593,EST@10160,CDT@10440,EST@16467 -16:EDT', 'America/Cancun'],
  ['-20:EST', 'America/Cayman|Coral_Harbour|Panama EST'],
  ['-24:CST -20:CDT,EST@-12359,CDT@-11939,CWT@-10188,CPT@-8906,CDT@-8649', 'America/Chicago US/Central'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789,MDT@10321,CST@19295 -20:CDT', 'America/Chihuahua|Ojinaga'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789,MDT@10321,CST@19295,MDT@19428 -20:CDT', 'America/Ciudad_Juarez'],
  ['-24:CST -20:CDT', 'America/Costa_Rica|El_Salvador|Guatemala|Tegucigalpa'],
  ['-32:PST -28:MST', 'America/Creston'],
  ['-36:YST -32:YDT,YWT@-10188,YPT@-8906,PST@1396 -28:YDDT,PDT@3769,MST@18567', 'America/Dawson'],
  ['-32:PST -28:PDT,PWT@-10188,PPT@-8906,PDT@-8285,MST@972', 'America/Dawson_Creek'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-1712', 'America/Denver|Shiprock Navajo US/Mountain'],
  ['-24:CST -20:EST -16:EWT,EPT@-8906,EDT@-7921', 'America/Detroit US/Michigan'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8285', 'America/Edmonton|Yellowknife Canada/Mountain'],
  ['-32:PST -28:MST,PDT@-14155,PWT@-10114,PPT@-8906,PDT@-7941', 'America/Ensenada|Santa_Isabel|Tijuana Mexico/BajaNorte'],
  ['-32:PST -28:PDT,PWT@-10188,PPT@-8906,PDT@-8285,MST@16502', 'America/Fort_Nelson'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8649,EST@-5366 -16:EDT', 'America/Fort_Wayne|Indiana/Indianapolis|Indianapolis US/East-Indiana'],
  ['-16:AST -12:ADT,AWT@-10188,APT@-8906,ADT@-6094', 'America/Glace_Bay'],
  ['-16:AST -14:NST -12:ADT -10:NDT,NWT@-10097,NPT@-8906,NDT@-8635 -8:ADDT', 'America/Goose_Bay'],
  ['-20:EST -16:EDT,AST@16502,EDT@17601', 'America/Grand_Turk'],
  ['-16:AST -12:ADT,AWT@-10188,APT@-8906,ADT@-8649', 'America/Halifax Canada/Atlantic'],
  ['-20:CST -16:CDT', 'America/Havana Cuba'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789,MDT@9593', 'America/Hermosillo|Mazatlan Mexico/BajaSur'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8285,EST@-2804,CDT@-977,EST@7969,CDT@13240', 'America/Indiana/Knox|Knox_IN US/Indiana-Starke'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-6822,EST@-3168,CDT@1466,EST@1760 -16:EDT', 'America/Indiana/Marengo'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-5359,EST@-1712,CDT@-977,EST@2859,CDT@13240,EST@13821 -16:EDT', 'America/Indiana/Petersburg'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-5359,EST@-2076,CDT@-613,EST@-67,CDT@13240 -16:EDT', 'America/Indiana/Tell_City'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,EST@-5730 -16:EDT', 'America/Indiana/Vevay'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8649,EST@-2076,CDT@13240,EST@13821 -16:EDT', 'America/Indiana/Vincennes'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8649,EST@-3168,CDT@13240,EST@13821 -16:EDT', 'America/Indiana/Winamac'],
  ['-32:PST -28:PDT,MST@3587 -24:MDT', 'America/Inuvik'],
  ['-24:CST -20:EST,CDT@11049,EST@11259 -16:EWT,EPT@-8906,EDT@850', 'America/Iqaluit|Pangnirtung'],
  ['-20:EST -16:EDT', 'America/Jamaica|Port-au-Prince Jamaica'],
  ['-36:YST,AKST@5081 -32:PST,YDT@3769,PST@3951,AKDT@5232 -28:PWT,PPT@-8906,PDT@-8635', 'America/Juneau'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8649,EST@-3084,CDT@1466,EST@1760 -16:EDT', 'America/Kentucky/Louisville|Louisville'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-613,EST@11259 -16:EDT', 'America/Kentucky/Monticello'],
  ['-16:AST -12:AWT,APT@-8906', 'America/Kralendijk|Lower_Princes|Marigot|Puerto_Rico|St_Barthelemy|Virgin'],
  ['-32:PST -28:PDT,PWT@-10188,PPT@-8906,PDT@-7963', 'America/Los_Angeles US/Pacific'],
  ['-24:CST -20:EST,CDT@3363,EST@8035,CDT@12883', 'America/Managua'],
  ['-26:LMT -24:CST -20:CDT', 'America/Matamoros'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8649,EST@-249,CDT@1214', 'America/Menominee'],
  ['-24:CST -20:EST,CDT@9593', 'America/Merida'],
  ['-36:AKST -32:PST,AKDT@16873,PST@17839,AKDT@17965 -28:PWT,PPT@-8906,PDT@-8635', 'America/Metlakatla'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789 -20:CDT,CWT@-9513,CDT@-7263', 'America/Mexico_City Mexico/General'],
  ['-20:EST -16:AST -12:ADT,AWT@-10188,APT@-8906,ADT@-8649', 'America/Moncton'],
  ['-28:MST -24:CST,MDT@-14126,CST@-13789 -20:CDT', 'America/Monterrey'],
  ['-20:EST -16:EDT,EWT@-10188,EPT@-8906,EDT@-8649', 'America/Montreal|New_York|Nipigon|Thunder_Bay|Toronto Canada/Eastern US/Eastern'],
  ['-20:EST -16:EWT,EPT@-8906,EDT@-8635', 'America/Nassau'],
  ['-44:NST,BST@-1006 -40:NWT,NPT@-8906,BDT@-8635 -36:YST,AKST@5081 -32:AKDT', 'America/Nome'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8635,CST@14920 -20:CDT', 'America/North_Dakota/Beulah'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8635,CST@8333 -20:CDT', 'America/North_Dakota/Center'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8635,CST@12351 -20:CDT', 'America/North_Dakota/New_Salem'],
  ['-28:MST -24:MDT,MWT@-10188,MDT@-977', 'America/Phoenix US/Arizona'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8635', 'America/Rainy_River|Winnipeg Canada/Central'],
  ['-24:CST -20:CDT,EST@11259,CDT@11413', 'America/Rankin_Inlet'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8663,CST@-3539', 'America/Regina Canada/Saskatchewan'],
  ['-24:CST -20:CDT,EST@11259,CDT@11413,EST@13450,CDT@13583', 'America/Resolute'],
  ['-20:EST -16:EDT,AST@1760', 'America/Santo_Domingo'],
  ['-36:YST,AKST@5081 -32:PST,AKDT@5232 -28:PWT,PPT@-8906,PDT@-8635', 'America/Sitka'],
  ['-14:NST -10:NDT,NWT@-10097,NPT@-8906,NDT@-8635 -6:NDDT', 'America/St_Johns Canada/Newfoundland'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8649,CST@850', 'America/Swift_Current'],
  ['-32:PST -28:PDT,PWT@-10188,PPT@-8906,PDT@-8649', 'America/Vancouver Canada/Pacific'],
  ['-36:YST -32:YDT,YWT@-10188,YPT@-8906,PST@-1404 -28:YDDT,PDT@3769,MST@18567', 'America/Whitehorse Canada/Yukon'],
  ['-36:YST,AKST@5081 -32:YWT,YPT@-8906,YDT@-8635,AKDT@5232', 'America/Yakutat'],
  ['40:AEST 44:AEDT', 'Antarctica/Macquarie Australia/ACT|Brisbane|Canberra|Currie|Hobart|Lindeman|Melbourne|NSW|Queensland|Sydney|Tasmania|Victoria'],
  ['48:NZST 52:NZDT', 'Antarctica/McMurdo'],
  ['46:NZMT 48:NZST 50:NZST 52:NZDT', 'Antarctica/South_Pole NZ Pacific/Auckland'],
  ['4:CET 8:CEST 12:CEMT', 'Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Berlin'],
  ['8:EET 12:EEST,@19292', 'Asia/Amman|Damascus'],
  ['22:IST', 'Asia/Calcutta|Kolkata'],
  ['32:CST 36:CDT', 'Asia/Chongqing|Chungking|Harbin|Shanghai PRC'],
  ['8:EET 12:EEST,@17051,EEST@17615', 'Asia/Famagusta'],
  ['8:EET,IST@-942,EET@9495 12:EEST,IDT@1647,EEST@9590', 'Asia/Gaza|Hebron'],
  ['32:HKT 34:HKWT 36:HKST,JST@-10235,HKST@-8657', 'Asia/Hong_Kong Hongkong'],
  ['8:EET 12:EEST,@3100,EEST@5587,@17050', 'Asia/Istanbul Europe/Istanbul Turkey'],
  ['28:WIB', 'Asia/Jakarta'],
  ['36:,WIT@-2193', 'Asia/Jayapura'],
  ['8:IST 12:IDT 16:IDDT', 'Asia/Jerusalem|Tel_Aviv Israel'],
  ['20:,PKT@448 24:PKST', 'Asia/Karachi'],
  ['32:CST 36:,CDT@-8647', 'Asia/Macao|Macau'],
  ['32:,WITA@-8867', 'Asia/Makassar|Ujung_Pandang'],
  ['32:PST 36:PDT,JST@-10186,PDT@-9070', 'Asia/Manila'],
  ['28:WIB 32:,WITA@-2193', 'Asia/Pontianak'],
  ['34:KST 36:JST,KST@-8897', 'Asia/Pyongyang'],
  ['34:KST 36:JST,KST@-8882 38:KDT 40:KDT', 'Asia/Seoul ROK'],
  ['32:CST 36:JST,CDT@-8633', 'Asia/Taipei ROC'],
  ['36:JST 40:JDT', 'Asia/Tokyo Japan'],
  ['0:,WET@8396,@8568 4:WEST', 'Atlantic/Azores'],
  ['0:WET 4:WEST', 'Atlantic/Canary|Faeroe|Faroe WET'],
  ['0:,WET@-1187 4:,WEST@4476', 'Atlantic/Madeira'],
  ['0:,GMT@-634', 'Atlantic/Reykjavik'],
  ['36:ACST 38:ACST 42:ACDT', 'Australia/Adelaide|Darwin|North|South'],
  ['36:ACST 38:ACST 40:AEST 42:ACDT', 'Australia/Broken_Hill|Yancowinna'],
  ['40:AEST', 'Australia/LHI|Lord_Howe'],
  ['32:AWST 36:AWDT', 'Australia/Perth|West'],
  ['-24:CST -20:CDT,CWT@-10188,CPT@-8906,CDT@-8635', 'CST6CDT'],
  ['-20:EST -16:EDT,EWT@-10188,EPT@-8906,EDT@-8635', 'EST5EDT'],
  ['0:GMT 4:BST,IST@-17448', 'Eire Europe/Dublin'],
  ['0:UTC', 'Etc/UCT|UTC|Universal|Zulu UCT|UTC|Universal|Zulu'],
  ['0:WET 4:CET 8:CEST', 'Europe/Andorra'],
  ['4:CET 8:EET,CEST@-10474,EET@-9404 12:EEST', 'Europe/Athens'],
  ['0:GMT 4:BST 8:BDST', 'Europe/Belfast|Isle_of_Man|London GB|GB-Eire'],
  ['0:GMT 4:CET 8:CEST', 'Europe/Bratislava|Prague'],
  ['0:WET 4:CET,WEST@-18569,CET@-9922 8:CEST', 'Europe/Brussels'],
  ['4:CET 8:EET,CEST@-10396,EET@7577 12:EEST,MSK@-9262,EEST@7429 16:MSD', 'Europe/Chisinau|Tiraspol'],
  ['0:GMT 4:BST,CET@-4645 8:BDST,CEST@4469', 'Europe/Gibraltar'],
  ['0:GMT 4:BST,CET@-9922,BST@-8936 8:CEST,BDST@-9005', 'Europe/Guernsey|Jersey'],
  ['4:CET 8:CEST,EET@-9033 12:EEST,MSK@-8671,EEST@7023,@15060 16:MSD', 'Europe/Kaliningrad'],
  ['4:CET 8:EET,CEST@-10331,EET@7941 12:MSK,EEST@7485 16:MSD', 'Europe/Kiev|Kyiv|Uzhgorod|Zaporozhye'],
  ['12:,MSK@7205 16:,MSD@7023,@7758,MSD@8122,MSK@15059', 'Europe/Kirov'],
  ['0:WET 4:WEST,CET@-1187,WEST@2642,CET@8305,WEST@9586 8:WEMT,CEST@8487', 'Europe/Lisbon Portugal'],
  ['0:WET 4:CET,WEST@-18569,WET@-9922,CET@-9236 8:CEST,WEST@-10824,CEST@-9040', 'Europe/Luxembourg'],
  ['0:WET 4:WEST,CET@-10883 8:WEMT,CEST@-10106', 'Europe/Madrid'],
  ['4:CET 8:EET,CEST@-10415,EET@7941 12:MSK,EEST@7758,@15060 16:MSD', 'Europe/Minsk'],
  ['0:WET 4:WEST,CET@-8873 8:WEMT,CEST@2278', 'Europe/Monaco'],
  ['8:EET 12:MSK,EEST@7758,MSK@8053 16:MSD,MSK@15059', 'Europe/Moscow W-SU'],
  ['0:WET 4:WEST,CET@-9922,WEST@-9217,CET@-8873 8:CEST,WEMT@-9261,CEST@2278', 'Europe/Paris'],
  ['4:CET 8:EET,CEST@-10412,EET@7206 12:MSK,EEST@7023 16:MSD', 'Europe/Riga'],
  ['4:CET 8:EET,CEST@-10289,EET@7485 12:MSK,EEST@8123,MSK@9032,EEST@9950,MSK@16368 16:MSD,MSK@16159', 'Europe/Simferopol'],
  ['4:CET 8:EET,CEST@-9775,EET@-9040 12:EEST', 'Europe/Sofia'],
  ['4:CET 8:CEST,EET@-17778,CEST@-10336,EET@7206 12:MSK,EEST@7023 16:MSD', 'Europe/Tallinn'],
  ['4:CET 8:EET,CEST@-10419,EET@7206,CEST@10314,EET@10895 12:MSK,EEST@7023 16:MSD', 'Europe/Vilnius'],
  ['12:,MSK@6841 16:,MSD@6659,@7758,MSD@8122,MSK@15059,@17831', 'Europe/Volgograd'],
  ['4:CET 8:CEST,EET@-18735,CEST@-10784 12:EEST', 'Europe/Warsaw Poland'],
  ['-40:HST', 'HST'],
  ['12:EAT 16:EAST', 'Indian/Antananarivo'],
  ['4:MET 8:MEST', 'MET'],
  ['-28:MST', 'MST'],
  ['-28:MST -24:MDT,MWT@-10188,MPT@-8906,MDT@-8635', 'MST7MDT'],
  ['-32:PST -28:PDT,PWT@-10188,PPT@-8906,PDT@-8635', 'PST8PDT'],
  ['40:GST,ChST@11313 44:GDT', 'Pacific/Guam|Saipan'],
  ['-42:HST -40:HST -38:HDT,HWT@-10188,HPT@-8906', 'Pacific/Honolulu|Johnston US/Hawaii'],
  ['-44:,SST@-4869', 'Pacific/Midway'],
  ['-44:SST', 'Pacific/Pago_Pago|Samoa US/Samoa'],
];

export interface InputAbbreviation {
  readonly kind: 'standard' | 'daylight' | 'dynamic';
  /** Seconds east of UTC; 0 for dynamic ones. */
  readonly offset: number;
  readonly zone: string | null;
}

/** One abbreviation of a zone at one offset, in force from a second since 1970. */
export interface ShownAbbreviation {
  readonly from: number;
  readonly text: string;
}

export type AbbreviationsByOffset = ReadonlyMap<number, readonly ShownAbbreviation[]>;

/** By lower-case abbreviation. */
export type Abbreviations = ReadonlyMap<string, InputAbbreviation>;

/** The set "Default". */
export const INPUT_ABBREVIATIONS: Abbreviations = new Map([
  ...STANDARD.split(' ').map((entry) => fixed(entry, 'standard')),
  ...DAYLIGHT.split(' ').map((entry) => fixed(entry, 'daylight')),
  ...DYNAMIC.split(' ').map((entry): [string, InputAbbreviation] => {
    const [name, zone] = entry.split(':') as [string, string];
    return [name, { kind: 'dynamic', offset: 0, zone }];
  }),
]);

function fixed(entry: string, kind: 'standard' | 'daylight'): [string, InputAbbreviation] {
  const [name, minutes] = entry.split(':') as [string, string];
  return [name, { kind, offset: Number(minutes) * 60, zone: null }];
}

let specByZone: Map<string, string> | null = null;

/** A zone's abbreviations at its offsets (seconds east); `zone` in lower case. */
export function shownAbbreviations(zone: string): AbbreviationsByOffset {
  specByZone ??= indexZones();
  const byOffset = new Map<number, ShownAbbreviation[]>();
  for (const part of specByZone.get(zone)?.split(' ') ?? []) {
    const [quarters, names] = part.split(':') as [string, string];
    const shown = names.split(',').map((name) => {
      const [text, day] = name.split('@') as [string, string | undefined];
      return { text, from: day === undefined ? -Infinity : Number(day) * 86_400 };
    });
    byOffset.set(Number(quarters) * 900, shown);
  }
  return byOffset;
}

function indexZones(): Map<string, string> {
  const index = new Map<string, string>();
  for (const [spec, zones] of SHOWN) {
    for (const group of zones.split(' ')) {
      const slash = group.indexOf('/');
      const area = slash < 0 ? '' : group.slice(0, slash + 1);
      for (const city of group.slice(slash + 1).split('|')) index.set((area + city).toLowerCase(), spec);
    }
  }
  return index;
}

/** Values of `timezone_abbreviations`. Those of countries differ from the first in ambiguous abbreviations (manual, appendix B.4). */
export const ABBREVIATION_SETS: ReadonlyMap<string, Abbreviations> = new Map([
  ['Default', INPUT_ABBREVIATIONS],
  ['Australia', withOwn('cst:570 east:600 est:600 sast:570 sat:570 wst:480')],
  ['India', withOwn('ist:330')],
]);

function withOwn(entries: string): Abbreviations {
  return new Map([...INPUT_ABBREVIATIONS, ...entries.split(' ').map((entry) => fixed(entry, 'standard'))]);
}

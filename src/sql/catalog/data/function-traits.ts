/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */

/** oid leakproof parallel cost rows language support, of the functions of which one is not f s 1 0 (a set: 1000) 12 0 */
export const FUNCTION_TRAITS = `56 t s 1 0 12 0
57 t s 1 0 12 0
60 t s 1 0 12 0
61 t s 1 0 12 0
62 t s 1 0 12 0
63 t s 1 0 12 0
64 t s 1 0 12 0
65 t s 1 0 12 0
66 t s 1 0 12 0
67 t s 1 0 12 0
68 t s 1 0 12 0
69 t s 1 0 12 0
70 t s 1 0 12 0
72 t s 1 0 12 0
73 t s 1 0 12 0
74 t s 1 0 12 0
79 f s 1 0 12 1364
84 t s 1 0 12 0
144 t s 1 0 12 0
145 t s 1 0 12 0
146 t s 1 0 12 0
147 t s 1 0 12 0
148 t s 1 0 12 0
149 t s 1 0 12 0
150 t s 1 0 12 0
151 t s 1 0 12 0
157 t s 1 0 12 0
158 t s 1 0 12 0
159 t s 1 0 12 0
160 t s 1 0 12 0
161 t s 1 0 12 0
162 t s 1 0 12 0
163 t s 1 0 12 0
164 t s 1 0 12 0
165 t s 1 0 12 0
166 t s 1 0 12 0
167 t s 1 0 12 0
168 t s 1 0 12 0
169 t s 1 0 12 0
184 t s 1 0 12 0
185 t s 1 0 12 0
235 t s 1 0 12 0
236 t s 1 0 12 0
240 t s 1 0 12 0
241 t s 1 0 12 0
242 t s 1 0 12 0
243 t s 1 0 12 0
244 t s 1 0 12 0
245 t s 1 0 12 0
246 t s 1 0 12 0
247 t s 1 0 12 0
248 t s 1 0 12 0
249 t s 1 0 12 0
250 t s 1 0 12 0
251 t s 1 0 12 0
252 t s 1 0 12 0
253 t s 1 0 12 0
275 f u 1 0 12 0
287 t s 1 0 12 0
288 t s 1 0 12 0
289 t s 1 0 12 0
290 t s 1 0 12 0
291 t s 1 0 12 0
292 t s 1 0 12 0
293 t s 1 0 12 0
294 t s 1 0 12 0
295 t s 1 0 12 0
296 t s 1 0 12 0
297 t s 1 0 12 0
298 t s 1 0 12 0
299 t s 1 0 12 0
300 t s 1 0 12 0
301 t s 1 0 12 0
302 t s 1 0 12 0
303 t s 1 0 12 0
304 t s 1 0 12 0
305 t s 1 0 12 0
306 t s 1 0 12 0
307 t s 1 0 12 0
308 t s 1 0 12 0
309 t s 1 0 12 0
310 t s 1 0 12 0
311 t s 1 0 12 0
313 t s 1 0 12 0
316 t s 1 0 12 0
318 t s 1 0 12 0
350 t s 1 0 12 0
351 t s 1 0 12 0
354 t s 1 0 12 0
355 t s 1 0 12 0
356 t s 1 0 12 0
358 t s 1 0 12 0
359 t s 1 0 12 0
360 t s 1 0 12 0
377 t s 1 0 12 0
404 t s 1 0 12 0
406 t s 1 0 12 0
407 t s 1 0 12 0
409 t s 1 0 12 0
458 t s 1 0 12 0
459 t s 1 0 12 0
467 t s 1 0 12 0
468 t s 1 0 12 0
469 t s 1 0 12 0
470 t s 1 0 12 0
471 t s 1 0 12 0
472 t s 1 0 12 0
474 t s 1 0 12 0
475 t s 1 0 12 0
476 t s 1 0 12 0
477 t s 1 0 12 0
478 t s 1 0 12 0
479 t s 1 0 12 0
481 t s 1 0 12 0
482 t s 1 0 12 0
619 t s 1 0 12 0
652 t s 1 0 12 0
655 t s 1 0 12 0
656 t s 1 0 12 0
657 t s 1 0 12 0
658 t s 1 0 12 0
659 t s 1 0 12 0
669 f s 1 0 12 3097
677 t s 1 0 12 0
678 t s 1 0 12 0
679 t s 1 0 12 0
680 t s 1 0 12 0
681 t s 1 0 12 0
715 f u 1 0 12 0
716 t s 1 0 12 0
717 t s 1 0 12 0
740 t s 1 0 12 0
741 t s 1 0 12 0
742 t s 1 0 12 0
743 t s 1 0 12 0
754 t s 1 0 12 0
764 f u 1 0 12 0
765 f u 1 0 12 0
767 f u 1 0 12 0
817 f r 1 0 12 0
830 t s 1 0 12 0
831 t s 1 0 12 0
832 t s 1 0 12 0
833 t s 1 0 12 0
834 t s 1 0 12 0
835 t s 1 0 12 0
836 t s 1 0 12 0
842 t s 1 0 12 0
850 f s 1 0 12 1023
852 t s 1 0 12 0
853 t s 1 0 12 0
854 t s 1 0 12 0
855 t s 1 0 12 0
856 t s 1 0 12 0
857 t s 1 0 12 0
858 f s 1 0 12 1023
879 f s 1 0 14 0
880 f s 1 0 14 0
888 t s 1 0 12 0
889 t s 1 0 12 0
890 t s 1 0 12 0
891 t s 1 0 12 0
892 t s 1 0 12 0
893 t s 1 0 12 0
920 t s 1 0 12 0
921 t s 1 0 12 0
922 t s 1 0 12 0
923 t s 1 0 12 0
924 t s 1 0 12 0
925 t s 1 0 12 0
926 t s 1 0 12 0
927 f s 1 0 12 1173
928 f s 1 0 12 1173
929 f s 1 0 12 1173
930 f s 1 0 12 1173
952 f u 1 0 12 0
953 f u 1 0 12 0
954 f u 1 0 12 0
955 f u 1 0 12 0
956 f u 1 0 12 0
957 f u 1 0 12 0
958 f u 1 0 12 0
964 f u 1 0 12 0
999 t s 1 0 12 0
1004 f u 1 0 12 0
1048 t s 1 0 12 0
1049 t s 1 0 12 0
1050 t s 1 0 12 0
1051 t s 1 0 12 0
1052 t s 1 0 12 0
1053 t s 1 0 12 0
1063 t s 1 0 12 0
1064 t s 1 0 12 0
1066 f s 1 1000 12 3994
1067 f s 1 1000 12 3994
1068 f s 1 1000 12 3995
1069 f s 1 1000 12 3995
1078 t s 1 0 12 0
1086 t s 1 0 12 0
1087 t s 1 0 12 0
1088 t s 1 0 12 0
1089 t s 1 0 12 0
1090 t s 1 0 12 0
1091 t s 1 0 12 0
1092 t s 1 0 12 0
1102 t s 1 0 12 0
1103 t s 1 0 12 0
1104 t s 1 0 12 0
1105 t s 1 0 12 0
1106 t s 1 0 12 0
1107 t s 1 0 12 0
1136 f r 1 0 12 0
1145 t s 1 0 12 0
1152 t s 1 0 12 0
1153 t s 1 0 12 0
1154 t s 1 0 12 0
1155 t s 1 0 12 0
1156 t s 1 0 12 0
1157 t s 1 0 12 0
1162 t s 1 0 12 0
1163 t s 1 0 12 0
1164 t s 1 0 12 0
1165 t s 1 0 12 0
1166 t s 1 0 12 0
1167 t s 1 0 12 0
1176 f s 1 0 14 0
1181 f r 1 0 12 0
1200 f s 1 0 12 3918
1215 f s 100 0 14 0
1216 f s 100 0 14 0
1238 f s 1 0 12 1024
1240 f s 1 0 12 1024
1246 t s 1 0 12 0
1254 f s 1 0 12 1364
1265 t s 1 0 12 0
1285 f s 1 0 14 0
1288 t s 1 0 12 0
1290 f s 1 0 14 0
1292 t s 1 0 12 0
1293 f s 1 100 12 0
1294 f u 1 0 12 0
1296 f s 1 0 14 0
1298 f s 1 0 14 0
1305 f s 1 0 14 0
1306 f s 1 0 14 0
1307 f s 1 0 14 0
1309 f s 1 0 14 0
1310 f s 1 0 14 0
1311 f s 1 0 14 0
1314 t s 1 0 12 0
1315 t s 1 0 12 0
1319 t s 1 0 12 0
1348 f s 100 0 14 0
1352 t s 1 0 12 0
1353 t s 1 0 12 0
1354 t s 1 0 12 0
1355 t s 1 0 12 0
1356 t s 1 0 12 0
1357 t s 1 0 12 0
1358 t s 1 0 12 0
1370 t s 1 0 12 0
1384 f s 1 0 14 0
1386 f s 1 0 14 0
1391 f r 1 0 12 0
1392 f r 1 0 12 0
1393 f r 1 0 12 0
1400 t s 1 0 12 0
1401 t s 1 0 12 0
1402 f u 1 0 12 0
1403 f u 1 0 12 0
1426 f s 1 0 14 0
1462 t s 1 0 12 0
1463 t s 1 0 12 0
1464 t s 1 0 12 0
1465 t s 1 0 12 0
1466 t s 1 0 12 0
1467 t s 1 0 12 0
1481 f s 1 0 14 0
1482 t s 1 0 12 0
1483 t s 1 0 12 0
1484 t s 1 0 12 0
1485 t s 1 0 12 0
1486 t s 1 0 12 0
1544 f s 1 0 14 0
1569 f s 1 0 12 1023
1571 f s 1 0 12 1023
1574 f u 1 0 12 0
1575 f u 1 0 12 0
1576 f u 1 0 12 0
1581 t s 1 0 12 0
1582 t s 1 0 12 0
1592 t s 1 0 12 0
1593 t s 1 0 12 0
1594 t s 1 0 12 0
1595 t s 1 0 12 0
1596 t s 1 0 12 0
1598 f r 1 0 12 0
1599 f r 1 0 12 0
1631 f s 1 0 12 1023
1633 f s 1 0 12 1025
1635 f s 1 0 12 1025
1638 t s 1 0 12 0
1639 t s 1 0 12 0
1640 f r 1 0 12 0
1641 f r 1 0 12 0
1656 f s 1 0 12 1024
1658 f s 1 0 12 1364
1660 f s 1 0 12 1025
1666 t s 1 0 12 0
1667 t s 1 0 12 0
1668 t s 1 0 12 0
1669 t s 1 0 12 0
1670 t s 1 0 12 0
1671 t s 1 0 12 0
1672 t s 1 0 12 0
1686 f s 10 500 12 0
1687 f s 1 0 12 3158
1689 f s 1 10 12 0
1691 t s 1 0 12 0
1692 t s 1 0 12 0
1693 t s 1 0 12 0
1703 f s 1 0 12 3157
1708 f s 1 0 14 0
1710 f s 1 0 14 0
1740 t s 1 0 12 0
1741 f s 1 0 14 0
1742 t s 1 0 12 0
1743 t s 1 0 12 0
1765 f u 1 0 12 0
1781 t s 1 0 12 0
1782 t s 1 0 12 0
1810 f s 1 0 14 0
1811 f s 1 0 14 0
1812 f s 1 0 14 0
1848 f s 1 0 14 0
1850 t s 1 0 12 0
1851 t s 1 0 12 0
1852 t s 1 0 12 0
1853 t s 1 0 12 0
1854 t s 1 0 12 0
1855 t s 1 0 12 0
1856 t s 1 0 12 0
1857 t s 1 0 12 0
1858 t s 1 0 12 0
1859 t s 1 0 12 0
1860 t s 1 0 12 0
1861 t s 1 0 12 0
1928 f r 1 0 12 0
1929 f r 1 0 12 0
1930 f r 1 0 12 0
1931 f r 1 0 12 0
1932 f r 1 0 12 0
1933 f r 1 0 12 0
1934 f r 1 0 12 0
1935 f r 1 0 12 0
1936 f r 1 100 12 0
1937 f r 1 0 12 0
1938 f r 1 0 12 0
1939 f r 1 0 12 0
1940 f r 1 0 12 0
1941 f r 1 0 12 0
1942 f r 1 0 12 0
1943 f r 1 0 12 0
1944 f r 1 0 12 0
1945 f r 1 0 12 0
1948 t s 1 0 12 0
1949 t s 1 0 12 0
1950 t s 1 0 12 0
1951 t s 1 0 12 0
1952 t s 1 0 12 0
1953 t s 1 0 12 0
1954 t s 1 0 12 0
1961 f s 1 0 12 3917
1967 f s 1 0 12 3917
1968 f s 1 0 12 3944
1969 f s 1 0 12 3944
1972 f r 1 0 12 0
1993 f s 100 0 14 0
2003 f s 1 0 14 0
2004 f s 1 0 14 0
2005 f s 1 0 12 1023
2007 f s 1 0 12 1023
2022 f r 1 100 12 0
2026 f r 1 0 12 0
2034 f r 1 0 12 0
2042 f s 1 0 14 0
2043 f s 1 0 14 0
2044 f s 1 0 14 0
2045 t s 1 0 12 0
2052 t s 1 0 12 0
2053 t s 1 0 12 0
2054 t s 1 0 12 0
2055 t s 1 0 12 0
2056 t s 1 0 12 0
2057 t s 1 0 12 0
2059 f s 1 0 14 0
2074 f s 1 0 14 0
2078 f u 1 0 12 0
2079 f s 10 0 12 0
2080 f s 10 0 12 0
2081 f s 10 0 12 0
2082 f s 10 0 12 0
2083 f s 10 0 12 0
2093 f s 10 0 12 0
2094 f r 1 0 12 0
2137 f r 1 0 12 0
2147 f s 1 0 12 6236
2160 t s 1 0 12 0
2161 t s 1 0 12 0
2163 t s 1 0 12 0
2164 t s 1 0 12 0
2166 t s 1 0 12 0
2172 f r 1 0 12 0
2174 t s 1 0 12 0
2175 t s 1 0 12 0
2177 t s 1 0 12 0
2178 t s 1 0 12 0
2180 t s 1 0 12 0
2188 t s 1 0 12 0
2189 t s 1 0 12 0
2190 t s 1 0 12 0
2191 t s 1 0 12 0
2192 t s 1 0 12 0
2193 t s 1 0 12 0
2194 t s 1 0 12 0
2195 t s 1 0 12 0
2196 f r 1 0 12 0
2197 f r 1 0 12 0
2198 f r 1 0 12 0
2199 f r 1 0 12 0
2230 f r 1 0 12 0
2282 f r 1 100 12 0
2289 f s 1 3 12 0
2306 f r 1 100 12 0
2311 t s 1 0 12 0
2321 t s 1 0 12 0
2325 f s 1 0 14 0
2331 f s 1 100 12 3996
2505 f r 1 0 12 0
2506 f r 1 0 12 0
2510 f r 1 1000 12 0
2511 f r 1 1000 12 0
2546 f s 1 0 14 0
2547 f s 1 0 14 0
2548 f s 1 0 14 0
2549 f s 1 0 14 0
2550 f s 1 0 14 0
2557 t s 1 0 12 0
2558 t s 1 0 12 0
2559 f u 1 0 12 0
2631 f s 1 0 14 0
2739 f r 1 0 12 0
2758 f r 1 0 12 0
2759 f r 1 0 12 0
2760 f r 1 0 12 0
2761 f r 1 0 12 0
2762 f r 1 0 12 0
2763 f s 1 1 12 0
2764 f s 1 10 12 0
2769 f r 1 0 12 0
2770 f r 1 0 12 0
2771 f r 1 0 12 0
2772 f r 1 0 12 0
2773 f r 1 0 12 0
2775 f r 1 0 12 0
2781 f r 1 0 12 0
2782 f r 1 0 12 0
2783 f r 1 0 12 0
2784 f r 1 0 12 0
2788 f r 1 0 12 0
2790 t s 1 0 12 0
2791 t s 1 0 12 0
2792 t s 1 0 12 0
2793 t s 1 0 12 0
2794 t s 1 0 12 0
2803 f s 1 0 12 6236
2844 f r 1 0 12 0
2845 f r 1 0 12 0
2853 f r 1 0 12 0
2854 f r 1 0 12 0
2857 f r 1 0 12 0
2859 f r 1 0 12 0
2878 f r 1 0 12 0
2879 f r 1 0 12 0
2880 f r 1 0 12 0
2881 f r 1 0 12 0
2882 f r 1 0 12 0
2883 f r 1 0 12 0
2884 f r 1 0 12 0
2885 f r 1 0 12 0
2886 f r 1 0 12 0
2887 f r 1 0 12 0
2888 f r 1 0 12 0
2889 f r 1 0 12 0
2890 f r 1 0 12 0
2891 f r 1 0 12 0
2892 f r 1 0 12 0
2923 f r 100 0 12 0
2924 f u 100 0 12 0
2925 f u 100 0 12 0
2926 f r 100 0 12 0
2927 f u 100 0 12 0
2928 f u 100 0 12 0
2929 f r 100 0 12 0
2930 f u 100 0 12 0
2932 f s 1 0 14 0
2933 f r 100 0 12 0
2934 f r 100 0 12 0
2935 f r 100 0 12 0
2936 f r 100 0 12 0
2937 f r 100 0 12 0
2938 f r 100 0 12 0
2943 f u 1 0 12 0
2947 f s 1 50 12 0
2954 t s 1 0 12 0
2955 t s 1 0 12 0
2956 t s 1 0 12 0
2957 t s 1 0 12 0
2958 t s 1 0 12 0
2959 t s 1 0 12 0
2960 t s 1 0 12 0
2978 f r 1 0 12 0
2979 f r 1 0 12 0
2980 f r 1 0 12 0
3024 f s 10 0 12 0
3025 f s 10 0 12 0
3026 f s 10 0 12 0
3027 f s 10 0 12 0
3028 f s 10 0 12 0
3029 f s 10 0 12 0
3035 f r 1 10 12 0
3036 f r 1 0 12 0
3037 f r 1 0 12 0
3038 f r 1 0 12 0
3039 f r 1 0 12 0
3040 f r 1 0 12 0
3041 f r 1 0 12 0
3042 f r 1 0 12 0
3043 f r 1 0 12 0
3044 f r 1 0 12 0
3045 f r 1 0 12 0
3046 f r 1 0 12 0
3047 f r 1 0 12 0
3048 f r 1 0 12 0
3050 f s 1 0 14 0
3054 f r 1 0 12 0
3055 f r 1 0 12 0
3056 f r 1 0 12 0
3057 f r 1 0 12 0
3063 f r 1 0 12 0
3065 f r 1 0 12 0
3066 f r 1 0 12 0
3067 f r 1 0 12 0
3068 f r 1 0 12 0
3069 f r 1 0 12 0
3070 f r 1 0 12 0
3074 f r 1 0 12 0
3075 f r 1 0 12 0
3082 f s 10 100 12 0
3083 f s 10 100 12 0
3084 f s 10 100 12 0
3086 f u 1 0 12 0
3089 f r 1 0 12 0
3090 f r 1 0 12 0
3091 f r 1 0 12 0
3092 f r 1 0 12 0
3093 f r 1 0 12 0
3094 f r 1 0 12 0
3095 f r 1 0 12 0
3096 f r 1 0 12 0
3099 f r 1 10 12 0
3100 f s 1 0 12 6233
3101 f s 1 0 12 6234
3102 f s 1 0 12 6235
3150 f r 1 0 12 0
3151 f r 1 0 12 0
3152 f r 1 0 12 0
3159 f r 1 0 12 0
3160 f r 1 0 12 0
3161 f r 1 0 12 0
3163 f r 1 0 12 0
3170 f u 1 0 12 0
3171 f u 1 0 12 0
3172 f u 1 0 12 0
3177 f r 1 0 12 0
3195 f r 1 0 12 0
3205 f s 1 100 12 0
3208 f s 1 100 12 0
3219 f s 1 100 12 0
3231 t s 1 0 12 0
3232 t s 1 0 12 0
3233 t s 1 0 12 0
3234 t s 1 0 12 0
3235 t s 1 0 12 0
3236 t s 1 0 12 0
3251 t s 1 0 12 0
3296 f r 1 0 12 0
3308 t s 1 0 12 0
3309 t s 1 0 12 0
3317 f r 1 0 12 0
3318 f r 1 100 12 0
3322 f s 1 10 12 0
3348 f u 1 0 12 0
3353 f s 10 20 12 0
3354 f s 10 20 12 0
3400 f r 1 23 12 0
3403 f s 10 0 12 0
3419 t s 1 0 12 0
3420 t s 1 0 12 0
3421 t s 1 0 12 0
3422 t s 1 0 12 0
3425 f s 1 10 12 0
3426 f r 1 0 12 0
3428 f r 1 0 12 0
3432 t s 1 0 12 0
3445 f u 100 0 12 0
3448 f s 100 0 12 0
3457 f u 1 0 12 0
3458 f u 1 0 12 0
3459 f u 1 0 12 0
3460 f u 1 0 12 0
3465 f s 1 100 12 0
3475 f s 1 100 12 0
3491 f s 1 100 12 0
3566 f r 10 100 12 0
3577 f u 1 0 12 0
3578 f u 1 0 12 0
3582 f r 1 0 12 0
3584 f r 1 0 12 0
3586 f r 1 0 12 0
3587 f r 1 0 12 0
3588 f r 1 0 12 0
3589 f r 1 0 12 0
3590 f r 1 0 12 0
3591 f u 1 0 12 0
3685 f u 100 0 12 0
3689 f u 10 10000 12 0
3690 f u 10 10000 12 0
3696 t s 1 0 12 6242
3713 f s 1 16 12 0
3714 f s 1 16 12 0
3743 f s 100 0 12 0
3744 f s 100 0 12 0
3745 f s 100 0 12 0
3746 f s 100 0 12 0
3747 f s 100 0 12 0
3749 f s 100 0 12 0
3750 f s 100 0 12 0
3751 f s 100 0 12 0
3754 f s 100 0 12 0
3755 f s 100 0 12 0
3756 f s 10 0 12 0
3757 f s 10 0 12 0
3758 f s 10 0 12 0
3760 f s 100 0 12 0
3761 f s 100 0 12 0
3768 f s 10 0 12 0
3779 f u 1 0 12 0
3780 f u 1 0 12 0
3781 f s 1 10 12 0
3782 f u 1000 1000 12 0
3783 f u 1000 1000 12 0
3784 f u 1000 1000 12 0
3785 f u 1000 1000 12 0
3786 f u 1 0 12 0
3788 f r 1 0 12 0
3789 f u 1 0 12 0
3809 f u 1 0 12 0
3815 f s 10 0 12 0
3829 f s 10 0 12 0
3842 f s 10 0 12 0
3843 f s 10 0 12 0
3878 f u 1 0 12 0
3931 f s 1 100 12 0
3932 f s 1 100 12 0
3935 f s 1 0 14 0
3936 f s 1 0 14 0
3952 f u 1 0 12 0
3955 f s 1 100 12 0
3957 f s 1 100 12 0
3958 f s 1 100 12 0
3959 f s 1 100 12 0
3961 f s 1 100 12 0
3969 f s 1 100 12 0
3999 f u 1 0 12 0
4014 f u 1 0 12 0
4032 f u 1 0 12 0
4083 f r 1 0 12 0
4101 f u 1 0 12 0
4113 t s 1 0 12 0
4114 t s 1 0 12 0
4115 t s 1 0 12 0
4116 t s 1 0 12 0
4117 t s 1 0 12 0
4118 t s 1 0 12 0
4119 t s 1 0 12 0
4123 t s 1 0 12 0
4201 f s 100 0 12 0
4202 f s 100 0 12 0
4203 f s 100 0 12 0
4204 f s 100 0 12 0
4205 f s 100 0 12 0
4206 f s 100 0 12 0
4207 f s 100 0 12 0
4208 f s 100 0 12 0
4209 f s 100 0 12 0
4210 f s 100 0 12 0
4211 f s 100 0 12 0
4212 f s 100 0 12 0
4213 f s 100 0 12 0
4214 f s 100 0 12 0
4215 f s 100 0 12 0
4216 f s 100 0 12 0
4220 f u 1 0 12 0
4221 f u 1 0 12 0
4222 f u 1 0 12 0
4223 f u 1 0 12 0
4224 f u 1 0 12 0
4302 f s 1 0 13 0
4303 f s 1 0 13 0
4304 f s 1 0 13 0
4305 f s 1 0 13 0
4306 f s 1 0 13 0
4307 f s 1 0 13 0
4308 f s 1 0 13 0
4309 f s 1 0 13 0
4310 f s 1 0 13 0
4311 f s 1 0 13 0
4312 f s 1 0 13 0
4313 f s 1 0 13 0
4314 f s 1 0 13 0
4315 f s 1 0 13 0
4316 f s 1 0 13 0
4317 f s 1 0 13 0
4318 f s 1 0 13 0
4319 f s 1 0 13 0
4320 f s 1 0 13 0
4321 f s 1 0 13 0
4322 f s 1 0 13 0
4323 f s 1 0 13 0
4324 f s 1 0 13 0
4325 f s 1 0 13 0
4326 f s 1 0 13 0
4327 f s 1 0 13 0
4328 f s 1 0 13 0
4329 f s 1 0 13 0
4330 f s 1 0 13 0
4331 f s 1 0 13 0
4332 f s 1 0 13 0
4333 f s 1 0 13 0
4334 f s 1 0 13 0
4335 f s 1 0 13 0
4336 f s 1 0 13 0
4337 f s 1 0 13 0
4338 f s 1 0 13 0
4339 f s 1 0 13 0
4340 f s 1 0 13 0
4341 f s 1 0 13 0
4342 f s 1 0 13 0
4343 f s 1 0 13 0
4344 f s 1 0 13 0
4345 f s 1 0 13 0
4346 f s 1 0 13 0
4347 f s 1 0 13 0
4348 f s 1 0 13 0
4349 f s 1 0 13 0
4352 f s 1 0 13 0
4353 f s 1 0 13 0
4354 f s 1 0 13 0
4355 f s 1 0 13 0
4356 f s 1 0 13 0
4357 f s 1 0 13 0
4358 f s 1 0 13 0
4359 f s 1 0 13 0
4360 f s 1 0 13 0
4361 f s 1 0 13 0
4362 f s 1 0 13 0
4363 f s 1 0 13 0
4364 f s 1 0 13 0
4365 f s 1 0 13 0
4366 f s 1 0 13 0
4367 f s 1 0 13 0
4368 f s 1 0 13 0
4369 f s 1 0 13 0
4370 f s 1 0 13 0
4371 f s 1 0 13 0
4372 f s 1 0 13 0
4373 f s 1 0 13 0
4374 f s 1 0 13 0
4375 f s 1 0 13 0
4376 f s 1 0 13 0
4377 f s 1 0 13 0
4378 f s 1 0 13 0
4379 f s 1 0 13 0
4380 f s 1 0 13 0
4381 f s 1 0 13 0
4382 f s 1 0 13 0
4383 f s 1 0 13 0
4384 f s 1 0 13 0
4385 f s 1 0 13 0
4386 f s 1 0 13 0
4387 f s 1 0 13 0
4390 f r 1 0 12 0
4391 f r 1 0 12 0
4545 f u 1 0 12 0
4546 f u 1 0 12 0
4547 f u 1 0 12 0
4548 f u 1 0 12 0
4566 f r 1 0 12 0
4567 f r 1 0 12 0
4568 f r 10 100 12 0
5001 f s 100 0 12 0
5006 f s 100 0 12 0
5007 f s 100 0 12 0
5009 f s 100 0 12 0
5023 f s 1 0 14 0
5029 f s 10 20 12 0
5030 f s 10 20 12 0
5031 f s 10 20 12 0
5034 t s 1 0 12 0
5035 t s 1 0 12 0
5036 t s 1 0 12 0
5037 t s 1 0 12 0
5052 f s 1 50 12 0
5053 f r 1 0 12 0
5059 f u 1 0 12 0
5060 f u 1 0 12 0
5064 f s 1 50 12 0
5084 t s 1 0 12 0
5085 t s 1 0 12 0
5096 t s 1 0 12 0
6003 f u 1 0 12 0
6004 f u 1 0 12 0
6006 f u 1 0 12 0
6007 f u 1 0 12 0
6008 f r 1 0 12 0
6009 f u 1 0 12 0
6010 f r 1 0 12 0
6011 f r 1 0 12 0
6012 f u 1 0 12 0
6013 f u 1 0 12 0
6014 f r 1 100 12 0
6118 f r 1 10 12 0
6120 f s 10 0 12 0
6159 f s 10 250 12 0
6169 f r 1 0 12 0
6183 f s 100 1000 14 0
6184 f s 100 1000 14 0
6185 f r 1 0 12 0
6186 f r 1 0 12 0
6187 f r 1 0 12 0
6188 f r 1 0 12 0
6189 f r 1 0 12 0
6190 f r 1 0 12 0
6191 f r 1 0 12 0
6224 f s 1 50 12 0
6230 f r 1 0 12 0
6231 f r 1 0 12 0
6241 f u 1 0 12 0
6248 f s 1 1 12 0
6249 f s 100 0 12 0
6270 f s 10 20 12 0
6271 f s 10 20 12 0
6272 f s 10 20 12 0
13148 f u 1 0 13 0
13149 f u 1 0 13 0
13560 f u 1 0 13 0
13561 f u 1 0 13 0
13562 f u 1 0 13 0`;

/** oid modes types names, of the functions that have one of them; - for those that are null */
export const FUNCTION_PARAMETERS = `438 v 2276 -
440 v 2276 -
1065 o,o,o,o,o 28,25,1184,26,26 transaction,gid,prepared,ownerid,dbid
1136 o,o,o,o,o,o,o,o,o 20,20,1700,20,20,20,701,701,1184 wal_records,wal_fpi,wal_bytes,wal_buffers_full,wal_write,wal_sync,wal_write_time,wal_sync_time,stats_reset
1177 - - target,path,vars,silent
1179 - - target,path,vars,silent
1180 - - target,path,vars,silent
1268 - - str,strict
1371 o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 25,26,26,23,21,25,28,26,26,21,25,23,25,16,16,1184 locktype,database,relation,page,tuple,virtualxid,transactionid,classid,objid,objsubid,virtualtransaction,pid,mode,granted,fastpath,waitstart
1686 o,o,o,o,o 25,18,16,25,25 word,catcode,barelabel,catdesc,baredesc
1689 i,o,o,o,o 1034,26,26,25,16 acl,grantor,grantee,privilege_type,is_grantable
2022 i,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 23,26,23,26,25,25,25,25,25,1184,1184,1184,1184,869,25,23,28,28,25,16,25,25,23,25,1700,25,16,25,16,23,20 pid,datid,pid,usesysid,application_name,state,query,wait_event_type,wait_event,xact_start,query_start,backend_start,state_change,client_addr,client_hostname,client_port,backend_xid,backend_xmin,backend_type,ssl,sslversion,sslcipher,sslbits,ssl_client_dn,ssl_client_serial,ssl_issuer_dn,gss_auth,gss_princ,gss_enc,leader_pid,query_id
2023 - - target,path,vars,silent
2030 - - target,path,vars,silent
2084 o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 25,25,25,25,25,25,25,25,25,25,25,1009,25,25,25,23,16 name,setting,unit,category,short_desc,extra_desc,context,vartype,source,min_val,max_val,enumvals,boot_val,reset_val,sourcefile,sourceline,pending_restart
2096 - - pid,timeout
2172 - - label,fast
2282 o,o,o,o,o,o,o,o,o 25,25,25,23,20,20,20,20,20 name,ident,parent,level,total_bytes,total_nblocks,free_bytes,free_chunks,used_bytes
2289 i,o,o 1009,25,25 options_array,option_name,option_value
2306 o,o,o,o,o,o,o,o,o 25,20,20,20,20,20,20,20,1184 name,blks_zeroed,blks_hit,blks_read,blks_written,blks_exists,flushes,truncates,stats_reset
2510 o,o,o,o,o,o,o 25,25,1184,2211,16,20,20 name,statement,prepare_time,parameter_types,from_sql,generic_plans,custom_plans
2511 o,o,o,o,o,o 25,25,16,16,16,1184 name,statement,is_holdable,is_binary,is_scrollable,creation_time
2599 o,o,o 25,1186,16 abbrev,utc_offset,is_dst
2623 i,o,o,o,o,o,o 25,20,1184,1184,1184,1184,16 filename,size,access,modification,change,creation,isdir
2739 i,o,o,o 16,3220,25,25 wait_for_archive,lsn,labelfile,spcmapfile
2850 i,o,o 3220,25,23 lsn,file_name,file_offset
2856 o,o,o,o 25,25,1186,16 name,abbrev,utc_offset,is_dst
2923 - - tbl,nulls,tableforest,targetns
2924 - - query,nulls,tableforest,targetns
2925 - - cursor,count,nulls,tableforest,targetns
2926 - - tbl,nulls,tableforest,targetns
2927 - - query,nulls,tableforest,targetns
2928 - - cursor,nulls,tableforest,targetns
2929 - - tbl,nulls,tableforest,targetns
2930 - - query,nulls,tableforest,targetns
2933 - - schema,nulls,tableforest,targetns
2934 - - schema,nulls,tableforest,targetns
2935 - - schema,nulls,tableforest,targetns
2936 - - nulls,tableforest,targetns
2937 - - nulls,tableforest,targetns
2938 - - nulls,tableforest,targetns
3058 v 2276 -
3059 i,v 25,2276 -
3078 i,o,o,o,o,o,o,o 26,20,20,20,20,16,20,26 sequence_oid,start_value,minimum_value,maximum_value,increment,cycle_option,cache_size,data_type
3082 o,o,o 19,25,25 name,default_version,comment
3083 o,o,o,o,o,o,o,o 19,25,16,16,16,19,1003,25 name,version,superuser,trusted,relocatable,schema,requires,comment
3084 i,o,o,o 19,25,25,25 name,source,target,path
3099 o,o,o,o,o,o,o,o,o,o,o,o 23,25,3220,3220,3220,3220,1186,1186,1186,23,25,1184 pid,state,sent_lsn,write_lsn,flush_lsn,replay_lsn,write_lag,flush_lag,replay_lag,sync_priority,sync_state,reply_time
3195 o,o,o,o,o,o,o 20,25,1184,20,25,1184,1184 archived_count,last_archived_wal,last_archived_time,failed_count,last_failed_wal,last_failed_time,stats_reset
3198 v 2276 -
3200 v 2276 -
3208 i,o,o 3802,25,3802 from_json,key,value
3214 - - from_json,field_name
3215 - - from_json,element_index
3216 - - from_json,element_index
3217 i,v 3802,1009 from_json,path_elems
3219 i,o 3802,3802 from_json,value
3271 v 2276 -
3273 v 2276 -
3305 - - jsonb_in,path,replacement,create_if_missing
3307 i,i,o,o,o,o,o,o 25,16,20,1184,1184,1184,1184,16 filename,missing_ok,size,access,modification,change,creation,isdir
3317 o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 23,25,3220,23,3220,3220,23,1184,1184,3220,1184,25,25,23,25 pid,status,receive_start_lsn,receive_start_tli,written_lsn,flushed_lsn,received_tli,last_msg_send_time,last_msg_receipt_time,latest_end_lsn,latest_end_time,slot_name,sender_host,sender_port,conninfo
3318 i,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 25,23,26,26,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20 cmdtype,pid,datid,relid,param1,param2,param3,param4,param5,param6,param7,param8,param9,param10,param11,param12,param13,param14,param15,param16,param17,param18,param19,param20
3322 i,o,o,o 3614,25,1005,1009 tsvector,lexeme,positions,weights
3329 o,o,o,o,o,o,o 25,23,23,25,25,16,25 sourcefile,sourceline,seqno,name,setting,applied,error
3343 i,v 3802,1009 from_json,path_elems
3353 o,o,o 25,20,1184 name,size,modification
3354 o,o,o 25,20,1184 name,size,modification
3382 i,i,i,o,o,o 26,26,23,25,1009,1009 classid,objid,objsubid,type,object_names,object_args
3400 o,o 25,25 name,setting
3401 o,o,o,o,o,o,o,o,o 23,25,1009,1009,25,25,25,1009,25 line_number,type,database,user_name,address,netmask,auth_method,options,error
3423 i,o,o,o,o 2205,2205,2205,16,23 rootrelid,relid,parentrelid,isleaf,level
3425 i,o 2205,2205 partitionid,relid
3427 i,o,o,o,o,o 5017,23,1009,1000,701,701 mcv_list,index,values,nulls,frequency,base_frequency
3436 - - wait,wait_seconds
3441 o,o,o,o 23,23,20,1184 pg_control_version,catalog_version_no,system_identifier,pg_control_last_modified
3442 o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o,o 3220,3220,25,23,23,16,25,26,28,28,28,26,28,28,26,28,28,1184 checkpoint_lsn,redo_lsn,redo_wal_file,timeline_id,prev_timeline_id,full_page_writes,next_xid,next_oid,next_multixact_id,next_multi_offset,oldest_xid,oldest_xid_dbid,oldest_active_xid,oldest_multi_xid,oldest_multi_dbid,oldest_commit_ts_xid,newest_commit_ts_xid,checkpoint_time
3443 o,o,o,o,o 3220,23,3220,3220,16 min_recovery_end_lsn,min_recovery_end_timeline,backup_start_lsn,backup_end_lsn,end_of_backup_record_required
3444 o,o,o,o,o,o,o,o,o,o,o 23,23,23,23,23,23,23,23,23,16,23 max_data_alignment,database_block_size,blocks_per_segment,wal_block_size,bytes_per_wal_segment,max_identifier_length,max_index_columns,max_toast_chunk_size,large_object_chunk_size,float8_pass_by_value,data_page_checksum_version
3461 - - year,month,mday,hour,min,sec
3462 - - year,month,mday,hour,min,sec
3463 - - year,month,mday,hour,min,sec,timezone
3464 - - years,months,weeks,days,hours,mins,secs
3465 i,o 3802,25 from_json,value
3478 - - from_json,field_name
3539 i,v 25,2276 -
3566 o,o,o,o,o,o,o,o,o,o,o,o 26,26,23,16,16,16,25,25,25,25,1009,1009 classid,objid,objsubid,original,normal,is_temporary,object_type,schema_name,object_name,object_identity,address_names,address_args
3579 - - jsonb_in,path,replacement,insert_after
3583 o,o,o 28,1184,26 xid,timestamp,roident
3689 i,o,o,o 25,25,23,23 query,word,ndoc,nentry
3690 i,i,o,o,o 25,25,25,23,23 query,weights,word,ndoc,nentry
3713 i,o,o,o 26,23,25,25 parser_oid,tokid,alias,description
3714 i,o,o,o 25,23,25,25 parser_name,tokid,alias,description
3715 i,i,o,o 26,25,23,25 parser_oid,txt,tokid,token
3716 i,i,o,o 25,25,23,25 parser_name,txt,tokid,token
3779 i,i,i,o,o 19,16,16,19,3220 slot_name,immediately_reserve,temporary,slot_name,lsn
3781 o,o,o,o,o,o,o,o,o,o,o,o,o,o 19,19,25,26,16,16,23,28,28,3220,3220,25,20,16 slot_name,plugin,slot_type,datoid,temporary,active,active_pid,xmin,catalog_xmin,restart_lsn,confirmed_flush_lsn,wal_status,safe_wal_size,two_phase
3782 i,i,i,v,o,o,o 19,3220,23,1009,3220,28,25 slot_name,upto_lsn,upto_nchanges,options,lsn,xid,data
3783 i,i,i,v,o,o,o 19,3220,23,1009,3220,28,17 slot_name,upto_lsn,upto_nchanges,options,lsn,xid,data
3784 i,i,i,v,o,o,o 19,3220,23,1009,3220,28,25 slot_name,upto_lsn,upto_nchanges,options,lsn,xid,data
3785 i,i,i,v,o,o,o 19,3220,23,1009,3220,28,17 slot_name,upto_lsn,upto_nchanges,options,lsn,xid,data
3786 i,i,i,i,o,o 19,19,16,16,19,3220 slot_name,plugin,temporary,twophase,slot_name,lsn
3819 i,o,o 28,28,25 multixid,xid,mode
3839 i,i,i,o,o,o,o 26,26,23,25,25,25,25 classid,objid,objsubid,type,schema,name,identity
3846 - - year,month,day
3847 - - hour,min,sec
3878 i,i,o,o 19,3220,19,3220 slot_name,upto_lsn,slot_name,end_lsn
3932 i,o,o 3802,25,25 from_json,key,value
3940 i,v 3802,1009 from_json,path_elems
3947 - - from_json,field_name
3948 - - from_json,field_name
3949 - - from_json,element_index
3950 - - from_json,element_index
3951 i,v 114,1009 from_json,path_elems
3953 i,v 114,1009 from_json,path_elems
3954 i,i,i,o,o,o 25,1009,1009,26,26,23 type,object_names,object_args,classid,objid,objsubid
3955 i,o 114,114 from_json,value
3958 i,o,o 114,25,114 from_json,key,value
3959 i,o,o 114,25,25 from_json,key,value
3960 - - base,from_json,use_json_as_text
3961 - - base,from_json,use_json_as_text
3969 i,o 114,25 from_json,value
3971 i,v 2281,2276 -
3986 v 2276 -
3987 i,v 2281,2276 -
3988 v 2276 -
3989 i,v 2281,2276 -
3990 v 2276 -
3991 i,v 2281,2276 -
3992 v 2276 -
3993 i,v 2281,2276 -
4005 - - target,path,vars,silent
4006 - - target,path,vars,silent
4007 - - target,path,vars,silent
4008 - - target,path,vars,silent
4009 - - target,path,vars,silent
4220 i,i,i,o,o 19,19,16,19,3220 src_slot_name,dst_slot_name,temporary,slot_name,lsn
4221 i,i,o,o 19,19,19,3220 src_slot_name,dst_slot_name,slot_name,lsn
4222 i,i,i,i,o,o 19,19,16,19,19,3220 src_slot_name,dst_slot_name,temporary,plugin,slot_name,lsn
4223 i,i,i,o,o 19,19,16,19,3220 src_slot_name,dst_slot_name,temporary,slot_name,lsn
4224 i,i,o,o 19,19,19,3220 src_slot_name,dst_slot_name,slot_name,lsn
4282 v 3905 -
4285 v 3907 -
4288 v 3909 -
4291 v 3911 -
4294 v 3913 -
4297 v 3927 -
4566 o 26 oid
4568 o,o,o,o,o,o,o,o,o 26,26,23,25,25,25,25,16,32 classid,objid,objsubid,command_tag,object_type,schema_name,object_identity,in_extension,command
5028 i,i,i,v - -
5029 o,o,o 25,20,1184 name,size,modification
5030 i,o,o,o 26,25,20,1184 tablespace,name,size,modification
5031 o,o,o 25,20,1184 name,size,modification
5052 o,o,o,o 25,20,20,20 name,off,size,allocated_size
5054 - - jsonb_in,path,replacement,create_if_missing,null_value_treatment
6014 o,o,o,o 26,25,3220,3220 local_id,external_id,remote_lsn,local_lsn
6118 i,o,o,o,o,o,o,o,o 26,26,26,23,3220,1184,1184,3220,1184 subid,subid,relid,pid,received_lsn,last_msg_send_time,last_msg_receipt_time,latest_end_lsn,latest_end_time
6119 i,o,o,o 25,26,22,194 pubname,relid,attrs,qual
6159 o,o,o,o,o,o 2205,1009,2205,1009,16,16 fktable,fkcols,pktable,pkcols,is_array,is_opt
6168 i,o,o 28,1184,26 xid,timestamp,roident
6169 i,o,o,o,o,o,o,o,o,o,o 25,25,20,20,20,20,20,20,20,20,1184 slot_name,slot_name,spill_txns,spill_count,spill_bytes,stream_txns,stream_count,stream_bytes,total_txns,total_bytes,stats_reset
6183 i,i,o,o,o,o,o,o 3734,25,25,25,25,3770,3769,1009 config,document,alias,description,token,dictionaries,dictionary,lexemes
6184 i,o,o,o,o,o,o 25,25,25,25,3770,3769,1009 document,alias,description,token,dictionaries,dictionary,lexemes
6224 o,o,o 23,25,16 rm_id,rm_name,rm_builtin
6231 i,o,o,o,o 26,26,20,20,1184 subid,subid,apply_error_count,sync_error_count,stats_reset
6248 o,o,o,o,o,o,o,o,o,o 1184,20,20,20,20,20,20,23,23,23 stats_reset,prefetch,hit,skip_init,skip_new,skip_fpw,skip_rep,wal_distance,block_distance,io_depth
6250 o,o,o,o,o 23,25,25,25,25 line_number,map_name,sys_name,pg_username,error
6270 o,o,o 25,20,1184 name,size,modification
6271 o,o,o 25,20,1184 name,size,modification
6272 i,o,o,o 25,25,20,1184 slot_name,name,size,modification`;

/** oid, then the defaults of the last parameters */
export const FUNCTION_DEFAULTS = `1177 '{}'::jsonb false
1179 '{}'::jsonb false
1180 '{}'::jsonb false
1268 true
2023 '{}'::jsonb false
2030 '{}'::jsonb false
2096 0
2172 false
2739 true
3305 true
3436 true 60
3464 0 0 0 0 0 0 0.0
3579 false
3779 false false
3782 '{}'::text[]
3783 '{}'::text[]
3784 '{}'::text[]
3785 '{}'::text[]
3786 false false
3960 false
3961 false
4005 '{}'::jsonb false
4006 '{}'::jsonb false
4007 '{}'::jsonb false
4008 '{}'::jsonb false
4009 '{}'::jsonb false
4350 'NFC'::text
4351 'NFC'::text
5054 true 'use_json_null'::text`;

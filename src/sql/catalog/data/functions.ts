/** Read from the catalogs of PostgreSQL 15 by test/sql/catalog/extract.ts; not written by hand. */

/** oid name returns kind volatility strict set, then the oids of arguments */
export const FUNCTIONS = `3 heap_tableam_handler 269 f v t f 2281
31 byteaout 2275 f i t f 17
33 charout 2275 f i t f 18
34 namein 19 f i t f 2275
35 nameout 2275 f i t f 19
38 int2in 21 f i t f 2275
39 int2out 2275 f i t f 21
40 int2vectorin 22 f i t f 2275
41 int2vectorout 2275 f i t f 22
42 int4in 23 f i t f 2275
43 int4out 2275 f i t f 23
44 regprocin 24 f s t f 2275
45 regprocout 2275 f s t f 24
46 textin 25 f i t f 2275
47 textout 2275 f i t f 25
48 tidin 27 f i t f 2275
49 tidout 2275 f i t f 27
50 xidin 28 f i t f 2275
51 xidout 2275 f i t f 28
52 cidin 29 f i t f 2275
53 cidout 2275 f i t f 29
54 oidvectorin 30 f i t f 2275
55 oidvectorout 2275 f i t f 30
56 boollt 16 f i t f 16 16
57 boolgt 16 f i t f 16 16
60 booleq 16 f i t f 16 16
61 chareq 16 f i t f 18 18
62 nameeq 16 f i t f 19 19
63 int2eq 16 f i t f 21 21
64 int2lt 16 f i t f 21 21
65 int4eq 16 f i t f 23 23
66 int4lt 16 f i t f 23 23
67 texteq 16 f i t f 25 25
68 xideq 16 f i t f 28 28
69 cideq 16 f i t f 29 29
70 charne 16 f i t f 18 18
72 charle 16 f i t f 18 18
73 chargt 16 f i t f 18 18
74 charge 16 f i t f 18 18
77 int4 23 f i t f 18
78 char 18 f i t f 23
79 nameregexeq 16 f i t f 19 25
84 boolne 16 f i t f 16 16
86 pg_ddl_command_in 32 f i t f 2275
87 pg_ddl_command_out 2275 f i t f 32
88 pg_ddl_command_recv 32 f i t f 2281
89 version 25 f s t f
90 pg_ddl_command_send 17 f i t f 32
101 eqsel 701 f s t f 2281 26 2281 23
102 neqsel 701 f s t f 2281 26 2281 23
103 scalarltsel 701 f s t f 2281 26 2281 23
104 scalargtsel 701 f s t f 2281 26 2281 23
105 eqjoinsel 701 f s t f 2281 26 2281 21 2281
106 neqjoinsel 701 f s t f 2281 26 2281 21 2281
107 scalarltjoinsel 701 f s t f 2281 26 2281 21 2281
108 scalargtjoinsel 701 f s t f 2281 26 2281 21 2281
109 unknownin 705 f i t f 2275
110 unknownout 2275 f i t f 705
115 box_above_eq 16 f i t f 603 603
116 box_below_eq 16 f i t f 603 603
117 point_in 600 f i t f 2275
118 point_out 2275 f i t f 600
119 lseg_in 601 f i t f 2275
120 lseg_out 2275 f i t f 601
121 path_in 602 f i t f 2275
122 path_out 2275 f i t f 602
123 box_in 603 f i t f 2275
124 box_out 2275 f i t f 603
125 box_overlap 16 f i t f 603 603
126 box_ge 16 f i t f 603 603
127 box_gt 16 f i t f 603 603
128 box_eq 16 f i t f 603 603
129 box_lt 16 f i t f 603 603
130 box_le 16 f i t f 603 603
131 point_above 16 f i t f 600 600
132 point_left 16 f i t f 600 600
133 point_right 16 f i t f 600 600
134 point_below 16 f i t f 600 600
135 point_eq 16 f i t f 600 600
136 on_pb 16 f i t f 600 603
137 on_ppath 16 f i t f 600 602
138 box_center 600 f i t f 603
139 areasel 701 f s t f 2281 26 2281 23
140 areajoinsel 701 f s t f 2281 26 2281 21 2281
141 int4mul 23 f i t f 23 23
144 int4ne 16 f i t f 23 23
145 int2ne 16 f i t f 21 21
146 int2gt 16 f i t f 21 21
147 int4gt 16 f i t f 23 23
148 int2le 16 f i t f 21 21
149 int4le 16 f i t f 23 23
150 int4ge 16 f i t f 23 23
151 int2ge 16 f i t f 21 21
152 int2mul 21 f i t f 21 21
153 int2div 21 f i t f 21 21
154 int4div 23 f i t f 23 23
155 int2mod 21 f i t f 21 21
156 int4mod 23 f i t f 23 23
157 textne 16 f i t f 25 25
158 int24eq 16 f i t f 21 23
159 int42eq 16 f i t f 23 21
160 int24lt 16 f i t f 21 23
161 int42lt 16 f i t f 23 21
162 int24gt 16 f i t f 21 23
163 int42gt 16 f i t f 23 21
164 int24ne 16 f i t f 21 23
165 int42ne 16 f i t f 23 21
166 int24le 16 f i t f 21 23
167 int42le 16 f i t f 23 21
168 int24ge 16 f i t f 21 23
169 int42ge 16 f i t f 23 21
170 int24mul 23 f i t f 21 23
171 int42mul 23 f i t f 23 21
172 int24div 23 f i t f 21 23
173 int42div 23 f i t f 23 21
176 int2pl 21 f i t f 21 21
177 int4pl 23 f i t f 23 23
178 int24pl 23 f i t f 21 23
179 int42pl 23 f i t f 23 21
180 int2mi 21 f i t f 21 21
181 int4mi 23 f i t f 23 23
182 int24mi 23 f i t f 21 23
183 int42mi 23 f i t f 23 21
184 oideq 16 f i t f 26 26
185 oidne 16 f i t f 26 26
186 box_same 16 f i t f 603 603
187 box_contain 16 f i t f 603 603
188 box_left 16 f i t f 603 603
189 box_overleft 16 f i t f 603 603
190 box_overright 16 f i t f 603 603
191 box_right 16 f i t f 603 603
192 box_contained 16 f i t f 603 603
193 box_contain_pt 16 f i t f 603 600
195 pg_node_tree_in 194 f i t f 2275
196 pg_node_tree_out 2275 f i t f 194
197 pg_node_tree_recv 194 f s t f 2281
198 pg_node_tree_send 17 f s t f 194
200 float4in 700 f i t f 2275
201 float4out 2275 f i t f 700
202 float4mul 700 f i t f 700 700
203 float4div 700 f i t f 700 700
204 float4pl 700 f i t f 700 700
205 float4mi 700 f i t f 700 700
206 float4um 700 f i t f 700
207 float4abs 700 f i t f 700
208 float4_accum 1022 f i t f 1022 700
209 float4larger 700 f i t f 700 700
211 float4smaller 700 f i t f 700 700
212 int4um 23 f i t f 23
213 int2um 21 f i t f 21
214 float8in 701 f i t f 2275
215 float8out 2275 f i t f 701
216 float8mul 701 f i t f 701 701
217 float8div 701 f i t f 701 701
218 float8pl 701 f i t f 701 701
219 float8mi 701 f i t f 701 701
220 float8um 701 f i t f 701
221 float8abs 701 f i t f 701
222 float8_accum 1022 f i t f 1022 701
223 float8larger 701 f i t f 701 701
224 float8smaller 701 f i t f 701 701
225 lseg_center 600 f i t f 601
227 poly_center 600 f i t f 604
228 dround 701 f i t f 701
229 dtrunc 701 f i t f 701
230 dsqrt 701 f i t f 701
231 dcbrt 701 f i t f 701
232 dpow 701 f i t f 701 701
233 dexp 701 f i t f 701
234 dlog1 701 f i t f 701
235 float8 701 f i t f 21
236 float4 700 f i t f 21
237 int2 21 f i t f 701
238 int2 21 f i t f 700
239 line_distance 701 f i t f 628 628
240 nameeqtext 16 f i t f 19 25
241 namelttext 16 f i t f 19 25
242 nameletext 16 f i t f 19 25
243 namegetext 16 f i t f 19 25
244 namegttext 16 f i t f 19 25
245 namenetext 16 f i t f 19 25
246 btnametextcmp 23 f i t f 19 25
247 texteqname 16 f i t f 25 19
248 textltname 16 f i t f 25 19
249 textlename 16 f i t f 25 19
250 textgename 16 f i t f 25 19
251 textgtname 16 f i t f 25 19
252 textnename 16 f i t f 25 19
253 bttextnamecmp 23 f i t f 25 19
266 nameconcatoid 19 f i t f 19 26
267 table_am_handler_in 269 f i f f 2275
268 table_am_handler_out 2275 f i t f 269
274 timeofday 25 f v t f
275 pg_nextoid 26 f v t f 2205 19 2205
276 float8_combine 1022 f i t f 1022 1022
277 inter_sl 16 f i t f 601 628
278 inter_lb 16 f i t f 628 603
279 float48mul 701 f i t f 700 701
280 float48div 701 f i t f 700 701
281 float48pl 701 f i t f 700 701
282 float48mi 701 f i t f 700 701
283 float84mul 701 f i t f 701 700
284 float84div 701 f i t f 701 700
285 float84pl 701 f i t f 701 700
286 float84mi 701 f i t f 701 700
287 float4eq 16 f i t f 700 700
288 float4ne 16 f i t f 700 700
289 float4lt 16 f i t f 700 700
290 float4le 16 f i t f 700 700
291 float4gt 16 f i t f 700 700
292 float4ge 16 f i t f 700 700
293 float8eq 16 f i t f 701 701
294 float8ne 16 f i t f 701 701
295 float8lt 16 f i t f 701 701
296 float8le 16 f i t f 701 701
297 float8gt 16 f i t f 701 701
298 float8ge 16 f i t f 701 701
299 float48eq 16 f i t f 700 701
300 float48ne 16 f i t f 700 701
301 float48lt 16 f i t f 700 701
302 float48le 16 f i t f 700 701
303 float48gt 16 f i t f 700 701
304 float48ge 16 f i t f 700 701
305 float84eq 16 f i t f 701 700
306 float84ne 16 f i t f 701 700
307 float84lt 16 f i t f 701 700
308 float84le 16 f i t f 701 700
309 float84gt 16 f i t f 701 700
310 float84ge 16 f i t f 701 700
311 float8 701 f i t f 700
312 float4 700 f i t f 701
313 int4 23 f i t f 21
314 int2 21 f i t f 23
315 pg_jit_available 16 f v t f
316 float8 701 f i t f 23
317 int4 23 f i t f 701
318 float4 700 f i t f 23
319 int4 23 f i t f 700
320 width_bucket 23 f i t f 701 701 701 23
321 json_in 114 f i t f 2275
322 json_out 2275 f i t f 114
323 json_recv 114 f i t f 2281
324 json_send 17 f i t f 114
326 index_am_handler_in 325 f i f f 2275
327 index_am_handler_out 2275 f i t f 325
328 hashmacaddr8 23 f i t f 774
329 hash_aclitem 23 f i t f 1033
330 bthandler 325 f v t f 2281
331 hashhandler 325 f v t f 2281
332 gisthandler 325 f v t f 2281
333 ginhandler 325 f v t f 2281
334 spghandler 325 f v t f 2281
335 brinhandler 325 f v t f 2281
336 scalarlesel 701 f s t f 2281 26 2281 23
337 scalargesel 701 f s t f 2281 26 2281 23
338 amvalidate 16 f v t f 26
339 poly_same 16 f i t f 604 604
340 poly_contain 16 f i t f 604 604
341 poly_left 16 f i t f 604 604
342 poly_overleft 16 f i t f 604 604
343 poly_overright 16 f i t f 604 604
344 poly_right 16 f i t f 604 604
345 poly_contained 16 f i t f 604 604
346 poly_overlap 16 f i t f 604 604
347 poly_in 604 f i t f 2275
348 poly_out 2275 f i t f 604
350 btint2cmp 23 f i t f 21 21
351 btint4cmp 23 f i t f 23 23
354 btfloat4cmp 23 f i t f 700 700
355 btfloat8cmp 23 f i t f 701 701
356 btoidcmp 23 f i t f 26 26
357 dist_bp 701 f i t f 603 600
358 btcharcmp 23 f i t f 18 18
359 btnamecmp 23 f i t f 19 19
360 bttextcmp 23 f i t f 25 25
361 lseg_distance 701 f i t f 601 601
362 lseg_interpt 600 f i t f 601 601
363 dist_ps 701 f i t f 600 601
364 dist_pb 701 f i t f 600 603
365 dist_sb 701 f i t f 601 603
366 close_ps 600 f i t f 600 601
367 close_pb 600 f i t f 600 603
368 close_sb 600 f i t f 601 603
369 on_ps 16 f i t f 600 601
370 path_distance 701 f i t f 602 602
371 dist_ppath 701 f i t f 600 602
372 on_sb 16 f i t f 601 603
373 inter_sb 16 f i t f 601 603
376 string_to_array 1009 f i f f 25 25 25
377 cash_cmp 23 f i t f 790 790
378 array_append 5078 f i f f 5078 5077
379 array_prepend 5078 f i f f 5077 5078
380 dist_sp 701 f i t f 601 600
381 dist_bs 701 f i t f 603 601
382 btarraycmp 23 f i t f 2277 2277
383 array_cat 5078 f i f f 5078 5078
384 array_to_string 25 f s f f 2277 25 25
386 scalarlejoinsel 701 f s t f 2281 26 2281 21 2281
390 array_ne 16 f i t f 2277 2277
391 array_lt 16 f i t f 2277 2277
392 array_gt 16 f i t f 2277 2277
393 array_le 16 f i t f 2277 2277
394 string_to_array 1009 f i f f 25 25
395 array_to_string 25 f s t f 2277 25
396 array_ge 16 f i t f 2277 2277
398 scalargejoinsel 701 f s t f 2281 26 2281 21 2281
399 hashmacaddr 23 f i t f 829
400 hashtext 23 f i t f 25
401 text 25 f i t f 1042
404 btoidvectorcmp 23 f i t f 30 30
406 text 25 f i t f 19
407 name 19 f i t f 25
408 bpchar 1042 f i t f 19
409 name 19 f i t f 1042
421 dist_pathp 701 f i t f 602 600
422 hashinet 23 f i t f 869
425 hashint4extended 20 f i t f 23 20
432 hash_numeric 23 f i t f 1700
436 macaddr_in 829 f i t f 2275
437 macaddr_out 2275 f i t f 829
438 num_nulls 23 f i f f 2276
440 num_nonnulls 23 f i f f 2276
441 hashint2extended 20 f i t f 21 20
442 hashint8extended 20 f i t f 20 20
443 hashfloat4extended 20 f i t f 700 20
444 hashfloat8extended 20 f i t f 701 20
445 hashoidextended 20 f i t f 26 20
446 hashcharextended 20 f i t f 18 20
447 hashnameextended 20 f i t f 19 20
448 hashtextextended 20 f i t f 25 20
449 hashint2 23 f i t f 21
450 hashint4 23 f i t f 23
451 hashfloat4 23 f i t f 700
452 hashfloat8 23 f i t f 701
453 hashoid 23 f i t f 26
454 hashchar 23 f i t f 18
455 hashname 23 f i t f 19
456 hashvarlena 23 f i t f 2281
457 hashoidvector 23 f i t f 30
458 text_larger 25 f i t f 25 25
459 text_smaller 25 f i t f 25 25
460 int8in 20 f i t f 2275
461 int8out 2275 f i t f 20
462 int8um 20 f i t f 20
463 int8pl 20 f i t f 20 20
464 int8mi 20 f i t f 20 20
465 int8mul 20 f i t f 20 20
466 int8div 20 f i t f 20 20
467 int8eq 16 f i t f 20 20
468 int8ne 16 f i t f 20 20
469 int8lt 16 f i t f 20 20
470 int8gt 16 f i t f 20 20
471 int8le 16 f i t f 20 20
472 int8ge 16 f i t f 20 20
474 int84eq 16 f i t f 20 23
475 int84ne 16 f i t f 20 23
476 int84lt 16 f i t f 20 23
477 int84gt 16 f i t f 20 23
478 int84le 16 f i t f 20 23
479 int84ge 16 f i t f 20 23
480 int4 23 f i t f 20
481 int8 20 f i t f 23
482 float8 701 f i t f 20
483 int8 20 f i t f 701
515 array_larger 2277 f i t f 2277 2277
516 array_smaller 2277 f i t f 2277 2277
598 abbrev 25 f i t f 869
599 abbrev 25 f i t f 650
605 set_masklen 869 f i t f 869 23
619 oidvectorne 16 f i t f 30 30
626 hash_array 23 f i t f 2277
635 set_masklen 650 f i t f 650 23
636 pg_indexam_has_property 16 f s t f 26 25
637 pg_index_has_property 16 f s t f 2205 25
638 pg_index_column_has_property 16 f s t f 2205 23 25
652 float4 700 f i t f 20
653 int8 20 f i t f 700
655 namelt 16 f i t f 19 19
656 namele 16 f i t f 19 19
657 namegt 16 f i t f 19 19
658 namege 16 f i t f 19 19
659 namene 16 f i t f 19 19
668 bpchar 1042 f i t f 1042 23 16
669 varchar 1043 f i t f 1043 23 16
676 pg_indexam_progress_phasename 25 f i t f 26 20
677 oidvectorlt 16 f i t f 30 30
678 oidvectorle 16 f i t f 30 30
679 oidvectoreq 16 f i t f 30 30
680 oidvectorge 16 f i t f 30 30
681 oidvectorgt 16 f i t f 30 30
683 network 650 f i t f 869
696 netmask 869 f i t f 869
697 masklen 23 f i t f 869
698 broadcast 869 f i t f 869
699 host 25 f i t f 869
702 dist_lp 701 f i t f 628 600
704 dist_ls 701 f i t f 628 601
710 getpgusername 19 f s t f
711 family 23 f i t f 869
714 int2 21 f i t f 20
715 lo_create 26 f v t f 26
716 oidlt 16 f i t f 26 26
717 oidle 16 f i t f 26 26
720 octet_length 23 f i t f 17
721 get_byte 23 f i t f 17 23
722 set_byte 17 f i t f 17 23 23
723 get_bit 23 f i t f 17 20
724 set_bit 17 f i t f 17 20 23
725 dist_pl 701 f i t f 600 628
727 dist_sl 701 f i t f 601 628
728 dist_cpoly 701 f i t f 718 604
729 poly_distance 701 f i t f 604 604
730 text 25 f i t f 869
740 text_lt 16 f i t f 25 25
741 text_le 16 f i t f 25 25
742 text_gt 16 f i t f 25 25
743 text_ge 16 f i t f 25 25
744 array_eq 16 f i t f 2277 2277
745 current_user 19 f s t f
746 session_user 19 f s t f
747 array_dims 25 f i t f 2277
748 array_ndims 23 f i t f 2277
749 overlay 17 f i t f 17 17 23 23
750 array_in 2277 f s t f 2275 26 23
751 array_out 2275 f s t f 2277
752 overlay 17 f i t f 17 17 23
753 trunc 829 f i t f 829
754 int8 20 f i t f 21
764 lo_import 26 f v t f 25
765 lo_export 23 f v t f 26 25
766 int4inc 23 f i t f 23
767 lo_import 26 f v t f 25 26
768 int4larger 23 f i t f 23 23
769 int4smaller 23 f i t f 23 23
770 int2larger 21 f i t f 21 21
771 int2smaller 21 f i t f 21 21
772 hashvarlenaextended 20 f i t f 2281 20
776 hashoidvectorextended 20 f i t f 30 20
777 hash_aclitem_extended 20 f i t f 1033 20
778 hashmacaddrextended 20 f i t f 829 20
779 hashinetextended 20 f i t f 869 20
780 hash_numeric_extended 20 f i t f 1700 20
781 hashmacaddr8extended 20 f i t f 774 20
782 hash_array_extended 20 f i t f 2277 20
785 dist_polyc 701 f i t f 604 718
810 pg_client_encoding 19 f s t f
817 current_query 25 f v f f
830 macaddr_eq 16 f i t f 829 829
831 macaddr_lt 16 f i t f 829 829
832 macaddr_le 16 f i t f 829 829
833 macaddr_gt 16 f i t f 829 829
834 macaddr_ge 16 f i t f 829 829
835 macaddr_ne 16 f i t f 829 829
836 macaddr_cmp 23 f i t f 829 829
837 int82pl 20 f i t f 20 21
838 int82mi 20 f i t f 20 21
839 int82mul 20 f i t f 20 21
840 int82div 20 f i t f 20 21
841 int28pl 20 f i t f 21 20
842 btint8cmp 23 f i t f 20 20
846 cash_mul_flt4 790 f i t f 790 700
847 cash_div_flt4 790 f i t f 790 700
848 flt4_mul_cash 790 f i t f 700 790
849 position 23 f i t f 25 25
850 textlike 16 f i t f 25 25
851 textnlike 16 f i t f 25 25
852 int48eq 16 f i t f 23 20
853 int48ne 16 f i t f 23 20
854 int48lt 16 f i t f 23 20
855 int48gt 16 f i t f 23 20
856 int48le 16 f i t f 23 20
857 int48ge 16 f i t f 23 20
858 namelike 16 f i t f 19 25
859 namenlike 16 f i t f 19 25
860 bpchar 1042 f i t f 18
861 current_database 19 f s t f
862 int4_mul_cash 790 f i t f 23 790
863 int2_mul_cash 790 f i t f 21 790
864 cash_mul_int4 790 f i t f 790 23
865 cash_div_int4 790 f i t f 790 23
866 cash_mul_int2 790 f i t f 790 21
867 cash_div_int2 790 f i t f 790 21
868 strpos 23 f i t f 25 25
870 lower 25 f i t f 25
871 upper 25 f i t f 25
872 initcap 25 f i t f 25
873 lpad 25 f i t f 25 23 25
874 rpad 25 f i t f 25 23 25
875 ltrim 25 f i t f 25 25
876 rtrim 25 f i t f 25 25
877 substr 25 f i t f 25 23 23
878 translate 25 f i t f 25 25 25
879 lpad 25 f i t f 25 23
880 rpad 25 f i t f 25 23
881 ltrim 25 f i t f 25
882 rtrim 25 f i t f 25
883 substr 25 f i t f 25 23
884 btrim 25 f i t f 25 25
885 btrim 25 f i t f 25
886 cash_in 790 f s t f 2275
887 cash_out 2275 f s t f 790
888 cash_eq 16 f i t f 790 790
889 cash_ne 16 f i t f 790 790
890 cash_lt 16 f i t f 790 790
891 cash_le 16 f i t f 790 790
892 cash_gt 16 f i t f 790 790
893 cash_ge 16 f i t f 790 790
894 cash_pl 790 f i t f 790 790
895 cash_mi 790 f i t f 790 790
896 cash_mul_flt8 790 f i t f 790 701
897 cash_div_flt8 790 f i t f 790 701
898 cashlarger 790 f i t f 790 790
899 cashsmaller 790 f i t f 790 790
910 inet_in 869 f i t f 2275
911 inet_out 2275 f i t f 869
919 flt8_mul_cash 790 f i t f 701 790
920 network_eq 16 f i t f 869 869
921 network_lt 16 f i t f 869 869
922 network_le 16 f i t f 869 869
923 network_gt 16 f i t f 869 869
924 network_ge 16 f i t f 869 869
925 network_ne 16 f i t f 869 869
926 network_cmp 23 f i t f 869 869
927 network_sub 16 f i t f 869 869
928 network_subeq 16 f i t f 869 869
929 network_sup 16 f i t f 869 869
930 network_supeq 16 f i t f 869 869
935 cash_words 25 f i t f 790
936 substring 25 f i t f 25 23 23
937 substring 25 f i t f 25 23
938 generate_series 1114 f i t t 1114 1114 1186
939 generate_series 1184 f s t t 1184 1184 1186
940 mod 21 f i t f 21 21
941 mod 23 f i t f 23 23
942 int28mi 20 f i t f 21 20
943 int28mul 20 f i t f 21 20
944 char 18 f i t f 25
945 int8mod 20 f i t f 20 20
946 text 25 f i t f 18
947 mod 20 f i t f 20 20
948 int28div 20 f i t f 21 20
949 hashint8 23 f i t f 20
952 lo_open 23 f v t f 26 23
953 lo_close 23 f v t f 23
954 loread 17 f v t f 23 23
955 lowrite 23 f v t f 23 17
956 lo_lseek 23 f v t f 23 23 23
957 lo_creat 26 f v t f 23
958 lo_tell 23 f v t f 23
959 on_pl 16 f i t f 600 628
960 on_sl 16 f i t f 601 628
961 close_pl 600 f i t f 600 628
964 lo_unlink 23 f v t f 26
972 hashbpcharextended 20 f i t f 1042 20
973 path_inter 16 f i t f 602 602
975 area 701 f i t f 603
976 width 701 f i t f 603
977 height 701 f i t f 603
978 box_distance 701 f i t f 603 603
979 area 701 f i t f 602
980 box_intersect 603 f i t f 603 603
981 diagonal 601 f i t f 603
982 path_n_lt 16 f i t f 602 602
983 path_n_gt 16 f i t f 602 602
984 path_n_eq 16 f i t f 602 602
985 path_n_le 16 f i t f 602 602
986 path_n_ge 16 f i t f 602 602
987 path_length 701 f i t f 602
988 point_ne 16 f i t f 600 600
989 point_vert 16 f i t f 600 600
990 point_horiz 16 f i t f 600 600
991 point_distance 701 f i t f 600 600
992 slope 701 f i t f 600 600
993 lseg 601 f i t f 600 600
994 lseg_intersect 16 f i t f 601 601
995 lseg_parallel 16 f i t f 601 601
996 lseg_perp 16 f i t f 601 601
997 lseg_vertical 16 f i t f 601
998 lseg_horizontal 16 f i t f 601
999 lseg_eq 16 f i t f 601 601
1004 lo_truncate 23 f v t f 23 23
1023 textlike_support 2281 f i t f 2281
1024 texticregexeq_support 2281 f i t f 2281
1025 texticlike_support 2281 f i t f 2281
1026 timezone 1114 f i t f 1186 1184
1030 gist_point_compress 2281 f i t f 2281
1031 aclitemin 1033 f s t f 2275
1032 aclitemout 2275 f s t f 1033
1035 aclinsert 1034 f i t f 1034 1033
1036 aclremove 1034 f i t f 1034 1033
1037 aclcontains 16 f i t f 1034 1033
1039 getdatabaseencoding 19 f s t f
1044 bpcharin 1042 f i t f 2275 26 23
1045 bpcharout 2275 f i t f 1042
1046 varcharin 1043 f i t f 2275 26 23
1047 varcharout 2275 f i t f 1043
1048 bpchareq 16 f i t f 1042 1042
1049 bpcharlt 16 f i t f 1042 1042
1050 bpcharle 16 f i t f 1042 1042
1051 bpchargt 16 f i t f 1042 1042
1052 bpcharge 16 f i t f 1042 1042
1053 bpcharne 16 f i t f 1042 1042
1062 aclitemeq 16 f i t f 1033 1033
1063 bpchar_larger 1042 f i t f 1042 1042
1064 bpchar_smaller 1042 f i t f 1042 1042
1065 pg_prepared_xact 2249 f v t t
1066 generate_series 23 f i t t 23 23 23
1067 generate_series 23 f i t t 23 23
1068 generate_series 20 f i t t 20 20 20
1069 generate_series 20 f i t t 20 20
1078 bpcharcmp 23 f i t f 1042 1042
1079 regclass 2205 f s t f 25
1080 hashbpchar 23 f i t f 1042
1081 format_type 25 f s f f 26 23
1084 date_in 1082 f s t f 2275
1085 date_out 2275 f s t f 1082
1086 date_eq 16 f i t f 1082 1082
1087 date_lt 16 f i t f 1082 1082
1088 date_le 16 f i t f 1082 1082
1089 date_gt 16 f i t f 1082 1082
1090 date_ge 16 f i t f 1082 1082
1091 date_ne 16 f i t f 1082 1082
1092 date_cmp 23 f i t f 1082 1082
1102 time_lt 16 f i t f 1083 1083
1103 time_le 16 f i t f 1083 1083
1104 time_gt 16 f i t f 1083 1083
1105 time_ge 16 f i t f 1083 1083
1106 time_ne 16 f i t f 1083 1083
1107 time_cmp 23 f i t f 1083 1083
1136 pg_stat_get_wal 2249 f s f f
1137 pg_get_wal_replay_pause_state 25 f v t f
1138 date_larger 1082 f i t f 1082 1082
1139 date_smaller 1082 f i t f 1082 1082
1140 date_mi 23 f i t f 1082 1082
1141 date_pli 1082 f i t f 1082 23
1142 date_mii 1082 f i t f 1082 23
1143 time_in 1083 f s t f 2275 26 23
1144 time_out 2275 f i t f 1083
1145 time_eq 16 f i t f 1083 1083
1146 circle_add_pt 718 f i t f 718 600
1147 circle_sub_pt 718 f i t f 718 600
1148 circle_mul_pt 718 f i t f 718 600
1149 circle_div_pt 718 f i t f 718 600
1150 timestamptz_in 1184 f s t f 2275 26 23
1151 timestamptz_out 2275 f s t f 1184
1152 timestamptz_eq 16 f i t f 1184 1184
1153 timestamptz_ne 16 f i t f 1184 1184
1154 timestamptz_lt 16 f i t f 1184 1184
1155 timestamptz_le 16 f i t f 1184 1184
1156 timestamptz_ge 16 f i t f 1184 1184
1157 timestamptz_gt 16 f i t f 1184 1184
1158 to_timestamp 1184 f i t f 701
1159 timezone 1114 f i t f 25 1184
1160 interval_in 1186 f s t f 2275 26 23
1161 interval_out 2275 f s t f 1186
1162 interval_eq 16 f i t f 1186 1186
1163 interval_ne 16 f i t f 1186 1186
1164 interval_lt 16 f i t f 1186 1186
1165 interval_le 16 f i t f 1186 1186
1166 interval_ge 16 f i t f 1186 1186
1167 interval_gt 16 f i t f 1186 1186
1168 interval_um 1186 f i t f 1186
1169 interval_pl 1186 f i t f 1186 1186
1170 interval_mi 1186 f i t f 1186 1186
1171 date_part 701 f s t f 25 1184
1172 date_part 701 f i t f 25 1186
1173 network_subset_support 2281 f i t f 2281
1174 timestamptz 1184 f s t f 1082
1175 justify_hours 1186 f i t f 1186
1176 timestamptz 1184 f s t f 1082 1083
1177 jsonb_path_exists_tz 16 f s t f 3802 4072 3802 16
1178 date 1082 f s t f 1184
1179 jsonb_path_query_tz 3802 f s t t 3802 4072 3802 16
1180 jsonb_path_query_array_tz 3802 f s t f 3802 4072 3802 16
1181 age 23 f s t f 28
1188 timestamptz_mi 1186 f i t f 1184 1184
1189 timestamptz_pl_interval 1184 f s t f 1184 1186
1190 timestamptz_mi_interval 1184 f s t f 1184 1186
1191 generate_subscripts 23 f i t t 2277 23 16
1192 generate_subscripts 23 f i t t 2277 23
1193 array_fill 2277 f i f f 2283 1007
1194 log10 701 f i t f 701
1195 timestamptz_smaller 1184 f i t f 1184 1184
1196 timestamptz_larger 1184 f i t f 1184 1184
1197 interval_smaller 1186 f i t f 1186 1186
1198 interval_larger 1186 f i t f 1186 1186
1199 age 1186 f i t f 1184 1184
1200 interval 1186 f i t f 1186 23
1215 obj_description 25 f s t f 26 19
1216 col_description 25 f s t f 26 23
1217 date_trunc 1184 f s t f 25 1184
1218 date_trunc 1186 f i t f 25 1186
1219 int8inc 20 f i t f 20
1230 int8abs 20 f i t f 20
1236 int8larger 20 f i t f 20 20
1237 int8smaller 20 f i t f 20 20
1238 texticregexeq 16 f i t f 25 25
1239 texticregexne 16 f i t f 25 25
1240 nameicregexeq 16 f i t f 19 25
1241 nameicregexne 16 f i t f 19 25
1242 boolin 16 f i t f 2275
1243 boolout 2275 f i t f 16
1244 byteain 17 f i t f 2275
1245 charin 18 f i t f 2275
1246 charlt 16 f i t f 18 18
1250 unique_key_recheck 2279 f v t f
1251 int4abs 23 f i t f 23
1252 nameregexne 16 f i t f 19 25
1253 int2abs 21 f i t f 21
1254 textregexeq 16 f i t f 25 25
1256 textregexne 16 f i t f 25 25
1257 textlen 23 f i t f 25
1258 textcat 25 f i t f 25 25
1264 pg_char_to_encoding 23 f s t f 19
1265 tidne 16 f i t f 27 27
1267 cidr_in 650 f i t f 2275
1268 parse_ident 1009 f i t f 25 16
1269 pg_column_size 23 f s t f 2276
1271 overlaps 16 f i f f 1266 1266 1266 1266
1272 datetime_pl 1114 f i t f 1082 1083
1273 date_part 701 f i t f 25 1266
1274 int84pl 20 f i t f 20 23
1275 int84mi 20 f i t f 20 23
1276 int84mul 20 f i t f 20 23
1277 int84div 20 f i t f 20 23
1278 int48pl 20 f i t f 23 20
1279 int48mi 20 f i t f 23 20
1280 int48mul 20 f i t f 23 20
1281 int48div 20 f i t f 23 20
1282 quote_ident 25 f i t f 25
1283 quote_literal 25 f i t f 25
1284 date_trunc 1184 f s t f 25 1184 25
1285 quote_literal 25 f s t f 2283
1286 array_fill 2277 f i f f 2283 1007 1007
1287 oid 26 f i t f 20
1288 int8 20 f i t f 26
1289 quote_nullable 25 f i f f 25
1290 quote_nullable 25 f s f f 2283
1291 suppress_redundant_updates_trigger 2279 f v t f
1292 tideq 16 f i t f 27 27
1293 unnest 3831 f i t t 4537
1294 currtid2 27 f v t f 25 27
1295 justify_days 1186 f i t f 1186
1296 timedate_pl 1114 f i t f 1083 1082
1297 datetimetz_pl 1184 f i t f 1082 1266
1298 timetzdate_pl 1184 f i t f 1266 1082
1299 now 1184 f s t f
1300 positionsel 701 f s t f 2281 26 2281 23
1301 positionjoinsel 701 f s t f 2281 26 2281 21 2281
1302 contsel 701 f s t f 2281 26 2281 23
1303 contjoinsel 701 f s t f 2281 26 2281 21 2281
1304 overlaps 16 f i f f 1184 1184 1184 1184
1305 overlaps 16 f s f f 1184 1186 1184 1186
1306 overlaps 16 f s f f 1184 1184 1184 1186
1307 overlaps 16 f s f f 1184 1186 1184 1184
1308 overlaps 16 f i f f 1083 1083 1083 1083
1309 overlaps 16 f i f f 1083 1186 1083 1186
1310 overlaps 16 f i f f 1083 1083 1083 1186
1311 overlaps 16 f i f f 1083 1186 1083 1083
1312 timestamp_in 1114 f s t f 2275 26 23
1313 timestamp_out 2275 f s t f 1114
1314 timestamptz_cmp 23 f i t f 1184 1184
1315 interval_cmp 23 f i t f 1186 1186
1316 time 1083 f i t f 1114
1317 length 23 f i t f 25
1318 length 23 f i t f 1042
1319 xideqint4 16 f i t f 28 23
1326 interval_div 1186 f i t f 1186 701
1339 dlog10 701 f i t f 701
1340 log 701 f i t f 701
1341 ln 701 f i t f 701
1342 round 701 f i t f 701
1343 trunc 701 f i t f 701
1344 sqrt 701 f i t f 701
1345 cbrt 701 f i t f 701
1346 pow 701 f i t f 701 701
1347 exp 701 f i t f 701
1348 obj_description 25 f s t f 26
1349 oidvectortypes 25 f s t f 30
1350 timetz_in 1266 f s t f 2275 26 23
1351 timetz_out 2275 f i t f 1266
1352 timetz_eq 16 f i t f 1266 1266
1353 timetz_ne 16 f i t f 1266 1266
1354 timetz_lt 16 f i t f 1266 1266
1355 timetz_le 16 f i t f 1266 1266
1356 timetz_ge 16 f i t f 1266 1266
1357 timetz_gt 16 f i t f 1266 1266
1358 timetz_cmp 23 f i t f 1266 1266
1359 timestamptz 1184 f i t f 1082 1266
1362 hostmask 869 f i t f 869
1364 textregexeq_support 2281 f i t f 2281
1365 makeaclitem 1033 f i t f 26 26 25 16
1367 character_length 23 f i t f 1042
1368 power 701 f i t f 701 701
1369 character_length 23 f i t f 25
1370 interval 1186 f i t f 1083
1371 pg_lock_status 2249 f v t t
1372 char_length 23 f i t f 1042
1373 isfinite 16 f i t f 1082
1374 octet_length 23 f i t f 25
1375 octet_length 23 f i t f 1042
1376 factorial 1700 f i t f 20
1377 time_larger 1083 f i t f 1083 1083
1378 time_smaller 1083 f i t f 1083 1083
1379 timetz_larger 1266 f i t f 1266 1266
1380 timetz_smaller 1266 f i t f 1266 1266
1381 char_length 23 f i t f 25
1384 date_part 701 f i t f 25 1082
1385 date_part 701 f i t f 25 1083
1386 age 1186 f s t f 1184
1387 pg_get_constraintdef 25 f s t f 26
1388 timetz 1266 f s t f 1184
1389 isfinite 16 f i t f 1184
1390 isfinite 16 f i t f 1186
1391 pg_stat_get_backend_start 1184 f s t f 23
1392 pg_stat_get_backend_client_addr 869 f s t f 23
1393 pg_stat_get_backend_client_port 23 f s t f 23
1394 abs 700 f i t f 700
1395 abs 701 f i t f 701
1396 abs 20 f i t f 20
1397 abs 23 f i t f 23
1398 abs 21 f i t f 21
1400 name 19 f i t f 1043
1401 varchar 1043 f i t f 19
1402 current_schema 19 f s t f
1403 current_schemas 1003 f s t f 16
1404 overlay 25 f i t f 25 25 23 23
1405 overlay 25 f i t f 25 25 23
1406 isvertical 16 f i t f 600 600
1407 ishorizontal 16 f i t f 600 600
1408 isparallel 16 f i t f 601 601
1409 isperp 16 f i t f 601 601
1410 isvertical 16 f i t f 601
1411 ishorizontal 16 f i t f 601
1412 isparallel 16 f i t f 628 628
1413 isperp 16 f i t f 628 628
1414 isvertical 16 f i t f 628
1415 ishorizontal 16 f i t f 628
1416 point 600 f i t f 718
1419 time 1083 f i t f 1186
1421 box 603 f i t f 600 600
1422 box_add 603 f i t f 603 600
1423 box_sub 603 f i t f 603 600
1424 box_mul 603 f i t f 603 600
1425 box_div 603 f i t f 603 600
1426 path_contain_pt 16 f i t f 602 600
1427 cidr_out 2275 f i t f 650
1428 poly_contain_pt 16 f i t f 604 600
1429 pt_contained_poly 16 f i t f 600 604
1430 isclosed 16 f i t f 602
1431 isopen 16 f i t f 602
1432 path_npoints 23 f i t f 602
1433 pclose 602 f i t f 602
1434 popen 602 f i t f 602
1435 path_add 602 f i t f 602 602
1436 path_add_pt 602 f i t f 602 600
1437 path_sub_pt 602 f i t f 602 600
1438 path_mul_pt 602 f i t f 602 600
1439 path_div_pt 602 f i t f 602 600
1440 point 600 f i t f 701 701
1441 point_add 600 f i t f 600 600
1442 point_sub 600 f i t f 600 600
1443 point_mul 600 f i t f 600 600
1444 point_div 600 f i t f 600 600
1445 poly_npoints 23 f i t f 604
1446 box 603 f i t f 604
1447 path 602 f i t f 604
1448 polygon 604 f i t f 603
1449 polygon 604 f i t f 602
1450 circle_in 718 f i t f 2275
1451 circle_out 2275 f i t f 718
1452 circle_same 16 f i t f 718 718
1453 circle_contain 16 f i t f 718 718
1454 circle_left 16 f i t f 718 718
1455 circle_overleft 16 f i t f 718 718
1456 circle_overright 16 f i t f 718 718
1457 circle_right 16 f i t f 718 718
1458 circle_contained 16 f i t f 718 718
1459 circle_overlap 16 f i t f 718 718
1460 circle_below 16 f i t f 718 718
1461 circle_above 16 f i t f 718 718
1462 circle_eq 16 f i t f 718 718
1463 circle_ne 16 f i t f 718 718
1464 circle_lt 16 f i t f 718 718
1465 circle_gt 16 f i t f 718 718
1466 circle_le 16 f i t f 718 718
1467 circle_ge 16 f i t f 718 718
1468 area 701 f i t f 718
1469 diameter 701 f i t f 718
1470 radius 701 f i t f 718
1471 circle_distance 701 f i t f 718 718
1472 circle_center 600 f i t f 718
1473 circle 718 f i t f 600 701
1474 circle 718 f i t f 604
1475 polygon 604 f i t f 23 718
1476 dist_pc 701 f i t f 600 718
1477 circle_contain_pt 16 f i t f 718 600
1478 pt_contained_circle 16 f i t f 600 718
1479 circle 718 f i t f 603
1480 box 603 f i t f 718
1481 log10 1700 f i t f 1700
1482 lseg_ne 16 f i t f 601 601
1483 lseg_lt 16 f i t f 601 601
1484 lseg_le 16 f i t f 601 601
1485 lseg_gt 16 f i t f 601 601
1486 lseg_ge 16 f i t f 601 601
1487 lseg_length 701 f i t f 601
1488 close_ls 600 f i t f 628 601
1489 close_lseg 600 f i t f 601 601
1490 line_in 628 f i t f 2275
1491 line_out 2275 f i t f 628
1492 line_eq 16 f i t f 628 628
1493 line 628 f i t f 600 600
1494 line_interpt 600 f i t f 628 628
1495 line_intersect 16 f i t f 628 628
1496 line_parallel 16 f i t f 628 628
1497 line_perp 16 f i t f 628 628
1498 line_vertical 16 f i t f 628
1499 line_horizontal 16 f i t f 628
1530 length 701 f i t f 601
1531 length 701 f i t f 602
1532 point 600 f i t f 601
1534 point 600 f i t f 603
1540 point 600 f i t f 604
1541 lseg 601 f i t f 603
1542 center 600 f i t f 603
1543 center 600 f i t f 718
1544 polygon 604 f i t f 718
1545 npoints 23 f i t f 602
1556 npoints 23 f i t f 604
1564 bit_in 1560 f i t f 2275 26 23
1565 bit_out 2275 f i t f 1560
1569 like 16 f i t f 25 25
1570 notlike 16 f i t f 25 25
1571 like 16 f i t f 19 25
1572 notlike 16 f i t f 19 25
1573 pg_get_ruledef 25 f s t f 26
1574 nextval 20 f v t f 2205
1575 currval 20 f v t f 2205
1576 setval 20 f v t f 2205 20
1579 varbit_in 1562 f i t f 2275 26 23
1580 varbit_out 2275 f i t f 1562
1581 biteq 16 f i t f 1560 1560
1582 bitne 16 f i t f 1560 1560
1592 bitge 16 f i t f 1560 1560
1593 bitgt 16 f i t f 1560 1560
1594 bitle 16 f i t f 1560 1560
1595 bitlt 16 f i t f 1560 1560
1596 bitcmp 23 f i t f 1560 1560
1597 pg_encoding_to_char 19 f s t f 23
1598 random 701 f v t f
1599 setseed 2278 f v t f 701
1600 asin 701 f i t f 701
1601 acos 701 f i t f 701
1602 atan 701 f i t f 701
1603 atan2 701 f i t f 701 701
1604 sin 701 f i t f 701
1605 cos 701 f i t f 701
1606 tan 701 f i t f 701
1607 cot 701 f i t f 701
1608 degrees 701 f i t f 701
1609 radians 701 f i t f 701
1610 pi 701 f i t f
1618 interval_mul 1186 f i t f 1186 701
1619 pg_typeof 2206 f s f f 2276
1620 ascii 23 f i t f 25
1621 chr 25 f i t f 23
1622 repeat 25 f i t f 25 23
1623 similar_escape 25 f i f f 25 25
1624 mul_d_interval 1186 f i t f 701 1186
1631 bpcharlike 16 f i t f 1042 25
1632 bpcharnlike 16 f i t f 1042 25
1633 texticlike 16 f i t f 25 25
1634 texticnlike 16 f i t f 25 25
1635 nameiclike 16 f i t f 19 25
1636 nameicnlike 16 f i t f 19 25
1637 like_escape 25 f i t f 25 25
1638 oidgt 16 f i t f 26 26
1639 oidge 16 f i t f 26 26
1640 pg_get_viewdef 25 f s t f 25
1641 pg_get_viewdef 25 f s t f 26
1642 pg_get_userbyid 19 f s t f 26
1643 pg_get_indexdef 25 f s t f 26
1644 RI_FKey_check_ins 2279 f v t f
1645 RI_FKey_check_upd 2279 f v t f
1646 RI_FKey_cascade_del 2279 f v t f
1647 RI_FKey_cascade_upd 2279 f v t f
1648 RI_FKey_restrict_del 2279 f v t f
1649 RI_FKey_restrict_upd 2279 f v t f
1650 RI_FKey_setnull_del 2279 f v t f
1651 RI_FKey_setnull_upd 2279 f v t f
1652 RI_FKey_setdefault_del 2279 f v t f
1653 RI_FKey_setdefault_upd 2279 f v t f
1654 RI_FKey_noaction_del 2279 f v t f
1655 RI_FKey_noaction_upd 2279 f v t f
1656 bpcharicregexeq 16 f i t f 1042 25
1657 bpcharicregexne 16 f i t f 1042 25
1658 bpcharregexeq 16 f i t f 1042 25
1659 bpcharregexne 16 f i t f 1042 25
1660 bpchariclike 16 f i t f 1042 25
1661 bpcharicnlike 16 f i t f 1042 25
1662 pg_get_triggerdef 25 f s t f 26
1665 pg_get_serial_sequence 25 f s t f 25 25
1666 varbiteq 16 f i t f 1562 1562
1667 varbitne 16 f i t f 1562 1562
1668 varbitge 16 f i t f 1562 1562
1669 varbitgt 16 f i t f 1562 1562
1670 varbitle 16 f i t f 1562 1562
1671 varbitlt 16 f i t f 1562 1562
1672 varbitcmp 23 f i t f 1562 1562
1673 bitand 1560 f i t f 1560 1560
1674 bitor 1560 f i t f 1560 1560
1675 bitxor 1560 f i t f 1560 1560
1676 bitnot 1560 f i t f 1560
1677 bitshiftleft 1560 f i t f 1560 23
1678 bitshiftright 1560 f i t f 1560 23
1679 bitcat 1562 f i t f 1562 1562
1680 substring 1560 f i t f 1560 23 23
1681 length 23 f i t f 1560
1682 octet_length 23 f i t f 1560
1683 bit 1560 f i t f 23 23
1684 int4 23 f i t f 1560
1685 bit 1560 f i t f 1560 23 16
1686 pg_get_keywords 2249 f s t t
1687 varbit 1562 f i t f 1562 23 16
1688 time_hash 23 f i t f 1083
1689 aclexplode 2249 f s t t 1034
1690 time_mi_time 1186 f i t f 1083 1083
1691 boolle 16 f i t f 16 16
1692 boolge 16 f i t f 16 16
1693 btboolcmp 23 f i t f 16 16
1696 timetz_hash 23 f i t f 1266
1697 interval_hash 23 f i t f 1186
1698 position 23 f i t f 1560 1560
1699 substring 1560 f i t f 1560 23
1701 numeric_in 1700 f i t f 2275 26 23
1702 numeric_out 2275 f i t f 1700
1703 numeric 1700 f i t f 1700 23
1704 numeric_abs 1700 f i t f 1700
1705 abs 1700 f i t f 1700
1706 sign 1700 f i t f 1700
1707 round 1700 f i t f 1700 23
1708 round 1700 f i t f 1700
1709 trunc 1700 f i t f 1700 23
1710 trunc 1700 f i t f 1700
1711 ceil 1700 f i t f 1700
1712 floor 1700 f i t f 1700
1713 length 23 f s t f 17 19
1714 convert_from 25 f s t f 17 19
1715 cidr 650 f i t f 869
1716 pg_get_expr 25 f s t f 194 26
1717 convert_to 17 f s t f 25 19
1718 numeric_eq 16 f i t f 1700 1700
1719 numeric_ne 16 f i t f 1700 1700
1720 numeric_gt 16 f i t f 1700 1700
1721 numeric_ge 16 f i t f 1700 1700
1722 numeric_lt 16 f i t f 1700 1700
1723 numeric_le 16 f i t f 1700 1700
1724 numeric_add 1700 f i t f 1700 1700
1725 numeric_sub 1700 f i t f 1700 1700
1726 numeric_mul 1700 f i t f 1700 1700
1727 numeric_div 1700 f i t f 1700 1700
1728 mod 1700 f i t f 1700 1700
1729 numeric_mod 1700 f i t f 1700 1700
1730 sqrt 1700 f i t f 1700
1731 numeric_sqrt 1700 f i t f 1700
1732 exp 1700 f i t f 1700
1733 numeric_exp 1700 f i t f 1700
1734 ln 1700 f i t f 1700
1735 numeric_ln 1700 f i t f 1700
1736 log 1700 f i t f 1700 1700
1737 numeric_log 1700 f i t f 1700 1700
1738 pow 1700 f i t f 1700 1700
1739 numeric_power 1700 f i t f 1700 1700
1740 numeric 1700 f i t f 23
1741 log 1700 f i t f 1700
1742 numeric 1700 f i t f 700
1743 numeric 1700 f i t f 701
1744 int4 23 f i t f 1700
1745 float4 700 f i t f 1700
1746 float8 701 f i t f 1700
1747 time_pl_interval 1083 f i t f 1083 1186
1748 time_mi_interval 1083 f i t f 1083 1186
1749 timetz_pl_interval 1266 f i t f 1266 1186
1750 timetz_mi_interval 1266 f i t f 1266 1186
1764 numeric_inc 1700 f i t f 1700
1765 setval 20 f v t f 2205 20 16
1766 numeric_smaller 1700 f i t f 1700 1700
1767 numeric_larger 1700 f i t f 1700 1700
1768 to_char 25 f s t f 1186 25
1769 numeric_cmp 23 f i t f 1700 1700
1770 to_char 25 f s t f 1184 25
1771 numeric_uminus 1700 f i t f 1700
1772 to_char 25 f s t f 1700 25
1773 to_char 25 f s t f 23 25
1774 to_char 25 f s t f 20 25
1775 to_char 25 f s t f 700 25
1776 to_char 25 f s t f 701 25
1777 to_number 1700 f s t f 25 25
1778 to_timestamp 1184 f s t f 25 25
1779 int8 20 f i t f 1700
1780 to_date 1082 f s t f 25 25
1781 numeric 1700 f i t f 20
1782 numeric 1700 f i t f 21
1783 int2 21 f i t f 1700
1798 oidin 26 f i t f 2275
1799 oidout 2275 f i t f 26
1810 bit_length 23 f i t f 17
1811 bit_length 23 f i t f 25
1812 bit_length 23 f i t f 1560
1813 convert 17 f s t f 17 19 19
1814 iclikesel 701 f s t f 2281 26 2281 23
1815 icnlikesel 701 f s t f 2281 26 2281 23
1816 iclikejoinsel 701 f s t f 2281 26 2281 21 2281
1817 icnlikejoinsel 701 f s t f 2281 26 2281 21 2281
1818 regexeqsel 701 f s t f 2281 26 2281 23
1819 likesel 701 f s t f 2281 26 2281 23
1820 icregexeqsel 701 f s t f 2281 26 2281 23
1821 regexnesel 701 f s t f 2281 26 2281 23
1822 nlikesel 701 f s t f 2281 26 2281 23
1823 icregexnesel 701 f s t f 2281 26 2281 23
1824 regexeqjoinsel 701 f s t f 2281 26 2281 21 2281
1825 likejoinsel 701 f s t f 2281 26 2281 21 2281
1826 icregexeqjoinsel 701 f s t f 2281 26 2281 21 2281
1827 regexnejoinsel 701 f s t f 2281 26 2281 21 2281
1828 nlikejoinsel 701 f s t f 2281 26 2281 21 2281
1829 icregexnejoinsel 701 f s t f 2281 26 2281 21 2281
1830 float8_avg 701 f i t f 1022
1831 float8_var_samp 701 f i t f 1022
1832 float8_stddev_samp 701 f i t f 1022
1833 numeric_accum 2281 f i f f 2281 1700
1834 int2_accum 2281 f i f f 2281 21
1835 int4_accum 2281 f i f f 2281 23
1836 int8_accum 2281 f i f f 2281 20
1837 numeric_avg 1700 f i f f 2281
1838 numeric_var_samp 1700 f i f f 2281
1839 numeric_stddev_samp 1700 f i f f 2281
1840 int2_sum 20 f i f f 20 21
1841 int4_sum 20 f i f f 20 23
1842 int8_sum 1700 f i f f 1700 20
1843 interval_accum 1187 f i t f 1187 1186
1844 interval_avg 1186 f i t f 1187
1845 to_ascii 25 f i t f 25
1846 to_ascii 25 f i t f 25 23
1847 to_ascii 25 f i t f 25 19
1848 interval_pl_time 1083 f i t f 1186 1083
1850 int28eq 16 f i t f 21 20
1851 int28ne 16 f i t f 21 20
1852 int28lt 16 f i t f 21 20
1853 int28gt 16 f i t f 21 20
1854 int28le 16 f i t f 21 20
1855 int28ge 16 f i t f 21 20
1856 int82eq 16 f i t f 20 21
1857 int82ne 16 f i t f 20 21
1858 int82lt 16 f i t f 20 21
1859 int82gt 16 f i t f 20 21
1860 int82le 16 f i t f 20 21
1861 int82ge 16 f i t f 20 21
1892 int2and 21 f i t f 21 21
1893 int2or 21 f i t f 21 21
1894 int2xor 21 f i t f 21 21
1895 int2not 21 f i t f 21
1896 int2shl 21 f i t f 21 23
1897 int2shr 21 f i t f 21 23
1898 int4and 23 f i t f 23 23
1899 int4or 23 f i t f 23 23
1900 int4xor 23 f i t f 23 23
1901 int4not 23 f i t f 23
1902 int4shl 23 f i t f 23 23
1903 int4shr 23 f i t f 23 23
1904 int8and 20 f i t f 20 20
1905 int8or 20 f i t f 20 20
1906 int8xor 20 f i t f 20 20
1907 int8not 20 f i t f 20
1908 int8shl 20 f i t f 20 23
1909 int8shr 20 f i t f 20 23
1910 int8up 20 f i t f 20
1911 int2up 21 f i t f 21
1912 int4up 23 f i t f 23
1913 float4up 700 f i t f 700
1914 float8up 701 f i t f 701
1915 numeric_uplus 1700 f i t f 1700
1922 has_table_privilege 16 f s t f 19 25 25
1923 has_table_privilege 16 f s t f 19 26 25
1924 has_table_privilege 16 f s t f 26 25 25
1925 has_table_privilege 16 f s t f 26 26 25
1926 has_table_privilege 16 f s t f 25 25
1927 has_table_privilege 16 f s t f 26 25
1928 pg_stat_get_numscans 20 f s t f 26
1929 pg_stat_get_tuples_returned 20 f s t f 26
1930 pg_stat_get_tuples_fetched 20 f s t f 26
1931 pg_stat_get_tuples_inserted 20 f s t f 26
1932 pg_stat_get_tuples_updated 20 f s t f 26
1933 pg_stat_get_tuples_deleted 20 f s t f 26
1934 pg_stat_get_blocks_fetched 20 f s t f 26
1935 pg_stat_get_blocks_hit 20 f s t f 26
1936 pg_stat_get_backend_idset 23 f s t t
1937 pg_stat_get_backend_pid 23 f s t f 23
1938 pg_stat_get_backend_dbid 26 f s t f 23
1939 pg_stat_get_backend_userid 26 f s t f 23
1940 pg_stat_get_backend_activity 25 f s t f 23
1941 pg_stat_get_db_numbackends 23 f s t f 26
1942 pg_stat_get_db_xact_commit 20 f s t f 26
1943 pg_stat_get_db_xact_rollback 20 f s t f 26
1944 pg_stat_get_db_blocks_fetched 20 f s t f 26
1945 pg_stat_get_db_blocks_hit 20 f s t f 26
1946 encode 25 f i t f 17 25
1947 decode 17 f i t f 25 25
1948 byteaeq 16 f i t f 17 17
1949 bytealt 16 f i t f 17 17
1950 byteale 16 f i t f 17 17
1951 byteagt 16 f i t f 17 17
1952 byteage 16 f i t f 17 17
1953 byteane 16 f i t f 17 17
1954 byteacmp 23 f i t f 17 17
1961 timestamp 1114 f i t f 1114 23
1962 int2_avg_accum 1016 f i t f 1016 21
1963 int4_avg_accum 1016 f i t f 1016 23
1964 int8_avg 1700 f i t f 1016
1965 oidlarger 26 f i t f 26 26
1966 oidsmaller 26 f i t f 26 26
1967 timestamptz 1184 f i t f 1184 23
1968 time 1083 f i t f 1083 23
1969 timetz 1266 f i t f 1266 23
1972 pg_stat_get_tuples_hot_updated 20 f s t f 26
1973 div 1700 f i t f 1700 1700
1980 numeric_div_trunc 1700 f i t f 1700 1700
1986 similar_to_escape 25 f i t f 25 25
1987 similar_to_escape 25 f i t f 25
1993 shobj_description 25 f s t f 26 19
2003 textanycat 25 f s t f 25 2776
2004 anytextcat 25 f s t f 2776 25
2005 bytealike 16 f i t f 17 17
2006 byteanlike 16 f i t f 17 17
2007 like 16 f i t f 17 17
2008 notlike 16 f i t f 17 17
2009 like_escape 17 f i t f 17 17
2010 length 23 f i t f 17
2011 byteacat 17 f i t f 17 17
2012 substring 17 f i t f 17 23 23
2013 substring 17 f i t f 17 23
2014 position 23 f i t f 17 17
2015 btrim 17 f i t f 17 17
2019 time 1083 f s t f 1184
2020 date_trunc 1114 f i t f 25 1114
2021 date_part 701 f i t f 25 1114
2022 pg_stat_get_activity 2249 f s f t 23
2023 jsonb_path_query_first_tz 3802 f s t f 3802 4072 3802 16
2024 timestamp 1114 f i t f 1082
2025 timestamp 1114 f i t f 1082 1083
2026 pg_backend_pid 23 f s t f
2027 timestamp 1114 f s t f 1184
2028 timestamptz 1184 f s t f 1114
2029 date 1082 f i t f 1114
2030 jsonb_path_match_tz 16 f s t f 3802 4072 3802 16
2031 timestamp_mi 1186 f i t f 1114 1114
2032 timestamp_pl_interval 1114 f i t f 1114 1186
2033 timestamp_mi_interval 1114 f i t f 1114 1186
2034 pg_conf_load_time 1184 f s t f
2035 timestamp_smaller 1114 f i t f 1114 1114
2036 timestamp_larger 1114 f i t f 1114 1114
2037 timezone 1266 f s t f 25 1266
2038 timezone 1266 f i t f 1186 1266
2039 timestamp_hash 23 f i t f 1114
2041 overlaps 16 f i f f 1114 1114 1114 1114
2042 overlaps 16 f i f f 1114 1186 1114 1186
2043 overlaps 16 f i f f 1114 1114 1114 1186
2044 overlaps 16 f i f f 1114 1186 1114 1114
2045 timestamp_cmp 23 f i t f 1114 1114
2046 time 1083 f i t f 1266
2047 timetz 1266 f s t f 1083
2048 isfinite 16 f i t f 1114
2049 to_char 25 f s t f 1114 25
2050 max 2277 a i f f 2277
2051 min 2277 a i f f 2277
2052 timestamp_eq 16 f i t f 1114 1114
2053 timestamp_ne 16 f i t f 1114 1114
2054 timestamp_lt 16 f i t f 1114 1114
2055 timestamp_le 16 f i t f 1114 1114
2056 timestamp_ge 16 f i t f 1114 1114
2057 timestamp_gt 16 f i t f 1114 1114
2058 age 1186 f i t f 1114 1114
2059 age 1186 f s t f 1114
2069 timezone 1184 f i t f 25 1114
2070 timezone 1184 f i t f 1186 1114
2071 date_pl_interval 1114 f i t f 1082 1186
2072 date_mi_interval 1114 f i t f 1082 1186
2073 substring 25 f i t f 25 25
2074 substring 25 f i t f 25 25 25
2075 bit 1560 f i t f 20 23
2076 int8 20 f i t f 1560
2077 current_setting 25 f s t f 25
2078 set_config 25 f v f f 25 25 16
2079 pg_table_is_visible 16 f s t f 26
2080 pg_type_is_visible 16 f s t f 26
2081 pg_function_is_visible 16 f s t f 26
2082 pg_operator_is_visible 16 f s t f 26
2083 pg_opclass_is_visible 16 f s t f 26
2084 pg_show_all_settings 2249 f s t t
2085 substr 17 f i t f 17 23 23
2086 substr 17 f i t f 17 23
2087 replace 25 f i t f 25 25 25
2088 split_part 25 f i t f 25 25 23
2089 to_hex 25 f i t f 23
2090 to_hex 25 f i t f 20
2091 array_lower 23 f i t f 2277 23
2092 array_upper 23 f i t f 2277 23
2093 pg_conversion_is_visible 16 f s t f 26
2094 pg_stat_get_backend_activity_start 1184 f s t f 23
2096 pg_terminate_backend 16 f v t f 23 20
2098 pg_get_functiondef 25 f s t f 26
2100 avg 1700 a i f f 20
2101 avg 1700 a i f f 23
2102 avg 1700 a i f f 21
2103 avg 1700 a i f f 1700
2104 avg 701 a i f f 700
2105 avg 701 a i f f 701
2106 avg 1186 a i f f 1186
2107 sum 1700 a i f f 20
2108 sum 20 a i f f 23
2109 sum 20 a i f f 21
2110 sum 700 a i f f 700
2111 sum 701 a i f f 701
2112 sum 790 a i f f 790
2113 sum 1186 a i f f 1186
2114 sum 1700 a i f f 1700
2115 max 20 a i f f 20
2116 max 23 a i f f 23
2117 max 21 a i f f 21
2118 max 26 a i f f 26
2119 max 700 a i f f 700
2120 max 701 a i f f 701
2121 pg_column_compression 25 f s t f 2276
2122 max 1082 a i f f 1082
2123 max 1083 a i f f 1083
2124 max 1266 a i f f 1266
2125 max 790 a i f f 790
2126 max 1114 a i f f 1114
2127 max 1184 a i f f 1184
2128 max 1186 a i f f 1186
2129 max 25 a i f f 25
2130 max 1700 a i f f 1700
2131 min 20 a i f f 20
2132 min 23 a i f f 23
2133 min 21 a i f f 21
2134 min 26 a i f f 26
2135 min 700 a i f f 700
2136 min 701 a i f f 701
2137 pg_stat_force_next_flush 2278 f v f f
2138 min 1082 a i f f 1082
2139 min 1083 a i f f 1083
2140 min 1266 a i f f 1266
2141 min 790 a i f f 790
2142 min 1114 a i f f 1114
2143 min 1184 a i f f 1184
2144 min 1186 a i f f 1186
2145 min 25 a i f f 25
2146 min 1700 a i f f 1700
2147 count 20 a i f f 2276
2148 variance 1700 a i f f 20
2149 variance 1700 a i f f 23
2150 variance 1700 a i f f 21
2151 variance 701 a i f f 700
2152 variance 701 a i f f 701
2153 variance 1700 a i f f 1700
2154 stddev 1700 a i f f 20
2155 stddev 1700 a i f f 23
2156 stddev 1700 a i f f 21
2157 stddev 701 a i f f 700
2158 stddev 701 a i f f 701
2159 stddev 1700 a i f f 1700
2160 text_pattern_lt 16 f i t f 25 25
2161 text_pattern_le 16 f i t f 25 25
2162 pg_get_function_arguments 25 f s t f 26
2163 text_pattern_ge 16 f i t f 25 25
2164 text_pattern_gt 16 f i t f 25 25
2165 pg_get_function_result 25 f s t f 26
2166 bttext_pattern_cmp 23 f i t f 25 25
2167 ceiling 1700 f i t f 1700
2168 pg_database_size 20 f v t f 19
2169 power 1700 f i t f 1700 1700
2170 width_bucket 23 f i t f 1700 1700 1700 23
2171 pg_cancel_backend 16 f v t f 23
2172 pg_backup_start 3220 f v t f 25 16
2174 bpchar_pattern_lt 16 f i t f 1042 1042
2175 bpchar_pattern_le 16 f i t f 1042 1042
2176 array_length 23 f i t f 2277 23
2177 bpchar_pattern_ge 16 f i t f 1042 1042
2178 bpchar_pattern_gt 16 f i t f 1042 1042
2179 gist_point_consistent 16 f i t f 2281 600 21 26 2281
2180 btbpchar_pattern_cmp 23 f i t f 1042 1042
2181 has_sequence_privilege 16 f s t f 19 25 25
2182 has_sequence_privilege 16 f s t f 19 26 25
2183 has_sequence_privilege 16 f s t f 26 25 25
2184 has_sequence_privilege 16 f s t f 26 26 25
2185 has_sequence_privilege 16 f s t f 25 25
2186 has_sequence_privilege 16 f s t f 26 25
2188 btint48cmp 23 f i t f 23 20
2189 btint84cmp 23 f i t f 20 23
2190 btint24cmp 23 f i t f 21 23
2191 btint42cmp 23 f i t f 23 21
2192 btint28cmp 23 f i t f 21 20
2193 btint82cmp 23 f i t f 20 21
2194 btfloat48cmp 23 f i t f 700 701
2195 btfloat84cmp 23 f i t f 701 700
2196 inet_client_addr 869 f s f f
2197 inet_client_port 23 f s f f
2198 inet_server_addr 869 f s f f
2199 inet_server_port 23 f s f f
2212 regprocedurein 2202 f s t f 2275
2213 regprocedureout 2275 f s t f 2202
2214 regoperin 2203 f s t f 2275
2215 regoperout 2275 f s t f 2203
2216 regoperatorin 2204 f s t f 2275
2217 regoperatorout 2275 f s t f 2204
2218 regclassin 2205 f s t f 2275
2219 regclassout 2275 f s t f 2205
2220 regtypein 2206 f s t f 2275
2221 regtypeout 2275 f s t f 2206
2230 pg_stat_clear_snapshot 2278 f v f f
2232 pg_get_function_identity_arguments 25 f s t f 26
2233 hashtid 23 f i t f 27
2234 hashtidextended 20 f i t f 27 20
2236 bit_and 21 a i f f 21
2237 bit_or 21 a i f f 21
2238 bit_and 23 a i f f 23
2239 bit_or 23 a i f f 23
2240 bit_and 20 a i f f 20
2241 bit_or 20 a i f f 20
2242 bit_and 1560 a i f f 1560
2243 bit_or 1560 a i f f 1560
2244 max 1042 a i f f 1042
2245 min 1042 a i f f 1042
2246 fmgr_internal_validator 2278 f s t f 26
2247 fmgr_c_validator 2278 f s t f 26
2248 fmgr_sql_validator 2278 f s t f 26
2250 has_database_privilege 16 f s t f 19 25 25
2251 has_database_privilege 16 f s t f 19 26 25
2252 has_database_privilege 16 f s t f 26 25 25
2253 has_database_privilege 16 f s t f 26 26 25
2254 has_database_privilege 16 f s t f 25 25
2255 has_database_privilege 16 f s t f 26 25
2256 has_function_privilege 16 f s t f 19 25 25
2257 has_function_privilege 16 f s t f 19 26 25
2258 has_function_privilege 16 f s t f 26 25 25
2259 has_function_privilege 16 f s t f 26 26 25
2260 has_function_privilege 16 f s t f 25 25
2261 has_function_privilege 16 f s t f 26 25
2262 has_language_privilege 16 f s t f 19 25 25
2263 has_language_privilege 16 f s t f 19 26 25
2264 has_language_privilege 16 f s t f 26 25 25
2265 has_language_privilege 16 f s t f 26 26 25
2266 has_language_privilege 16 f s t f 25 25
2267 has_language_privilege 16 f s t f 26 25
2268 has_schema_privilege 16 f s t f 19 25 25
2269 has_schema_privilege 16 f s t f 19 26 25
2270 has_schema_privilege 16 f s t f 26 25 25
2271 has_schema_privilege 16 f s t f 26 26 25
2272 has_schema_privilege 16 f s t f 25 25
2273 has_schema_privilege 16 f s t f 26 25
2274 pg_stat_reset 2278 f v f f
2282 pg_get_backend_memory_contexts 2249 f v t t
2284 regexp_replace 25 f i t f 25 25 25
2285 regexp_replace 25 f i t f 25 25 25 25
2286 pg_total_relation_size 20 f v t f 2205
2288 pg_size_pretty 25 f i t f 20
2289 pg_options_to_table 2249 f s t t 1009
2290 record_in 2249 f s t f 2275 26 23
2291 record_out 2275 f s t f 2249
2292 cstring_in 2275 f i t f 2275
2293 cstring_out 2275 f i t f 2275
2294 any_in 2276 f i t f 2275
2295 any_out 2275 f i t f 2276
2296 anyarray_in 2277 f i t f 2275
2297 anyarray_out 2275 f s t f 2277
2298 void_in 2278 f i t f 2275
2299 void_out 2275 f i t f 2278
2300 trigger_in 2279 f i f f 2275
2301 trigger_out 2275 f i t f 2279
2302 language_handler_in 2280 f i f f 2275
2303 language_handler_out 2275 f i t f 2280
2304 internal_in 2281 f i f f 2275
2305 internal_out 2275 f i t f 2281
2306 pg_stat_get_slru 2249 f s f t
2307 pg_stat_reset_slru 2278 f v f f 25
2308 ceil 701 f i t f 701
2309 floor 701 f i t f 701
2310 sign 701 f i t f 701
2311 md5 25 f i t f 25
2312 anyelement_in 2283 f i t f 2275
2313 anyelement_out 2275 f i t f 2283
2316 postgresql_fdw_validator 16 f i t f 1009 26
2319 pg_encoding_max_length 23 f i t f 23
2320 ceiling 701 f i t f 701
2321 md5 25 f i t f 17
2322 pg_tablespace_size 20 f v t f 26
2323 pg_tablespace_size 20 f v t f 19
2324 pg_database_size 20 f v t f 26
2325 pg_relation_size 20 f v t f 2205
2331 unnest 2283 f i t t 2277
2332 pg_relation_size 20 f v t f 2205 25
2333 array_agg_transfn 2281 f i f f 2281 2776
2334 array_agg_finalfn 2277 f i f f 2281 2776
2335 array_agg 2277 a i f f 2776
2338 date_lt_timestamp 16 f i t f 1082 1114
2339 date_le_timestamp 16 f i t f 1082 1114
2340 date_eq_timestamp 16 f i t f 1082 1114
2341 date_gt_timestamp 16 f i t f 1082 1114
2342 date_ge_timestamp 16 f i t f 1082 1114
2343 date_ne_timestamp 16 f i t f 1082 1114
2344 date_cmp_timestamp 23 f i t f 1082 1114
2351 date_lt_timestamptz 16 f s t f 1082 1184
2352 date_le_timestamptz 16 f s t f 1082 1184
2353 date_eq_timestamptz 16 f s t f 1082 1184
2354 date_gt_timestamptz 16 f s t f 1082 1184
2355 date_ge_timestamptz 16 f s t f 1082 1184
2356 date_ne_timestamptz 16 f s t f 1082 1184
2357 date_cmp_timestamptz 23 f s t f 1082 1184
2364 timestamp_lt_date 16 f i t f 1114 1082
2365 timestamp_le_date 16 f i t f 1114 1082
2366 timestamp_eq_date 16 f i t f 1114 1082
2367 timestamp_gt_date 16 f i t f 1114 1082
2368 timestamp_ge_date 16 f i t f 1114 1082
2369 timestamp_ne_date 16 f i t f 1114 1082
2370 timestamp_cmp_date 23 f i t f 1114 1082
2377 timestamptz_lt_date 16 f s t f 1184 1082
2378 timestamptz_le_date 16 f s t f 1184 1082
2379 timestamptz_eq_date 16 f s t f 1184 1082
2380 timestamptz_gt_date 16 f s t f 1184 1082
2381 timestamptz_ge_date 16 f s t f 1184 1082
2382 timestamptz_ne_date 16 f s t f 1184 1082
2383 timestamptz_cmp_date 23 f s t f 1184 1082
2390 has_tablespace_privilege 16 f s t f 19 25 25
2391 has_tablespace_privilege 16 f s t f 19 26 25
2392 has_tablespace_privilege 16 f s t f 26 25 25
2393 has_tablespace_privilege 16 f s t f 26 26 25
2394 has_tablespace_privilege 16 f s t f 25 25
2395 has_tablespace_privilege 16 f s t f 26 25
2398 shell_in 2278 f i f f 2275
2399 shell_out 2275 f i t f 2278
2400 array_recv 2277 f s t f 2281 26 23
2401 array_send 17 f s t f 2277
2402 record_recv 2249 f s t f 2281 26 23
2403 record_send 17 f s t f 2249
2404 int2recv 21 f i t f 2281
2405 int2send 17 f i t f 21
2406 int4recv 23 f i t f 2281
2407 int4send 17 f i t f 23
2408 int8recv 20 f i t f 2281
2409 int8send 17 f i t f 20
2410 int2vectorrecv 22 f i t f 2281
2411 int2vectorsend 17 f i t f 22
2412 bytearecv 17 f i t f 2281
2413 byteasend 17 f i t f 17
2414 textrecv 25 f s t f 2281
2415 textsend 17 f s t f 25
2416 unknownrecv 705 f i t f 2281
2417 unknownsend 17 f i t f 705
2418 oidrecv 26 f i t f 2281
2419 oidsend 17 f i t f 26
2420 oidvectorrecv 30 f i t f 2281
2421 oidvectorsend 17 f i t f 30
2422 namerecv 19 f s t f 2281
2423 namesend 17 f s t f 19
2424 float4recv 700 f i t f 2281
2425 float4send 17 f i t f 700
2426 float8recv 701 f i t f 2281
2427 float8send 17 f i t f 701
2428 point_recv 600 f i t f 2281
2429 point_send 17 f i t f 600
2430 bpcharrecv 1042 f s t f 2281 26 23
2431 bpcharsend 17 f s t f 1042
2432 varcharrecv 1043 f s t f 2281 26 23
2433 varcharsend 17 f s t f 1043
2434 charrecv 18 f i t f 2281
2435 charsend 17 f i t f 18
2436 boolrecv 16 f i t f 2281
2437 boolsend 17 f i t f 16
2438 tidrecv 27 f i t f 2281
2439 tidsend 17 f i t f 27
2440 xidrecv 28 f i t f 2281
2441 xidsend 17 f i t f 28
2442 cidrecv 29 f i t f 2281
2443 cidsend 17 f i t f 29
2444 regprocrecv 24 f i t f 2281
2445 regprocsend 17 f i t f 24
2446 regprocedurerecv 2202 f i t f 2281
2447 regproceduresend 17 f i t f 2202
2448 regoperrecv 2203 f i t f 2281
2449 regopersend 17 f i t f 2203
2450 regoperatorrecv 2204 f i t f 2281
2451 regoperatorsend 17 f i t f 2204
2452 regclassrecv 2205 f i t f 2281
2453 regclasssend 17 f i t f 2205
2454 regtyperecv 2206 f i t f 2281
2455 regtypesend 17 f i t f 2206
2456 bit_recv 1560 f i t f 2281 26 23
2457 bit_send 17 f i t f 1560
2458 varbit_recv 1562 f i t f 2281 26 23
2459 varbit_send 17 f i t f 1562
2460 numeric_recv 1700 f i t f 2281 26 23
2461 numeric_send 17 f i t f 1700
2462 sinh 701 f i t f 701
2463 cosh 701 f i t f 701
2464 tanh 701 f i t f 701
2465 asinh 701 f i t f 701
2466 acosh 701 f i t f 701
2467 atanh 701 f i t f 701
2468 date_recv 1082 f i t f 2281
2469 date_send 17 f i t f 1082
2470 time_recv 1083 f i t f 2281 26 23
2471 time_send 17 f i t f 1083
2472 timetz_recv 1266 f i t f 2281 26 23
2473 timetz_send 17 f i t f 1266
2474 timestamp_recv 1114 f i t f 2281 26 23
2475 timestamp_send 17 f i t f 1114
2476 timestamptz_recv 1184 f i t f 2281 26 23
2477 timestamptz_send 17 f i t f 1184
2478 interval_recv 1186 f i t f 2281 26 23
2479 interval_send 17 f i t f 1186
2480 lseg_recv 601 f i t f 2281
2481 lseg_send 17 f i t f 601
2482 path_recv 602 f i t f 2281
2483 path_send 17 f i t f 602
2484 box_recv 603 f i t f 2281
2485 box_send 17 f i t f 603
2486 poly_recv 604 f i t f 2281
2487 poly_send 17 f i t f 604
2488 line_recv 628 f i t f 2281
2489 line_send 17 f i t f 628
2490 circle_recv 718 f i t f 2281
2491 circle_send 17 f i t f 718
2492 cash_recv 790 f i t f 2281
2493 cash_send 17 f i t f 790
2494 macaddr_recv 829 f i t f 2281
2495 macaddr_send 17 f i t f 829
2496 inet_recv 869 f i t f 2281
2497 inet_send 17 f i t f 869
2498 cidr_recv 650 f i t f 2281
2499 cidr_send 17 f i t f 650
2500 cstring_recv 2275 f s t f 2281
2501 cstring_send 17 f s t f 2275
2502 anyarray_recv 2277 f s t f 2281
2503 anyarray_send 17 f s t f 2277
2504 pg_get_ruledef 25 f s t f 26 16
2505 pg_get_viewdef 25 f s t f 25 16
2506 pg_get_viewdef 25 f s t f 26 16
2507 pg_get_indexdef 25 f s t f 26 23 16
2508 pg_get_constraintdef 25 f s t f 26 16
2509 pg_get_expr 25 f s t f 194 26 16
2510 pg_prepared_statement 2249 f s t t
2511 pg_cursor 2249 f s t t
2512 float8_var_pop 701 f i t f 1022
2513 float8_stddev_pop 701 f i t f 1022
2514 numeric_var_pop 1700 f i f f 2281
2515 booland_statefunc 16 f i t f 16 16
2516 boolor_statefunc 16 f i t f 16 16
2517 bool_and 16 a i f f 16
2518 bool_or 16 a i f f 16
2519 every 16 a i f f 16
2520 timestamp_lt_timestamptz 16 f s t f 1114 1184
2521 timestamp_le_timestamptz 16 f s t f 1114 1184
2522 timestamp_eq_timestamptz 16 f s t f 1114 1184
2523 timestamp_gt_timestamptz 16 f s t f 1114 1184
2524 timestamp_ge_timestamptz 16 f s t f 1114 1184
2525 timestamp_ne_timestamptz 16 f s t f 1114 1184
2526 timestamp_cmp_timestamptz 23 f s t f 1114 1184
2527 timestamptz_lt_timestamp 16 f s t f 1184 1114
2528 timestamptz_le_timestamp 16 f s t f 1184 1114
2529 timestamptz_eq_timestamp 16 f s t f 1184 1114
2530 timestamptz_gt_timestamp 16 f s t f 1184 1114
2531 timestamptz_ge_timestamp 16 f s t f 1184 1114
2532 timestamptz_ne_timestamp 16 f s t f 1184 1114
2533 timestamptz_cmp_timestamp 23 f s t f 1184 1114
2546 interval_pl_date 1114 f i t f 1186 1082
2547 interval_pl_timetz 1266 f i t f 1186 1266
2548 interval_pl_timestamp 1114 f i t f 1186 1114
2549 interval_pl_timestamptz 1184 f s t f 1186 1184
2550 integer_pl_date 1082 f i t f 23 1082
2556 pg_tablespace_databases 26 f s t t 26
2557 bool 16 f i t f 23
2558 int4 23 f i t f 16
2559 lastval 20 f v t f
2560 pg_postmaster_start_time 1184 f s t f
2561 pg_blocking_pids 1007 f v t f 23
2562 box_below 16 f i t f 603 603
2563 box_overbelow 16 f i t f 603 603
2564 box_overabove 16 f i t f 603 603
2565 box_above 16 f i t f 603 603
2566 poly_below 16 f i t f 604 604
2567 poly_overbelow 16 f i t f 604 604
2568 poly_overabove 16 f i t f 604 604
2569 poly_above 16 f i t f 604 604
2578 gist_box_consistent 16 f i t f 2281 603 21 26 2281
2580 float8 701 f i t f 3802
2581 gist_box_penalty 2281 f i t f 2281 2281 2281
2582 gist_box_picksplit 2281 f i t f 2281 2281
2583 gist_box_union 603 f i t f 2281 2281
2584 gist_box_same 2281 f i t f 603 603 2281
2585 gist_poly_consistent 16 f i t f 2281 604 21 26 2281
2586 gist_poly_compress 2281 f i t f 2281
2587 circle_overbelow 16 f i t f 718 718
2588 circle_overabove 16 f i t f 718 718
2591 gist_circle_consistent 16 f i t f 2281 718 21 26 2281
2592 gist_circle_compress 2281 f i t f 2281
2596 numeric_stddev_pop 1700 f i f f 2281
2597 domain_in 2276 f s f f 2275 26 23
2598 domain_recv 2276 f s f f 2281 26 23
2599 pg_timezone_abbrevs 2249 f s t t
2614 xmlexists 16 f i t f 25 142
2621 pg_reload_conf 16 f v t f
2622 pg_rotate_logfile 16 f v t f
2623 pg_stat_file 2249 f v t f 25
2624 pg_read_file 25 f v t f 25 20 20
2625 pg_ls_dir 25 f v t t 25
2626 pg_sleep 2278 f v t f 701
2627 inetnot 869 f i t f 869
2628 inetand 869 f i t f 869 869
2629 inetor 869 f i t f 869 869
2630 inetpl 869 f i t f 869 20
2631 int8pl_inet 869 f i t f 20 869
2632 inetmi_int8 869 f i t f 869 20
2633 inetmi 20 f i t f 869 869
2641 var_samp 1700 a i f f 20
2642 var_samp 1700 a i f f 23
2643 var_samp 1700 a i f f 21
2644 var_samp 701 a i f f 700
2645 var_samp 701 a i f f 701
2646 var_samp 1700 a i f f 1700
2647 transaction_timestamp 1184 f s t f
2648 statement_timestamp 1184 f s t f
2649 clock_timestamp 1184 f v t f
2700 gin_cmp_prefix 23 f i t f 25 25 21 2281
2705 pg_has_role 16 f s t f 19 19 25
2706 pg_has_role 16 f s t f 19 26 25
2707 pg_has_role 16 f s t f 26 19 25
2708 pg_has_role 16 f s t f 26 26 25
2709 pg_has_role 16 f s t f 19 25
2710 pg_has_role 16 f s t f 26 25
2711 justify_interval 1186 f i t f 1186
2712 stddev_samp 1700 a i f f 20
2713 stddev_samp 1700 a i f f 23
2714 stddev_samp 1700 a i f f 21
2715 stddev_samp 701 a i f f 700
2716 stddev_samp 701 a i f f 701
2717 stddev_samp 1700 a i f f 1700
2718 var_pop 1700 a i f f 20
2719 var_pop 1700 a i f f 23
2720 var_pop 1700 a i f f 21
2721 var_pop 701 a i f f 700
2722 var_pop 701 a i f f 701
2723 var_pop 1700 a i f f 1700
2724 stddev_pop 1700 a i f f 20
2725 stddev_pop 1700 a i f f 23
2726 stddev_pop 1700 a i f f 21
2727 stddev_pop 701 a i f f 700
2728 stddev_pop 701 a i f f 701
2729 stddev_pop 1700 a i f f 1700
2730 pg_get_triggerdef 25 f s t f 26 16
2731 asind 701 f i t f 701
2732 acosd 701 f i t f 701
2733 atand 701 f i t f 701
2734 atan2d 701 f i t f 701 701
2735 sind 701 f i t f 701
2736 cosd 701 f i t f 701
2737 tand 701 f i t f 701
2738 cotd 701 f i t f 701
2739 pg_backup_stop 2249 f v t f 16
2740 numeric_avg_serialize 17 f i t f 2281
2741 numeric_avg_deserialize 2281 f i t f 17 2281
2743 ginarrayextract 2281 f i t f 2277 2281 2281
2744 ginarrayconsistent 16 f i t f 2281 21 2277 23 2281 2281 2281 2281
2746 int8_avg_accum 2281 f i f f 2281 20
2747 arrayoverlap 16 f i t f 2277 2277
2748 arraycontains 16 f i t f 2277 2277
2749 arraycontained 16 f i t f 2277 2277
2758 pg_stat_get_db_tuples_returned 20 f s t f 26
2759 pg_stat_get_db_tuples_fetched 20 f s t f 26
2760 pg_stat_get_db_tuples_inserted 20 f s t f 26
2761 pg_stat_get_db_tuples_updated 20 f s t f 26
2762 pg_stat_get_db_tuples_deleted 20 f s t f 26
2763 regexp_matches 1009 f i t t 25 25
2764 regexp_matches 1009 f i t t 25 25 25
2765 regexp_split_to_table 25 f i t t 25 25
2766 regexp_split_to_table 25 f i t t 25 25 25
2767 regexp_split_to_array 1009 f i t f 25 25
2768 regexp_split_to_array 1009 f i t f 25 25 25
2769 pg_stat_get_bgwriter_timed_checkpoints 20 f s t f
2770 pg_stat_get_bgwriter_requested_checkpoints 20 f s t f
2771 pg_stat_get_bgwriter_buf_written_checkpoints 20 f s t f
2772 pg_stat_get_bgwriter_buf_written_clean 20 f s t f
2773 pg_stat_get_bgwriter_maxwritten_clean 20 f s t f
2774 ginqueryarrayextract 2281 f i t f 2277 2281 21 2281 2281 2281 2281
2775 pg_stat_get_buf_written_backend 20 f s t f
2777 anynonarray_in 2776 f i t f 2275
2778 anynonarray_out 2275 f i t f 2776
2781 pg_stat_get_last_vacuum_time 1184 f s t f 26
2782 pg_stat_get_last_autovacuum_time 1184 f s t f 26
2783 pg_stat_get_last_analyze_time 1184 f s t f 26
2784 pg_stat_get_last_autoanalyze_time 1184 f s t f 26
2785 int8_avg_combine 2281 f i f f 2281 2281
2786 int8_avg_serialize 17 f i t f 2281
2787 int8_avg_deserialize 2281 f i t f 17 2281
2788 pg_stat_get_backend_wait_event_type 25 f s t f 23
2790 tidgt 16 f i t f 27 27
2791 tidlt 16 f i t f 27 27
2792 tidge 16 f i t f 27 27
2793 tidle 16 f i t f 27 27
2794 bttidcmp 23 f i t f 27 27
2795 tidlarger 27 f i t f 27 27
2796 tidsmaller 27 f i t f 27 27
2797 max 27 a i f f 27
2798 min 27 a i f f 27
2803 count 20 a i f f
2804 int8inc_any 20 f i t f 20 2276
2805 int8inc_float8_float8 20 f i t f 20 701 701
2806 float8_regr_accum 1022 f i t f 1022 701 701
2807 float8_regr_sxx 701 f i t f 1022
2808 float8_regr_syy 701 f i t f 1022
2809 float8_regr_sxy 701 f i t f 1022
2810 float8_regr_avgx 701 f i t f 1022
2811 float8_regr_avgy 701 f i t f 1022
2812 float8_regr_r2 701 f i t f 1022
2813 float8_regr_slope 701 f i t f 1022
2814 float8_regr_intercept 701 f i t f 1022
2815 float8_covar_pop 701 f i t f 1022
2816 float8_covar_samp 701 f i t f 1022
2817 float8_corr 701 f i t f 1022
2818 regr_count 20 a i f f 701 701
2819 regr_sxx 701 a i f f 701 701
2820 regr_syy 701 a i f f 701 701
2821 regr_sxy 701 a i f f 701 701
2822 regr_avgx 701 a i f f 701 701
2823 regr_avgy 701 a i f f 701 701
2824 regr_r2 701 a i f f 701 701
2825 regr_slope 701 a i f f 701 701
2826 regr_intercept 701 a i f f 701 701
2827 covar_pop 701 a i f f 701 701
2828 covar_samp 701 a i f f 701 701
2829 corr 701 a i f f 701 701
2844 pg_stat_get_db_blk_read_time 701 f s t f 26
2845 pg_stat_get_db_blk_write_time 701 f s t f 26
2848 pg_switch_wal 3220 f v t f
2849 pg_current_wal_lsn 3220 f v t f
2850 pg_walfile_name_offset 2249 f i t f 3220
2851 pg_walfile_name 25 f i t f 3220
2852 pg_current_wal_insert_lsn 3220 f v t f
2853 pg_stat_get_backend_wait_event 25 f s t f 23
2854 pg_my_temp_schema 26 f s t f
2855 pg_is_other_temp_schema 16 f s t f 26
2856 pg_timezone_names 2249 f s t t
2857 pg_stat_get_backend_xact_start 1184 f s t f 23
2858 numeric_avg_accum 2281 f i f f 2281 1700
2859 pg_stat_get_buf_alloc 20 f s t f
2878 pg_stat_get_live_tuples 20 f s t f 26
2879 pg_stat_get_dead_tuples 20 f s t f 26
2880 pg_advisory_lock 2278 f v t f 20
2881 pg_advisory_lock_shared 2278 f v t f 20
2882 pg_try_advisory_lock 16 f v t f 20
2883 pg_try_advisory_lock_shared 16 f v t f 20
2884 pg_advisory_unlock 16 f v t f 20
2885 pg_advisory_unlock_shared 16 f v t f 20
2886 pg_advisory_lock 2278 f v t f 23 23
2887 pg_advisory_lock_shared 2278 f v t f 23 23
2888 pg_try_advisory_lock 16 f v t f 23 23
2889 pg_try_advisory_lock_shared 16 f v t f 23 23
2890 pg_advisory_unlock 16 f v t f 23 23
2891 pg_advisory_unlock_shared 16 f v t f 23 23
2892 pg_advisory_unlock_all 2278 f v t f
2893 xml_in 142 f s t f 2275
2894 xml_out 2275 f i t f 142
2895 xmlcomment 142 f i t f 25
2896 xml 142 f s t f 25
2897 xmlvalidate 16 f i t f 142 25
2898 xml_recv 142 f s t f 2281
2899 xml_send 17 f s t f 142
2900 xmlconcat2 142 f i f f 142 142
2901 xmlagg 142 a i f f 142
2902 varbittypmodin 23 f i t f 1263
2903 intervaltypmodin 23 f i t f 1263
2904 intervaltypmodout 2275 f i t f 23
2905 timestamptypmodin 23 f i t f 1263
2906 timestamptypmodout 2275 f i t f 23
2907 timestamptztypmodin 23 f i t f 1263
2908 timestamptztypmodout 2275 f i t f 23
2909 timetypmodin 23 f i t f 1263
2910 timetypmodout 2275 f i t f 23
2911 timetztypmodin 23 f i t f 1263
2912 timetztypmodout 2275 f i t f 23
2913 bpchartypmodin 23 f i t f 1263
2914 bpchartypmodout 2275 f i t f 23
2915 varchartypmodin 23 f i t f 1263
2916 varchartypmodout 2275 f i t f 23
2917 numerictypmodin 23 f i t f 1263
2918 numerictypmodout 2275 f i t f 23
2919 bittypmodin 23 f i t f 1263
2920 bittypmodout 2275 f i t f 23
2921 varbittypmodout 2275 f i t f 23
2922 text 25 f i t f 142
2923 table_to_xml 142 f s t f 2205 16 16 25
2924 query_to_xml 142 f v t f 25 16 16 25
2925 cursor_to_xml 142 f v t f 1790 23 16 16 25
2926 table_to_xmlschema 142 f s t f 2205 16 16 25
2927 query_to_xmlschema 142 f v t f 25 16 16 25
2928 cursor_to_xmlschema 142 f v t f 1790 16 16 25
2929 table_to_xml_and_xmlschema 142 f s t f 2205 16 16 25
2930 query_to_xml_and_xmlschema 142 f v t f 25 16 16 25
2931 xpath 143 f i t f 25 142 1009
2932 xpath 143 f i t f 25 142
2933 schema_to_xml 142 f s t f 19 16 16 25
2934 schema_to_xmlschema 142 f s t f 19 16 16 25
2935 schema_to_xml_and_xmlschema 142 f s t f 19 16 16 25
2936 database_to_xml 142 f s t f 16 16 25
2937 database_to_xmlschema 142 f s t f 16 16 25
2938 database_to_xml_and_xmlschema 142 f s t f 16 16 25
2939 txid_snapshot_in 2970 f i t f 2275
2940 txid_snapshot_out 2275 f i t f 2970
2941 txid_snapshot_recv 2970 f i t f 2281
2942 txid_snapshot_send 17 f i t f 2970
2943 txid_current 20 f s t f
2944 txid_current_snapshot 2970 f s t f
2945 txid_snapshot_xmin 20 f i t f 2970
2946 txid_snapshot_xmax 20 f i t f 2970
2947 txid_snapshot_xip 20 f i t t 2970
2948 txid_visible_in_snapshot 16 f i t f 20 2970
2952 uuid_in 2950 f i t f 2275
2953 uuid_out 2275 f i t f 2950
2954 uuid_lt 16 f i t f 2950 2950
2955 uuid_le 16 f i t f 2950 2950
2956 uuid_eq 16 f i t f 2950 2950
2957 uuid_ge 16 f i t f 2950 2950
2958 uuid_gt 16 f i t f 2950 2950
2959 uuid_ne 16 f i t f 2950 2950
2960 uuid_cmp 23 f i t f 2950 2950
2961 uuid_recv 2950 f i t f 2281
2962 uuid_send 17 f i t f 2950
2963 uuid_hash 23 f i t f 2950
2971 text 25 f i t f 16
2978 pg_stat_get_function_calls 20 f s t f 26
2979 pg_stat_get_function_total_time 701 f s t f 26
2980 pg_stat_get_function_self_time 701 f s t f 26
2981 record_eq 16 f i t f 2249 2249
2982 record_ne 16 f i t f 2249 2249
2983 record_lt 16 f i t f 2249 2249
2984 record_gt 16 f i t f 2249 2249
2985 record_le 16 f i t f 2249 2249
2986 record_ge 16 f i t f 2249 2249
2987 btrecordcmp 23 f i t f 2249 2249
2997 pg_table_size 20 f v t f 2205
2998 pg_indexes_size 20 f v t f 2205
2999 pg_relation_filenode 26 f s t f 2205
3000 has_foreign_data_wrapper_privilege 16 f s t f 19 25 25
3001 has_foreign_data_wrapper_privilege 16 f s t f 19 26 25
3002 has_foreign_data_wrapper_privilege 16 f s t f 26 25 25
3003 has_foreign_data_wrapper_privilege 16 f s t f 26 26 25
3004 has_foreign_data_wrapper_privilege 16 f s t f 25 25
3005 has_foreign_data_wrapper_privilege 16 f s t f 26 25
3006 has_server_privilege 16 f s t f 19 25 25
3007 has_server_privilege 16 f s t f 19 26 25
3008 has_server_privilege 16 f s t f 26 25 25
3009 has_server_privilege 16 f s t f 26 26 25
3010 has_server_privilege 16 f s t f 25 25
3011 has_server_privilege 16 f s t f 26 25
3012 has_column_privilege 16 f s t f 19 25 25 25
3013 has_column_privilege 16 f s t f 19 25 21 25
3014 has_column_privilege 16 f s t f 19 26 25 25
3015 has_column_privilege 16 f s t f 19 26 21 25
3016 has_column_privilege 16 f s t f 26 25 25 25
3017 has_column_privilege 16 f s t f 26 25 21 25
3018 has_column_privilege 16 f s t f 26 26 25 25
3019 has_column_privilege 16 f s t f 26 26 21 25
3020 has_column_privilege 16 f s t f 25 25 25
3021 has_column_privilege 16 f s t f 25 21 25
3022 has_column_privilege 16 f s t f 26 25 25
3023 has_column_privilege 16 f s t f 26 21 25
3024 has_any_column_privilege 16 f s t f 19 25 25
3025 has_any_column_privilege 16 f s t f 19 26 25
3026 has_any_column_privilege 16 f s t f 26 25 25
3027 has_any_column_privilege 16 f s t f 26 26 25
3028 has_any_column_privilege 16 f s t f 25 25
3029 has_any_column_privilege 16 f s t f 26 25
3030 overlay 1560 f i t f 1560 1560 23 23
3031 overlay 1560 f i t f 1560 1560 23
3032 get_bit 23 f i t f 1560 23
3033 set_bit 1560 f i t f 1560 23 23
3034 pg_relation_filepath 25 f s t f 2205
3035 pg_listening_channels 25 f s t t
3036 pg_notify 2278 f v f f 25 25
3037 pg_stat_get_xact_numscans 20 f v t f 26
3038 pg_stat_get_xact_tuples_returned 20 f v t f 26
3039 pg_stat_get_xact_tuples_fetched 20 f v t f 26
3040 pg_stat_get_xact_tuples_inserted 20 f v t f 26
3041 pg_stat_get_xact_tuples_updated 20 f v t f 26
3042 pg_stat_get_xact_tuples_deleted 20 f v t f 26
3043 pg_stat_get_xact_tuples_hot_updated 20 f v t f 26
3044 pg_stat_get_xact_blocks_fetched 20 f v t f 26
3045 pg_stat_get_xact_blocks_hit 20 f v t f 26
3046 pg_stat_get_xact_function_calls 20 f v t f 26
3047 pg_stat_get_xact_function_total_time 701 f v t f 26
3048 pg_stat_get_xact_function_self_time 701 f v t f 26
3049 xpath_exists 16 f i t f 25 142 1009
3050 xpath_exists 16 f i t f 25 142
3051 xml_is_well_formed 16 f s t f 25
3052 xml_is_well_formed_document 16 f i t f 25
3053 xml_is_well_formed_content 16 f i t f 25
3054 pg_stat_get_vacuum_count 20 f s t f 26
3055 pg_stat_get_autovacuum_count 20 f s t f 26
3056 pg_stat_get_analyze_count 20 f s t f 26
3057 pg_stat_get_autoanalyze_count 20 f s t f 26
3058 concat 25 f s f f 2276
3059 concat_ws 25 f s f f 25 2276
3060 left 25 f i t f 25 23
3061 right 25 f i t f 25 23
3062 reverse 25 f i t f 25
3063 pg_stat_get_buf_fsync_backend 20 f s t f
3064 gist_point_distance 701 f i t f 2281 600 21 26 2281
3065 pg_stat_get_db_conflict_tablespace 20 f s t f 26
3066 pg_stat_get_db_conflict_lock 20 f s t f 26
3067 pg_stat_get_db_conflict_snapshot 20 f s t f 26
3068 pg_stat_get_db_conflict_bufferpin 20 f s t f 26
3069 pg_stat_get_db_conflict_startup_deadlock 20 f s t f 26
3070 pg_stat_get_db_conflict_all 20 f s t f 26
3071 pg_wal_replay_pause 2278 f v t f
3072 pg_wal_replay_resume 2278 f v t f
3073 pg_is_wal_replay_paused 16 f v t f
3074 pg_stat_get_db_stat_reset_time 1184 f s t f 26
3075 pg_stat_get_bgwriter_stat_reset_time 1184 f s t f
3076 ginarrayextract 2281 f i t f 2277 2281
3077 gin_extract_tsvector 2281 f i t f 3614 2281
3078 pg_sequence_parameters 2249 f s t f 26
3082 pg_available_extensions 2249 f s t t
3083 pg_available_extension_versions 2249 f s t t
3084 pg_extension_update_paths 2249 f s t t 19
3086 pg_extension_config_dump 2278 f v t f 2205 25
3087 gin_extract_tsquery 2281 f i t f 3615 2281 21 2281 2281
3088 gin_tsquery_consistent 16 f i t f 2281 21 3615 23 2281 2281
3089 pg_advisory_xact_lock 2278 f v t f 20
3090 pg_advisory_xact_lock_shared 2278 f v t f 20
3091 pg_try_advisory_xact_lock 16 f v t f 20
3092 pg_try_advisory_xact_lock_shared 16 f v t f 20
3093 pg_advisory_xact_lock 2278 f v t f 23 23
3094 pg_advisory_xact_lock_shared 2278 f v t f 23 23
3095 pg_try_advisory_xact_lock 16 f v t f 23 23
3096 pg_try_advisory_xact_lock_shared 16 f v t f 23 23
3097 varchar_support 2281 f i t f 2281
3098 pg_create_restore_point 3220 f v t f 25
3099 pg_stat_get_wal_senders 2249 f s f t
3100 row_number 20 w i f f
3101 rank 20 w i f f
3102 dense_rank 20 w i f f
3103 percent_rank 701 w i f f
3104 cume_dist 701 w i f f
3105 ntile 23 w i t f 23
3106 lag 2283 w i t f 2283
3107 lag 2283 w i t f 2283 23
3108 lag 5077 w i t f 5077 23 5077
3109 lead 2283 w i t f 2283
3110 lead 2283 w i t f 2283 23
3111 lead 5077 w i t f 5077 23 5077
3112 first_value 2283 w i t f 2283
3113 last_value 2283 w i t f 2283
3114 nth_value 2283 w i t f 2283 23
3116 fdw_handler_in 3115 f i f f 2275
3117 fdw_handler_out 2275 f i t f 3115
3120 void_recv 2278 f i t f 2281
3121 void_send 17 f i t f 2278
3129 btint2sortsupport 2278 f i t f 2281
3130 btint4sortsupport 2278 f i t f 2281
3131 btint8sortsupport 2278 f i t f 2281
3132 btfloat4sortsupport 2278 f i t f 2281
3133 btfloat8sortsupport 2278 f i t f 2281
3134 btoidsortsupport 2278 f i t f 2281
3135 btnamesortsupport 2278 f i t f 2281
3136 date_sortsupport 2278 f i t f 2281
3137 timestamp_sortsupport 2278 f i t f 2281
3138 has_type_privilege 16 f s t f 19 25 25
3139 has_type_privilege 16 f s t f 19 26 25
3140 has_type_privilege 16 f s t f 26 25 25
3141 has_type_privilege 16 f s t f 26 26 25
3142 has_type_privilege 16 f s t f 25 25
3143 has_type_privilege 16 f s t f 26 25
3144 macaddr_not 829 f i t f 829
3145 macaddr_and 829 f i t f 829 829
3146 macaddr_or 829 f i t f 829 829
3150 pg_stat_get_db_temp_files 20 f s t f 26
3151 pg_stat_get_db_temp_bytes 20 f s t f 26
3152 pg_stat_get_db_deadlocks 20 f s t f 26
3153 array_to_json 114 f s t f 2277
3154 array_to_json 114 f s t f 2277 16
3155 row_to_json 114 f s t f 2249
3156 row_to_json 114 f s t f 2249 16
3157 numeric_support 2281 f i t f 2281
3158 varbit_support 2281 f i t f 2281
3159 pg_get_viewdef 25 f s t f 26 23
3160 pg_stat_get_checkpoint_write_time 701 f s t f
3161 pg_stat_get_checkpoint_sync_time 701 f s t f
3162 pg_collation_for 25 f s f f 2276
3163 pg_trigger_depth 23 f s t f
3165 pg_wal_lsn_diff 1700 f i t f 3220 3220
3166 pg_size_pretty 25 f i t f 1700
3167 array_remove 5078 f i f f 5078 5077
3168 array_replace 5078 f i f f 5078 5077 5077
3169 rangesel 701 f s t f 2281 26 2281 23
3170 lo_lseek64 20 f v t f 23 20 23
3171 lo_tell64 20 f v t f 23
3172 lo_truncate64 23 f v t f 23 20
3173 json_agg_transfn 2281 f s f f 2281 2283
3174 json_agg_finalfn 114 f i f f 2281
3175 json_agg 114 a s f f 2283
3176 to_json 114 f s t f 2283
3177 pg_stat_get_mod_since_analyze 20 f s t f 26
3178 numeric_sum 1700 f i f f 2281
3179 cardinality 23 f i t f 2277
3180 json_object_agg_transfn 2281 f s f f 2281 2276 2276
3181 record_image_eq 16 f i t f 2249 2249
3182 record_image_ne 16 f i t f 2249 2249
3183 record_image_lt 16 f i t f 2249 2249
3184 record_image_gt 16 f i t f 2249 2249
3185 record_image_le 16 f i t f 2249 2249
3186 record_image_ge 16 f i t f 2249 2249
3187 btrecordimagecmp 23 f i t f 2249 2249
3195 pg_stat_get_archiver 2249 f s f f
3196 json_object_agg_finalfn 114 f i f f 2281
3197 json_object_agg 114 a s f f 2276 2276
3198 json_build_array 114 f s f f 2276
3199 json_build_array 114 f s f f
3200 json_build_object 114 f s f f 2276
3201 json_build_object 114 f s f f
3202 json_object 114 f i t f 1009
3203 json_object 114 f i t f 1009 1009
3204 json_to_record 2249 f s t f 114
3205 json_to_recordset 2249 f s f t 114
3207 jsonb_array_length 23 f i t f 3802
3208 jsonb_each 2249 f i t t 3802
3209 jsonb_populate_record 2283 f s f f 2283 3802
3210 jsonb_typeof 25 f i t f 3802
3214 jsonb_object_field_text 25 f i t f 3802 25
3215 jsonb_array_element 3802 f i t f 3802 23
3216 jsonb_array_element_text 25 f i t f 3802 23
3217 jsonb_extract_path 3802 f i t f 3802 1009
3218 width_bucket 23 f i t f 5077 5078
3219 jsonb_array_elements 3802 f i t t 3802
3229 pg_lsn_in 3220 f i t f 2275
3230 pg_lsn_out 2275 f i t f 3220
3231 pg_lsn_lt 16 f i t f 3220 3220
3232 pg_lsn_le 16 f i t f 3220 3220
3233 pg_lsn_eq 16 f i t f 3220 3220
3234 pg_lsn_ge 16 f i t f 3220 3220
3235 pg_lsn_gt 16 f i t f 3220 3220
3236 pg_lsn_ne 16 f i t f 3220 3220
3237 pg_lsn_mi 1700 f i t f 3220 3220
3238 pg_lsn_recv 3220 f i t f 2281
3239 pg_lsn_send 17 f i t f 3220
3251 pg_lsn_cmp 23 f i t f 3220 3220
3252 pg_lsn_hash 23 f i t f 3220
3255 bttextsortsupport 2278 f i t f 2281
3259 generate_series 1700 f i t t 1700 1700 1700
3260 generate_series 1700 f i t t 1700 1700
3261 json_strip_nulls 114 f i t f 114
3262 jsonb_strip_nulls 3802 f i t f 3802
3263 jsonb_object 3802 f i t f 1009
3264 jsonb_object 3802 f i t f 1009 1009
3265 jsonb_agg_transfn 2281 f s f f 2281 2283
3266 jsonb_agg_finalfn 3802 f s f f 2281
3267 jsonb_agg 3802 a s f f 2283
3268 jsonb_object_agg_transfn 2281 f s f f 2281 2276 2276
3269 jsonb_object_agg_finalfn 3802 f s f f 2281
3270 jsonb_object_agg 3802 a i f f 2276 2276
3271 jsonb_build_array 3802 f s f f 2276
3272 jsonb_build_array 3802 f s f f
3273 jsonb_build_object 3802 f s f f 2276
3274 jsonb_build_object 3802 f s f f
3275 dist_ppoly 701 f i t f 600 604
3277 array_position 23 f i f f 5078 5077
3278 array_position 23 f i f f 5078 5077 23
3279 array_positions 1007 f i f f 5078 5077
3280 gist_circle_distance 701 f i t f 2281 718 21 26 2281
3281 scale 23 f i t f 1700
3282 gist_point_fetch 2281 f i t f 2281
3283 numeric_sortsupport 2278 f i t f 2281
3288 gist_poly_distance 701 f i t f 2281 604 21 26 2281
3290 dist_cpoint 701 f i t f 718 600
3292 dist_polyp 701 f i t f 604 600
3293 pg_read_file 25 f v t f 25 20 20 16
3294 current_setting 25 f s t f 25 16
3295 pg_read_binary_file 17 f v t f 25 20 20 16
3296 pg_notification_queue_usage 701 f v t f
3297 pg_ls_dir 25 f v t t 25 16 16
3298 row_security_active 16 f s t f 26
3299 row_security_active 16 f s t f 25
3300 uuid_sortsupport 2278 f i t f 2281
3301 jsonb_concat 3802 f i t f 3802 3802
3302 jsonb_delete 3802 f i t f 3802 25
3303 jsonb_delete 3802 f i t f 3802 23
3304 jsonb_delete_path 3802 f i t f 3802 1009
3305 jsonb_set 3802 f i t f 3802 1009 3802 16
3306 jsonb_pretty 25 f i t f 3802
3307 pg_stat_file 2249 f v t f 25 16
3308 xidneq 16 f i t f 28 28
3309 xidneqint4 16 f i t f 28 23
3311 tsm_handler_in 3310 f i f f 2275
3312 tsm_handler_out 2275 f i t f 3310
3313 bernoulli 3310 f v t f 2281
3314 system 3310 f v t f 2281
3317 pg_stat_get_wal_receiver 2249 f s f f
3318 pg_stat_get_progress_info 2249 f s t t 25
3319 ts_filter 3614 f i t f 3614 1002
3320 setweight 3614 f i t f 3614 18 1009
3321 ts_delete 3614 f i t f 3614 25
3322 unnest 2249 f i t t 3614
3323 ts_delete 3614 f i t f 3614 1009
3324 int4_avg_combine 1016 f i t f 1016 1016
3325 interval_combine 1187 f i t f 1187 1187
3326 tsvector_to_array 1009 f i t f 3614
3327 array_to_tsvector 3614 f i t f 1009
3328 bpchar_sortsupport 2278 f i t f 2281
3329 pg_show_all_file_settings 2249 f v t t
3330 pg_current_wal_flush_lsn 3220 f v t f
3331 bytea_sortsupport 2278 f i t f 2281
3332 bttext_pattern_sortsupport 2278 f i t f 2281
3333 btbpchar_pattern_sortsupport 2278 f i t f 2281
3334 pg_size_bytes 20 f i t f 25
3335 numeric_serialize 17 f i t f 2281
3336 numeric_deserialize 2281 f i t f 17 2281
3337 numeric_avg_combine 2281 f i f f 2281 2281
3338 numeric_poly_combine 2281 f i f f 2281 2281
3339 numeric_poly_serialize 17 f i t f 2281
3340 numeric_poly_deserialize 2281 f i t f 17 2281
3341 numeric_combine 2281 f i f f 2281 2281
3342 float8_regr_combine 1022 f i t f 1022 1022
3343 jsonb_delete 3802 f i t f 3802 1009
3344 cash_mul_int8 790 f i t f 790 20
3345 cash_div_int8 790 f i t f 790 20
3348 txid_current_if_assigned 20 f s t f
3352 pg_get_partkeydef 25 f s t f 26
3353 pg_ls_logdir 2249 f v t t
3354 pg_ls_waldir 2249 f v t t
3355 pg_ndistinct_in 3361 f i t f 2275
3356 pg_ndistinct_out 2275 f i t f 3361
3357 pg_ndistinct_recv 3361 f s t f 2281
3358 pg_ndistinct_send 17 f s t f 3361
3359 macaddr_sortsupport 2278 f i t f 2281
3360 txid_status 25 f v t f 20
3376 pg_safe_snapshot_blocking_pids 1007 f v t f 23
3378 pg_isolation_test_session_is_blocked 16 f v t f 23 1007
3382 pg_identify_object_as_address 2249 f s t f 26 26 23
3383 brin_minmax_opcinfo 2281 f i t f 2281
3384 brin_minmax_add_value 16 f i t f 2281 2281 2281 2281
3385 brin_minmax_consistent 16 f i t f 2281 2281 2281
3386 brin_minmax_union 16 f i t f 2281 2281 2281
3387 int8_avg_accum_inv 2281 f i f f 2281 20
3388 numeric_poly_sum 1700 f i f f 2281
3389 numeric_poly_avg 1700 f i f f 2281
3390 numeric_poly_var_pop 1700 f i f f 2281
3391 numeric_poly_var_samp 1700 f i f f 2281
3392 numeric_poly_stddev_pop 1700 f i f f 2281
3393 numeric_poly_stddev_samp 1700 f i f f 2281
3396 regexp_match 1009 f i t f 25 25
3397 regexp_match 1009 f i t f 25 25 25
3399 int8_mul_cash 790 f i t f 20 790
3400 pg_config 2249 f s t t
3401 pg_hba_file_rules 2249 f v t t
3403 pg_statistics_obj_is_visible 16 f s t f 26
3404 pg_dependencies_in 3402 f i t f 2275
3405 pg_dependencies_out 2275 f i t f 3402
3406 pg_dependencies_recv 3402 f s t f 2281
3407 pg_dependencies_send 17 f s t f 3402
3408 pg_get_partition_constraintdef 25 f s t f 26
3409 time_hash_extended 20 f i t f 1083 20
3410 timetz_hash_extended 20 f i t f 1266 20
3411 timestamp_hash_extended 20 f i t f 1114 20
3412 uuid_hash_extended 20 f i t f 2950 20
3413 pg_lsn_hash_extended 20 f i t f 3220 20
3414 hashenumextended 20 f i t f 3500 20
3415 pg_get_statisticsobjdef 25 f s t f 26
3416 jsonb_hash_extended 20 f i t f 3802 20
3417 hash_range_extended 20 f i t f 3831 20
3418 interval_hash_extended 20 f i t f 1186 20
3419 sha224 17 f i t f 17
3420 sha256 17 f i t f 17
3421 sha384 17 f i t f 17
3422 sha512 17 f i t f 17
3423 pg_partition_tree 2249 f v t t 2205
3424 pg_partition_root 2205 f i t f 2205
3425 pg_partition_ancestors 2205 f v t t 2205
3426 pg_stat_get_db_checksum_failures 20 f s t f 26
3427 pg_mcv_list_items 2249 f s t t 5017
3428 pg_stat_get_db_checksum_last_failure 1184 f s t f 26
3432 gen_random_uuid 2950 f v t f
3434 gtsvector_options 2278 f i f f 2281
3435 gist_point_sortsupport 2278 f i t f 2281
3436 pg_promote 16 f v t f 16 23
3437 prefixsel 701 f s t f 2281 26 2281 23
3438 prefixjoinsel 701 f s t f 2281 26 2281 21 2281
3441 pg_control_system 2249 f v t f
3442 pg_control_checkpoint 2249 f v t f
3443 pg_control_recovery 2249 f v t f
3444 pg_control_init 2249 f v t f
3445 pg_import_system_collations 23 f v t f 4089
3446 macaddr8_recv 774 f i t f 2281
3447 macaddr8_send 17 f i t f 774
3448 pg_collation_actual_version 25 f v t f 26
3449 numeric 1700 f i t f 3802
3450 int2 21 f i t f 3802
3451 int4 23 f i t f 3802
3452 int8 20 f i t f 3802
3453 float4 700 f i t f 3802
3454 pg_filenode_relation 2205 f s t f 26 26
3457 lo_from_bytea 26 f v t f 26 17
3458 lo_get 17 f v t f 26
3459 lo_get 17 f v t f 26 20 23
3460 lo_put 2278 f v t f 26 20 17
3461 make_timestamp 1114 f i t f 23 23 23 23 23 701
3462 make_timestamptz 1184 f s t f 23 23 23 23 23 701
3463 make_timestamptz 1184 f s t f 23 23 23 23 23 701 25
3464 make_interval 1186 f i t f 23 23 23 23 23 23 701
3465 jsonb_array_elements_text 25 f i t t 3802
3469 spg_range_quad_config 2278 f i t f 2281 2281
3470 spg_range_quad_choose 2278 f i t f 2281 2281
3471 spg_range_quad_picksplit 2278 f i t f 2281 2281
3472 spg_range_quad_inner_consistent 2278 f i t f 2281 2281
3473 spg_range_quad_leaf_consistent 16 f i t f 2281 2281
3475 jsonb_populate_recordset 2283 f s f t 2283 3802
3476 to_regoperator 2204 f s t f 25
3478 jsonb_object_field 3802 f i t f 3802 25
3479 to_regprocedure 2202 f s t f 25
3480 gin_compare_jsonb 23 f i t f 25 25
3482 gin_extract_jsonb 2281 f i t f 3802 2281 2281
3483 gin_extract_jsonb_query 2281 f i t f 3802 2281 21 2281 2281 2281 2281
3484 gin_consistent_jsonb 16 f i t f 2281 21 3802 23 2281 2281 2281 2281
3485 gin_extract_jsonb_path 2281 f i t f 3802 2281 2281
3486 gin_extract_jsonb_query_path 2281 f i t f 3802 2281 21 2281 2281 2281 2281
3487 gin_consistent_jsonb_path 16 f i t f 2281 21 3802 23 2281 2281 2281 2281
3488 gin_triconsistent_jsonb 18 f i t f 2281 21 3802 23 2281 2281 2281
3489 gin_triconsistent_jsonb_path 18 f i t f 2281 21 3802 23 2281 2281 2281
3490 jsonb_to_record 2249 f s t f 3802
3491 jsonb_to_recordset 2249 f s f t 3802
3492 to_regoper 2203 f s t f 25
3493 to_regtype 2206 f s t f 25
3494 to_regproc 24 f s t f 25
3495 to_regclass 2205 f s t f 25
3496 bool_accum 2281 f i f f 2281 16
3497 bool_accum_inv 2281 f i f f 2281 16
3498 bool_alltrue 16 f i t f 2281
3499 bool_anytrue 16 f i t f 2281
3504 anyenum_in 3500 f i t f 2275
3505 anyenum_out 2275 f s t f 3500
3506 enum_in 3500 f s t f 2275 26
3507 enum_out 2275 f s t f 3500
3508 enum_eq 16 f i t f 3500 3500
3509 enum_ne 16 f i t f 3500 3500
3510 enum_lt 16 f i t f 3500 3500
3511 enum_gt 16 f i t f 3500 3500
3512 enum_le 16 f i t f 3500 3500
3513 enum_ge 16 f i t f 3500 3500
3514 enum_cmp 23 f i t f 3500 3500
3515 hashenum 23 f i t f 3500
3524 enum_smaller 3500 f i t f 3500 3500
3525 enum_larger 3500 f i t f 3500 3500
3526 max 3500 a i f f 3500
3527 min 3500 a i f f 3500
3528 enum_first 3500 f s f f 3500
3529 enum_last 3500 f s f f 3500
3530 enum_range 2277 f s f f 3500 3500
3531 enum_range 2277 f s f f 3500
3532 enum_recv 3500 f s t f 2281 26
3533 enum_send 17 f s t f 3500
3535 string_agg_transfn 2281 f i f f 2281 25 25
3536 string_agg_finalfn 25 f i f f 2281
3537 pg_describe_object 25 f s t f 26 26 23
3538 string_agg 25 a i f f 25 25
3539 format 25 f s f f 25 2276
3540 format 25 f s f f 25
3543 bytea_string_agg_transfn 2281 f i f f 2281 17 17
3544 bytea_string_agg_finalfn 17 f i f f 2281
3545 string_agg 17 a i f f 17 17
3546 int8dec 20 f i t f 20
3547 int8dec_any 20 f i t f 20 2276
3548 numeric_accum_inv 2281 f i f f 2281 1700
3549 interval_accum_inv 1187 f i t f 1187 1186
3551 network_overlap 16 f i t f 869 869
3553 inet_gist_consistent 16 f i t f 2281 869 21 26 2281
3554 inet_gist_union 869 f i t f 2281 2281
3555 inet_gist_compress 2281 f i t f 2281
3556 bool 16 f i t f 3802
3557 inet_gist_penalty 2281 f i t f 2281 2281 2281
3558 inet_gist_picksplit 2281 f i t f 2281 2281
3559 inet_gist_same 2281 f i t f 869 869 2281
3560 networksel 701 f s t f 2281 26 2281 23
3561 networkjoinsel 701 f s t f 2281 26 2281 21 2281
3562 network_larger 869 f i t f 869 869
3563 network_smaller 869 f i t f 869 869
3564 max 869 a i f f 869
3565 min 869 a i f f 869
3566 pg_event_trigger_dropped_objects 2249 f s t t
3567 int2_accum_inv 2281 f i f f 2281 21
3568 int4_accum_inv 2281 f i f f 2281 23
3569 int8_accum_inv 2281 f i f f 2281 20
3570 int2_avg_accum_inv 1016 f i t f 1016 21
3571 int4_avg_accum_inv 1016 f i t f 1016 23
3572 int2int4_sum 20 f i t f 1016
3573 inet_gist_fetch 2281 f i t f 2281
3577 pg_logical_emit_message 3220 f v t f 16 25 25
3578 pg_logical_emit_message 3220 f v t f 16 25 17
3579 jsonb_insert 3802 f i t f 3802 1009 3802 16
3581 pg_xact_commit_timestamp 1184 f v t f 28
3582 binary_upgrade_set_next_pg_type_oid 2278 f v t f 26
3583 pg_last_committed_xact 2249 f v t f
3584 binary_upgrade_set_next_array_pg_type_oid 2278 f v t f 26
3586 binary_upgrade_set_next_heap_pg_class_oid 2278 f v t f 26
3587 binary_upgrade_set_next_index_pg_class_oid 2278 f v t f 26
3588 binary_upgrade_set_next_toast_pg_class_oid 2278 f v t f 26
3589 binary_upgrade_set_next_pg_enum_oid 2278 f v t f 26
3590 binary_upgrade_set_next_pg_authid_oid 2278 f v t f 26
3591 binary_upgrade_create_empty_extension 2278 f v f f 25 25 16 25 1028 1009 1009
3594 event_trigger_in 3838 f i f f 2275
3595 event_trigger_out 2275 f i t f 3838
3610 tsvectorin 3614 f i t f 2275
3611 tsvectorout 2275 f i t f 3614
3612 tsqueryin 3615 f i t f 2275
3613 tsqueryout 2275 f i t f 3615
3616 tsvector_lt 16 f i t f 3614 3614
3617 tsvector_le 16 f i t f 3614 3614
3618 tsvector_eq 16 f i t f 3614 3614
3619 tsvector_ne 16 f i t f 3614 3614
3620 tsvector_ge 16 f i t f 3614 3614
3621 tsvector_gt 16 f i t f 3614 3614
3622 tsvector_cmp 23 f i t f 3614 3614
3623 strip 3614 f i t f 3614
3624 setweight 3614 f i t f 3614 18
3625 tsvector_concat 3614 f i t f 3614 3614
3634 ts_match_vq 16 f i t f 3614 3615
3635 ts_match_qv 16 f i t f 3615 3614
3638 tsvectorsend 17 f i t f 3614
3639 tsvectorrecv 3614 f i t f 2281
3640 tsquerysend 17 f i t f 3615
3641 tsqueryrecv 3615 f i t f 2281
3648 gtsvector_compress 2281 f i t f 2281
3649 gtsvector_decompress 2281 f i t f 2281
3650 gtsvector_picksplit 2281 f i t f 2281 2281
3653 gtsvector_penalty 2281 f i t f 2281 2281 2281
3654 gtsvector_consistent 16 f i t f 2281 3614 21 26 2281
3656 gin_extract_tsvector 2281 f i t f 3614 2281 2281
3657 gin_extract_tsquery 2281 f i t f 3614 2281 21 2281 2281 2281 2281
3658 gin_tsquery_consistent 16 f i t f 2281 21 3614 23 2281 2281 2281 2281
3662 tsquery_lt 16 f i t f 3615 3615
3663 tsquery_le 16 f i t f 3615 3615
3664 tsquery_eq 16 f i t f 3615 3615
3665 tsquery_ne 16 f i t f 3615 3615
3666 tsquery_ge 16 f i t f 3615 3615
3667 tsquery_gt 16 f i t f 3615 3615
3668 tsquery_cmp 23 f i t f 3615 3615
3669 tsquery_and 3615 f i t f 3615 3615
3670 tsquery_or 3615 f i t f 3615 3615
3671 tsquery_not 3615 f i t f 3615
3672 numnode 23 f i t f 3615
3673 querytree 25 f i t f 3615
3684 ts_rewrite 3615 f i t f 3615 3615 3615
3685 ts_rewrite 3615 f v t f 3615 25
3686 tsmatchsel 701 f s t f 2281 26 2281 23
3687 tsmatchjoinsel 701 f s t f 2281 26 2281 21 2281
3688 ts_typanalyze 16 f s t f 2281
3689 ts_stat 2249 f v t t 25
3690 ts_stat 2249 f v t t 25 25
3691 tsq_mcontains 16 f i t f 3615 3615
3692 tsq_mcontained 16 f i t f 3615 3615
3695 gtsquery_compress 2281 f i t f 2281
3696 starts_with 16 f i t f 25 25
3697 gtsquery_picksplit 2281 f i t f 2281 2281
3698 gtsquery_union 20 f i t f 2281 2281
3699 gtsquery_same 2281 f i t f 20 20 2281
3700 gtsquery_penalty 2281 f i t f 2281 2281 2281
3701 gtsquery_consistent 16 f i t f 2281 3615 21 26 2281
3703 ts_rank 700 f i t f 1021 3614 3615 23
3704 ts_rank 700 f i t f 1021 3614 3615
3705 ts_rank 700 f i t f 3614 3615 23
3706 ts_rank 700 f i t f 3614 3615
3707 ts_rank_cd 700 f i t f 1021 3614 3615 23
3708 ts_rank_cd 700 f i t f 1021 3614 3615
3709 ts_rank_cd 700 f i t f 3614 3615 23
3710 ts_rank_cd 700 f i t f 3614 3615
3711 length 23 f i t f 3614
3713 ts_token_type 2249 f i t t 26
3714 ts_token_type 2249 f s t t 25
3715 ts_parse 2249 f i t t 26 25
3716 ts_parse 2249 f s t t 25 25
3717 prsd_start 2281 f i t f 2281 23
3718 prsd_nexttoken 2281 f i t f 2281 2281 2281
3719 prsd_end 2278 f i t f 2281
3720 prsd_headline 2281 f i t f 2281 2281 3615
3721 prsd_lextype 2281 f i t f 2281
3723 ts_lexize 1009 f i t f 3769 25
3724 gin_cmp_tslexeme 23 f i t f 25 25
3725 dsimple_init 2281 f i t f 2281
3726 dsimple_lexize 2281 f i t f 2281 2281 2281 2281
3728 dsynonym_init 2281 f i t f 2281
3729 dsynonym_lexize 2281 f i t f 2281 2281 2281 2281
3731 dispell_init 2281 f i t f 2281
3732 dispell_lexize 2281 f i t f 2281 2281 2281 2281
3736 regconfigin 3734 f s t f 2275
3737 regconfigout 2275 f s t f 3734
3738 regconfigrecv 3734 f i t f 2281
3739 regconfigsend 17 f i t f 3734
3740 thesaurus_init 2281 f i t f 2281
3741 thesaurus_lexize 2281 f i t f 2281 2281 2281 2281
3743 ts_headline 25 f i t f 3734 25 3615 25
3744 ts_headline 25 f i t f 3734 25 3615
3745 to_tsvector 3614 f i t f 3734 25
3746 to_tsquery 3615 f i t f 3734 25
3747 plainto_tsquery 3615 f i t f 3734 25
3749 to_tsvector 3614 f s t f 25
3750 to_tsquery 3615 f s t f 25
3751 plainto_tsquery 3615 f s t f 25
3752 tsvector_update_trigger 2279 f v f f
3753 tsvector_update_trigger_column 2279 f v f f
3754 ts_headline 25 f s t f 25 3615 25
3755 ts_headline 25 f s t f 25 3615
3756 pg_ts_parser_is_visible 16 f s t f 26
3757 pg_ts_dict_is_visible 16 f s t f 26
3758 pg_ts_config_is_visible 16 f s t f 26
3759 get_current_ts_config 3734 f s t f
3760 ts_match_tt 16 f s t f 25 25
3761 ts_match_tq 16 f s t f 25 3615
3768 pg_ts_template_is_visible 16 f s t f 26
3771 regdictionaryin 3769 f s t f 2275
3772 regdictionaryout 2275 f s t f 3769
3773 regdictionaryrecv 3769 f i t f 2281
3774 regdictionarysend 17 f i t f 3769
3775 pg_stat_reset_shared 2278 f v t f 25
3776 pg_stat_reset_single_table_counters 2278 f v t f 26
3777 pg_stat_reset_single_function_counters 2278 f v t f 26
3778 pg_tablespace_location 25 f s t f 26
3779 pg_create_physical_replication_slot 2249 f v t f 19 16 16
3780 pg_drop_replication_slot 2278 f v t f 19
3781 pg_get_replication_slots 2249 f s f t
3782 pg_logical_slot_get_changes 2249 f v f t 19 3220 23 1009
3783 pg_logical_slot_get_binary_changes 2249 f v f t 19 3220 23 1009
3784 pg_logical_slot_peek_changes 2249 f v f t 19 3220 23 1009
3785 pg_logical_slot_peek_binary_changes 2249 f v f t 19 3220 23 1009
3786 pg_create_logical_replication_slot 2249 f v t f 19 19 16 16
3787 to_jsonb 3802 f s t f 2283
3788 pg_stat_get_snapshot_timestamp 1184 f s t f
3789 gin_clean_pending_list 20 f v t f 2205
3791 gin_extract_tsquery 2281 f i t f 3615 2281 21 2281 2281 2281 2281
3792 gin_tsquery_consistent 16 f i t f 2281 21 3615 23 2281 2281 2281 2281
3793 gtsquery_consistent 16 f i t f 2281 2281 23 26 2281
3795 inet_spg_config 2278 f i t f 2281 2281
3796 inet_spg_choose 2278 f i t f 2281 2281
3797 inet_spg_picksplit 2278 f i t f 2281 2281
3798 inet_spg_inner_consistent 2278 f i t f 2281 2281
3799 inet_spg_leaf_consistent 16 f i t f 2281 2281
3800 pg_current_logfile 25 f v f f
3801 pg_current_logfile 25 f v f f 25
3803 jsonb_send 17 f i t f 3802
3804 jsonb_out 2275 f i t f 3802
3805 jsonb_recv 3802 f i t f 2281
3806 jsonb_in 3802 f i t f 2275
3808 pg_get_function_arg_default 25 f s t f 26 23
3809 pg_export_snapshot 25 f v t f
3810 pg_is_in_recovery 16 f v t f
3811 money 790 f s t f 23
3812 money 790 f s t f 20
3815 pg_collation_is_visible 16 f s t f 26
3816 array_typanalyze 16 f s t f 2281
3817 arraycontsel 701 f s t f 2281 26 2281 23
3818 arraycontjoinsel 701 f s t f 2281 26 2281 21 2281
3819 pg_get_multixact_members 2249 f v t t 28
3820 pg_last_wal_receive_lsn 3220 f v t f
3821 pg_last_wal_replay_lsn 3220 f v t f
3822 cash_div_cash 701 f i t f 790 790
3823 numeric 1700 f s t f 790
3824 money 790 f s t f 1700
3826 pg_read_file 25 f v t f 25
3827 pg_read_binary_file 17 f v t f 25 20 20
3828 pg_read_binary_file 17 f v t f 25
3829 pg_opfamily_is_visible 16 f s t f 26
3830 pg_last_xact_replay_timestamp 1184 f v t f
3832 anyrange_in 3831 f s t f 2275 26 23
3833 anyrange_out 2275 f s t f 3831
3834 range_in 3831 f s t f 2275 26 23
3835 range_out 2275 f s t f 3831
3836 range_recv 3831 f s t f 2281 26 23
3837 range_send 17 f s t f 3831
3839 pg_identify_object 2249 f s t f 26 26 23
3840 int4range 3904 f i f f 23 23
3841 int4range 3904 f i f f 23 23 25
3842 pg_relation_is_updatable 23 f s t f 2205 16
3843 pg_column_is_updatable 16 f s t f 2205 21 16
3844 numrange 3906 f i f f 1700 1700
3845 numrange 3906 f i f f 1700 1700 25
3846 make_date 1082 f i t f 23 23 23
3847 make_time 1083 f i t f 23 23 701
3848 lower 2283 f i t f 3831
3849 upper 2283 f i t f 3831
3850 isempty 16 f i t f 3831
3851 lower_inc 16 f i t f 3831
3852 upper_inc 16 f i t f 3831
3853 lower_inf 16 f i t f 3831
3854 upper_inf 16 f i t f 3831
3855 range_eq 16 f i t f 3831 3831
3856 range_ne 16 f i t f 3831 3831
3857 range_overlaps 16 f i t f 3831 3831
3858 range_contains_elem 16 f i t f 3831 2283
3859 range_contains 16 f i t f 3831 3831
3860 elem_contained_by_range 16 f i t f 2283 3831
3861 range_contained_by 16 f i t f 3831 3831
3862 range_adjacent 16 f i t f 3831 3831
3863 range_before 16 f i t f 3831 3831
3864 range_after 16 f i t f 3831 3831
3865 range_overleft 16 f i t f 3831 3831
3866 range_overright 16 f i t f 3831 3831
3867 range_union 3831 f i t f 3831 3831
3868 range_intersect 3831 f i t f 3831 3831
3869 range_minus 3831 f i t f 3831 3831
3870 range_cmp 23 f i t f 3831 3831
3871 range_lt 16 f i t f 3831 3831
3872 range_le 16 f i t f 3831 3831
3873 range_ge 16 f i t f 3831 3831
3874 range_gt 16 f i t f 3831 3831
3875 range_gist_consistent 16 f i t f 2281 3831 21 26 2281
3876 range_gist_union 3831 f i t f 2281 2281
3878 pg_replication_slot_advance 2249 f v t f 19 3220
3879 range_gist_penalty 2281 f i t f 2281 2281 2281
3880 range_gist_picksplit 2281 f i t f 2281 2281
3881 range_gist_same 2281 f i t f 3831 3831 2281
3902 hash_range 23 f i t f 3831
3914 int4range_canonical 3904 f i t f 3904
3915 daterange_canonical 3912 f i t f 3912
3916 range_typanalyze 16 f s t f 2281
3917 timestamp_support 2281 f i t f 2281
3918 interval_support 2281 f i t f 2281
3920 ginarraytriconsistent 18 f i t f 2281 21 2277 23 2281 2281 2281
3921 gin_tsquery_triconsistent 18 f i t f 2281 21 3614 23 2281 2281 2281
3922 int4range_subdiff 701 f i t f 23 23
3923 int8range_subdiff 701 f i t f 20 20
3924 numrange_subdiff 701 f i t f 1700 1700
3925 daterange_subdiff 701 f i t f 1082 1082
3928 int8range_canonical 3926 f i t f 3926
3929 tsrange_subdiff 701 f i t f 1114 1114
3930 tstzrange_subdiff 701 f i t f 1184 1184
3931 jsonb_object_keys 25 f i t t 3802
3932 jsonb_each_text 2249 f i t t 3802
3933 tsrange 3908 f i f f 1114 1114
3934 tsrange 3908 f i f f 1114 1114 25
3935 pg_sleep_for 2278 f v t f 1186
3936 pg_sleep_until 2278 f v t f 1184
3937 tstzrange 3910 f i f f 1184 1184
3938 tstzrange 3910 f i f f 1184 1184 25
3939 mxid_age 23 f s t f 28
3940 jsonb_extract_path_text 25 f i t f 3802 1009
3941 daterange 3912 f i f f 1082 1082
3942 daterange 3912 f i f f 1082 1082 25
3943 acldefault 1034 f i t f 18 26
3944 time_support 2281 f i t f 2281
3945 int8range 3926 f i f f 20 20
3946 int8range 3926 f i f f 20 20 25
3947 json_object_field 114 f i t f 114 25
3948 json_object_field_text 25 f i t f 114 25
3949 json_array_element 114 f i t f 114 23
3950 json_array_element_text 25 f i t f 114 23
3951 json_extract_path 114 f i t f 114 1009
3952 brin_summarize_new_values 23 f v t f 2205
3953 json_extract_path_text 25 f i t f 114 1009
3954 pg_get_object_address 2249 f s t f 25 1009 1009
3955 json_array_elements 114 f i t t 114
3956 json_array_length 23 f i t f 114
3957 json_object_keys 25 f i t t 114
3958 json_each 2249 f i t t 114
3959 json_each_text 2249 f i t t 114
3960 json_populate_record 2283 f s f f 2283 114 16
3961 json_populate_recordset 2283 f s f t 2283 114 16
3968 json_typeof 25 f i t f 114
3969 json_array_elements_text 25 f i t t 114
3970 ordered_set_transition 2281 f i f f 2281 2276
3971 ordered_set_transition_multi 2281 f i f f 2281 2276
3972 percentile_disc 2283 a i f f 701 2283
3973 percentile_disc_final 2283 f i f f 2281 701 2283
3974 percentile_cont 701 a i f f 701 701
3975 percentile_cont_float8_final 701 f i f f 2281 701
3976 percentile_cont 1186 a i f f 701 1186
3977 percentile_cont_interval_final 1186 f i f f 2281 701
3978 percentile_disc 2277 a i f f 1022 2283
3979 percentile_disc_multi_final 2277 f i f f 2281 1022 2283
3980 percentile_cont 1022 a i f f 1022 701
3981 percentile_cont_float8_multi_final 1022 f i f f 2281 1022
3982 percentile_cont 1187 a i f f 1022 1186
3983 percentile_cont_interval_multi_final 1187 f i f f 2281 1022
3984 mode 2283 a i f f 2283
3985 mode_final 2283 f i f f 2281 2283
3986 rank 20 a i f f 2276
3987 rank_final 20 f i f f 2281 2276
3988 percent_rank 701 a i f f 2276
3989 percent_rank_final 701 f i f f 2281 2276
3990 cume_dist 701 a i f f 2276
3991 cume_dist_final 701 f i f f 2281 2276
3992 dense_rank 20 a i f f 2276
3993 dense_rank_final 20 f i f f 2281 2276
3994 generate_series_int4_support 2281 f i t f 2281
3995 generate_series_int8_support 2281 f i t f 2281
3996 array_unnest_support 2281 f i t f 2281
3998 gist_box_distance 701 f i t f 2281 603 21 26 2281
3999 brin_summarize_range 23 f v t f 2205 20
4001 jsonpath_in 4072 f i t f 2275
4002 jsonpath_recv 4072 f i t f 2281
4003 jsonpath_out 2275 f i t f 4072
4004 jsonpath_send 17 f i t f 4072
4005 jsonb_path_exists 16 f i t f 3802 4072 3802 16
4006 jsonb_path_query 3802 f i t t 3802 4072 3802 16
4007 jsonb_path_query_array 3802 f i t f 3802 4072 3802 16
4008 jsonb_path_query_first 3802 f i t f 3802 4072 3802 16
4009 jsonb_path_match 16 f i t f 3802 4072 3802 16
4010 jsonb_path_exists_opr 16 f i t f 3802 4072
4011 jsonb_path_match_opr 16 f i t f 3802 4072
4014 brin_desummarize_range 2278 f v t f 2205 20
4018 spg_quad_config 2278 f i t f 2281 2281
4019 spg_quad_choose 2278 f i t f 2281 2281
4020 spg_quad_picksplit 2278 f i t f 2281 2281
4021 spg_quad_inner_consistent 2278 f i t f 2281 2281
4022 spg_quad_leaf_consistent 16 f i t f 2281 2281
4023 spg_kd_config 2278 f i t f 2281 2281
4024 spg_kd_choose 2278 f i t f 2281 2281
4025 spg_kd_picksplit 2278 f i t f 2281 2281
4026 spg_kd_inner_consistent 2278 f i t f 2281 2281
4027 spg_text_config 2278 f i t f 2281 2281
4028 spg_text_choose 2278 f i t f 2281 2281
4029 spg_text_picksplit 2278 f i t f 2281 2281
4030 spg_text_inner_consistent 2278 f i t f 2281 2281
4031 spg_text_leaf_consistent 16 f i t f 2281 2281
4032 pg_sequence_last_value 20 f v t f 2205
4038 jsonb_ne 16 f i t f 3802 3802
4039 jsonb_lt 16 f i t f 3802 3802
4040 jsonb_gt 16 f i t f 3802 3802
4041 jsonb_le 16 f i t f 3802 3802
4042 jsonb_ge 16 f i t f 3802 3802
4043 jsonb_eq 16 f i t f 3802 3802
4044 jsonb_cmp 23 f i t f 3802 3802
4045 jsonb_hash 23 f i t f 3802
4046 jsonb_contains 16 f i t f 3802 3802
4047 jsonb_exists 16 f i t f 3802 25
4048 jsonb_exists_any 16 f i t f 3802 1009
4049 jsonb_exists_all 16 f i t f 3802 1009
4050 jsonb_contained 16 f i t f 3802 3802
4051 array_agg_array_transfn 2281 f i f f 2281 2277
4052 array_agg_array_finalfn 2277 f i f f 2281 2277
4053 array_agg 2277 a i f f 2277
4057 range_merge 3831 f i t f 3831 3831
4063 inet_merge 650 f i t f 869 869
4067 bound_box 603 f i t f 603 603
4071 inet_same_family 16 f i t f 869 869
4083 binary_upgrade_set_record_init_privs 2278 f v t f 16
4084 regnamespacein 4089 f s t f 2275
4085 regnamespaceout 2275 f s t f 4089
4086 to_regnamespace 4089 f s t f 25
4087 regnamespacerecv 4089 f i t f 2281
4088 regnamespacesend 17 f i t f 4089
4091 box 603 f i t f 600
4092 regroleout 2275 f s t f 4096
4093 to_regrole 4096 f s t f 25
4094 regrolerecv 4096 f i t f 2281
4095 regrolesend 17 f i t f 4096
4098 regrolein 4096 f s t f 2275
4099 pg_rotate_logfile_old 16 f v t f
4100 pg_read_file_old 25 f v t f 25 20 20
4101 binary_upgrade_set_missing_value 2278 f v t f 26 25 25
4105 brin_inclusion_opcinfo 2281 f i t f 2281
4106 brin_inclusion_add_value 16 f i t f 2281 2281 2281 2281
4107 brin_inclusion_consistent 16 f i t f 2281 2281 2281
4108 brin_inclusion_union 16 f i t f 2281 2281 2281
4110 macaddr8_in 774 f i t f 2275
4111 macaddr8_out 2275 f i t f 774
4112 trunc 774 f i t f 774
4113 macaddr8_eq 16 f i t f 774 774
4114 macaddr8_lt 16 f i t f 774 774
4115 macaddr8_le 16 f i t f 774 774
4116 macaddr8_gt 16 f i t f 774 774
4117 macaddr8_ge 16 f i t f 774 774
4118 macaddr8_ne 16 f i t f 774 774
4119 macaddr8_cmp 23 f i t f 774 774
4120 macaddr8_not 774 f i t f 774
4121 macaddr8_and 774 f i t f 774 774
4122 macaddr8_or 774 f i t f 774 774
4123 macaddr8 774 f i t f 829
4124 macaddr 829 f i t f 774
4125 macaddr8_set7bit 774 f i t f 774
4126 in_range 16 f i t f 20 20 20 16 16
4127 in_range 16 f i t f 23 23 20 16 16
4128 in_range 16 f i t f 23 23 23 16 16
4129 in_range 16 f i t f 23 23 21 16 16
4130 in_range 16 f i t f 21 21 20 16 16
4131 in_range 16 f i t f 21 21 23 16 16
4132 in_range 16 f i t f 21 21 21 16 16
4133 in_range 16 f i t f 1082 1082 1186 16 16
4134 in_range 16 f i t f 1114 1114 1186 16 16
4135 in_range 16 f s t f 1184 1184 1186 16 16
4136 in_range 16 f i t f 1186 1186 1186 16 16
4137 in_range 16 f i t f 1083 1083 1186 16 16
4138 in_range 16 f i t f 1266 1266 1186 16 16
4139 in_range 16 f i t f 701 701 701 16 16
4140 in_range 16 f i t f 700 700 701 16 16
4141 in_range 16 f i t f 1700 1700 1700 16 16
4187 pg_lsn_larger 3220 f i t f 3220 3220
4188 pg_lsn_smaller 3220 f i t f 3220 3220
4189 max 3220 a i f f 3220
4190 min 3220 a i f f 3220
4193 regcollationin 4191 f s t f 2275
4194 regcollationout 2275 f s t f 4191
4195 to_regcollation 4191 f s t f 25
4196 regcollationrecv 4191 f i t f 2281
4197 regcollationsend 17 f i t f 4191
4201 ts_headline 3802 f i t f 3734 3802 3615 25
4202 ts_headline 3802 f i t f 3734 3802 3615
4203 ts_headline 3802 f s t f 3802 3615 25
4204 ts_headline 3802 f s t f 3802 3615
4205 ts_headline 114 f i t f 3734 114 3615 25
4206 ts_headline 114 f i t f 3734 114 3615
4207 ts_headline 114 f s t f 114 3615 25
4208 ts_headline 114 f s t f 114 3615
4209 to_tsvector 3614 f s t f 3802
4210 to_tsvector 3614 f s t f 114
4211 to_tsvector 3614 f i t f 3734 3802
4212 to_tsvector 3614 f i t f 3734 114
4213 jsonb_to_tsvector 3614 f s t f 3802 3802
4214 jsonb_to_tsvector 3614 f i t f 3734 3802 3802
4215 json_to_tsvector 3614 f s t f 114 3802
4216 json_to_tsvector 3614 f i t f 3734 114 3802
4220 pg_copy_physical_replication_slot 2249 f v t f 19 19 16
4221 pg_copy_physical_replication_slot 2249 f v t f 19 19
4222 pg_copy_logical_replication_slot 2249 f v t f 19 19 16 19
4223 pg_copy_logical_replication_slot 2249 f v t f 19 19 16
4224 pg_copy_logical_replication_slot 2249 f v t f 19 19
4226 anycompatiblemultirange_in 4538 f s t f 2275 26 23
4227 anycompatiblemultirange_out 2275 f s t f 4538
4228 range_merge 3831 f i t f 4537
4229 anymultirange_in 4537 f s t f 2275 26 23
4230 anymultirange_out 2275 f s t f 4537
4231 multirange_in 4537 f s t f 2275 26 23
4232 multirange_out 2275 f s t f 4537
4233 multirange_recv 4537 f s t f 2281 26 23
4234 multirange_send 17 f s t f 4537
4235 lower 2283 f i t f 4537
4236 upper 2283 f i t f 4537
4237 isempty 16 f i t f 4537
4238 lower_inc 16 f i t f 4537
4239 upper_inc 16 f i t f 4537
4240 lower_inf 16 f i t f 4537
4241 upper_inf 16 f i t f 4537
4242 multirange_typanalyze 16 f s t f 2281
4243 multirangesel 701 f s t f 2281 26 2281 23
4244 multirange_eq 16 f i t f 4537 4537
4245 multirange_ne 16 f i t f 4537 4537
4246 range_overlaps_multirange 16 f i t f 3831 4537
4247 multirange_overlaps_range 16 f i t f 4537 3831
4248 multirange_overlaps_multirange 16 f i t f 4537 4537
4249 multirange_contains_elem 16 f i t f 4537 2283
4250 multirange_contains_range 16 f i t f 4537 3831
4251 multirange_contains_multirange 16 f i t f 4537 4537
4252 elem_contained_by_multirange 16 f i t f 2283 4537
4253 range_contained_by_multirange 16 f i t f 3831 4537
4254 multirange_contained_by_multirange 16 f i t f 4537 4537
4255 range_adjacent_multirange 16 f i t f 3831 4537
4256 multirange_adjacent_multirange 16 f i t f 4537 4537
4257 multirange_adjacent_range 16 f i t f 4537 3831
4258 range_before_multirange 16 f i t f 3831 4537
4259 multirange_before_range 16 f i t f 4537 3831
4260 multirange_before_multirange 16 f i t f 4537 4537
4261 range_after_multirange 16 f i t f 3831 4537
4262 multirange_after_range 16 f i t f 4537 3831
4263 multirange_after_multirange 16 f i t f 4537 4537
4264 range_overleft_multirange 16 f i t f 3831 4537
4265 multirange_overleft_range 16 f i t f 4537 3831
4266 multirange_overleft_multirange 16 f i t f 4537 4537
4267 range_overright_multirange 16 f i t f 3831 4537
4268 multirange_overright_range 16 f i t f 4537 3831
4269 multirange_overright_multirange 16 f i t f 4537 4537
4270 multirange_union 4537 f i t f 4537 4537
4271 multirange_minus 4537 f i t f 4537 4537
4272 multirange_intersect 4537 f i t f 4537 4537
4273 multirange_cmp 23 f i t f 4537 4537
4274 multirange_lt 16 f i t f 4537 4537
4275 multirange_le 16 f i t f 4537 4537
4276 multirange_ge 16 f i t f 4537 4537
4277 multirange_gt 16 f i t f 4537 4537
4278 hash_multirange 23 f i t f 4537
4279 hash_multirange_extended 20 f i t f 4537 20
4280 int4multirange 4451 f i t f
4281 int4multirange 4451 f i t f 3904
4282 int4multirange 4451 f i t f 3905
4283 nummultirange 4532 f i t f
4284 nummultirange 4532 f i t f 3906
4285 nummultirange 4532 f i t f 3907
4286 tsmultirange 4533 f i t f
4287 tsmultirange 4533 f i t f 3908
4288 tsmultirange 4533 f i t f 3909
4289 tstzmultirange 4534 f i t f
4290 tstzmultirange 4534 f i t f 3910
4291 tstzmultirange 4534 f i t f 3911
4292 datemultirange 4535 f i t f
4293 datemultirange 4535 f i t f 3912
4294 datemultirange 4535 f i t f 3913
4295 int8multirange 4536 f i t f
4296 int8multirange 4536 f i t f 3926
4297 int8multirange 4536 f i t f 3927
4298 multirange 4537 f i t f 3831
4299 range_agg_transfn 2281 f i f f 2281 3831
4300 range_agg_finalfn 4537 f i f f 2281 3831
4301 range_agg 4537 a i f f 3831
4302 koi8r_to_mic 23 f i t f 23 23 2275 2281 23 16
4303 mic_to_koi8r 23 f i t f 23 23 2275 2281 23 16
4304 iso_to_mic 23 f i t f 23 23 2275 2281 23 16
4305 mic_to_iso 23 f i t f 23 23 2275 2281 23 16
4306 win1251_to_mic 23 f i t f 23 23 2275 2281 23 16
4307 mic_to_win1251 23 f i t f 23 23 2275 2281 23 16
4308 win866_to_mic 23 f i t f 23 23 2275 2281 23 16
4309 mic_to_win866 23 f i t f 23 23 2275 2281 23 16
4310 koi8r_to_win1251 23 f i t f 23 23 2275 2281 23 16
4311 win1251_to_koi8r 23 f i t f 23 23 2275 2281 23 16
4312 koi8r_to_win866 23 f i t f 23 23 2275 2281 23 16
4313 win866_to_koi8r 23 f i t f 23 23 2275 2281 23 16
4314 win866_to_win1251 23 f i t f 23 23 2275 2281 23 16
4315 win1251_to_win866 23 f i t f 23 23 2275 2281 23 16
4316 iso_to_koi8r 23 f i t f 23 23 2275 2281 23 16
4317 koi8r_to_iso 23 f i t f 23 23 2275 2281 23 16
4318 iso_to_win1251 23 f i t f 23 23 2275 2281 23 16
4319 win1251_to_iso 23 f i t f 23 23 2275 2281 23 16
4320 iso_to_win866 23 f i t f 23 23 2275 2281 23 16
4321 win866_to_iso 23 f i t f 23 23 2275 2281 23 16
4322 euc_cn_to_mic 23 f i t f 23 23 2275 2281 23 16
4323 mic_to_euc_cn 23 f i t f 23 23 2275 2281 23 16
4324 euc_jp_to_sjis 23 f i t f 23 23 2275 2281 23 16
4325 sjis_to_euc_jp 23 f i t f 23 23 2275 2281 23 16
4326 euc_jp_to_mic 23 f i t f 23 23 2275 2281 23 16
4327 sjis_to_mic 23 f i t f 23 23 2275 2281 23 16
4328 mic_to_euc_jp 23 f i t f 23 23 2275 2281 23 16
4329 mic_to_sjis 23 f i t f 23 23 2275 2281 23 16
4330 euc_kr_to_mic 23 f i t f 23 23 2275 2281 23 16
4331 mic_to_euc_kr 23 f i t f 23 23 2275 2281 23 16
4332 euc_tw_to_big5 23 f i t f 23 23 2275 2281 23 16
4333 big5_to_euc_tw 23 f i t f 23 23 2275 2281 23 16
4334 euc_tw_to_mic 23 f i t f 23 23 2275 2281 23 16
4335 big5_to_mic 23 f i t f 23 23 2275 2281 23 16
4336 mic_to_euc_tw 23 f i t f 23 23 2275 2281 23 16
4337 mic_to_big5 23 f i t f 23 23 2275 2281 23 16
4338 latin2_to_mic 23 f i t f 23 23 2275 2281 23 16
4339 mic_to_latin2 23 f i t f 23 23 2275 2281 23 16
4340 win1250_to_mic 23 f i t f 23 23 2275 2281 23 16
4341 mic_to_win1250 23 f i t f 23 23 2275 2281 23 16
4342 latin2_to_win1250 23 f i t f 23 23 2275 2281 23 16
4343 win1250_to_latin2 23 f i t f 23 23 2275 2281 23 16
4344 latin1_to_mic 23 f i t f 23 23 2275 2281 23 16
4345 mic_to_latin1 23 f i t f 23 23 2275 2281 23 16
4346 latin3_to_mic 23 f i t f 23 23 2275 2281 23 16
4347 mic_to_latin3 23 f i t f 23 23 2275 2281 23 16
4348 latin4_to_mic 23 f i t f 23 23 2275 2281 23 16
4349 mic_to_latin4 23 f i t f 23 23 2275 2281 23 16
4350 normalize 25 f i t f 25 25
4351 is_normalized 16 f i t f 25 25
4352 big5_to_utf8 23 f i t f 23 23 2275 2281 23 16
4353 utf8_to_big5 23 f i t f 23 23 2275 2281 23 16
4354 utf8_to_koi8r 23 f i t f 23 23 2275 2281 23 16
4355 koi8r_to_utf8 23 f i t f 23 23 2275 2281 23 16
4356 utf8_to_koi8u 23 f i t f 23 23 2275 2281 23 16
4357 koi8u_to_utf8 23 f i t f 23 23 2275 2281 23 16
4358 utf8_to_win 23 f i t f 23 23 2275 2281 23 16
4359 win_to_utf8 23 f i t f 23 23 2275 2281 23 16
4360 euc_cn_to_utf8 23 f i t f 23 23 2275 2281 23 16
4361 utf8_to_euc_cn 23 f i t f 23 23 2275 2281 23 16
4362 euc_jp_to_utf8 23 f i t f 23 23 2275 2281 23 16
4363 utf8_to_euc_jp 23 f i t f 23 23 2275 2281 23 16
4364 euc_kr_to_utf8 23 f i t f 23 23 2275 2281 23 16
4365 utf8_to_euc_kr 23 f i t f 23 23 2275 2281 23 16
4366 euc_tw_to_utf8 23 f i t f 23 23 2275 2281 23 16
4367 utf8_to_euc_tw 23 f i t f 23 23 2275 2281 23 16
4368 gb18030_to_utf8 23 f i t f 23 23 2275 2281 23 16
4369 utf8_to_gb18030 23 f i t f 23 23 2275 2281 23 16
4370 gbk_to_utf8 23 f i t f 23 23 2275 2281 23 16
4371 utf8_to_gbk 23 f i t f 23 23 2275 2281 23 16
4372 utf8_to_iso8859 23 f i t f 23 23 2275 2281 23 16
4373 iso8859_to_utf8 23 f i t f 23 23 2275 2281 23 16
4374 iso8859_1_to_utf8 23 f i t f 23 23 2275 2281 23 16
4375 utf8_to_iso8859_1 23 f i t f 23 23 2275 2281 23 16
4376 johab_to_utf8 23 f i t f 23 23 2275 2281 23 16
4377 utf8_to_johab 23 f i t f 23 23 2275 2281 23 16
4378 sjis_to_utf8 23 f i t f 23 23 2275 2281 23 16
4379 utf8_to_sjis 23 f i t f 23 23 2275 2281 23 16
4380 uhc_to_utf8 23 f i t f 23 23 2275 2281 23 16
4381 utf8_to_uhc 23 f i t f 23 23 2275 2281 23 16
4382 euc_jis_2004_to_utf8 23 f i t f 23 23 2275 2281 23 16
4383 utf8_to_euc_jis_2004 23 f i t f 23 23 2275 2281 23 16
4384 shift_jis_2004_to_utf8 23 f i t f 23 23 2275 2281 23 16
4385 utf8_to_shift_jis_2004 23 f i t f 23 23 2275 2281 23 16
4386 euc_jis_2004_to_shift_jis_2004 23 f i t f 23 23 2275 2281 23 16
4387 shift_jis_2004_to_euc_jis_2004 23 f i t f 23 23 2275 2281 23 16
4388 multirange_intersect_agg_transfn 4537 f i t f 4537 4537
4389 range_intersect_agg 4537 a i f f 4537
4390 binary_upgrade_set_next_multirange_pg_type_oid 2278 f v t f 26
4391 binary_upgrade_set_next_multirange_array_pg_type_oid 2278 f v t f 26
4401 range_intersect_agg_transfn 3831 f i t f 3831 3831
4450 range_intersect_agg 3831 a i f f 3831
4541 range_contains_multirange 16 f i t f 3831 4537
4542 multirange_contained_by_range 16 f i t f 4537 3831
4543 pg_log_backend_memory_contexts 16 f v t f 23
4545 binary_upgrade_set_next_heap_relfilenode 2278 f v t f 26
4546 binary_upgrade_set_next_index_relfilenode 2278 f v t f 26
4547 binary_upgrade_set_next_toast_relfilenode 2278 f v t f 26
4548 binary_upgrade_set_next_pg_tablespace_oid 2278 f v t f 26
4566 pg_event_trigger_table_rewrite_oid 26 f s t f
4567 pg_event_trigger_table_rewrite_reason 23 f s t f
4568 pg_event_trigger_ddl_commands 2249 f s t t
4591 brin_bloom_opcinfo 2281 f i t f 2281
4592 brin_bloom_add_value 16 f i t f 2281 2281 2281 2281
4593 brin_bloom_consistent 16 f i t f 2281 2281 2281 23
4594 brin_bloom_union 16 f i t f 2281 2281 2281
4595 brin_bloom_options 2278 f i f f 2281
4596 brin_bloom_summary_in 4600 f i t f 2275
4597 brin_bloom_summary_out 2275 f i t f 4600
4598 brin_bloom_summary_recv 4600 f s t f 2281
4599 brin_bloom_summary_send 17 f s t f 4600
4616 brin_minmax_multi_opcinfo 2281 f i t f 2281
4617 brin_minmax_multi_add_value 16 f i t f 2281 2281 2281 2281
4618 brin_minmax_multi_consistent 16 f i t f 2281 2281 2281 23
4619 brin_minmax_multi_union 16 f i t f 2281 2281 2281
4620 brin_minmax_multi_options 2278 f i f f 2281
4621 brin_minmax_multi_distance_int2 701 f i t f 2281 2281
4622 brin_minmax_multi_distance_int4 701 f i t f 2281 2281
4623 brin_minmax_multi_distance_int8 701 f i t f 2281 2281
4624 brin_minmax_multi_distance_float4 701 f i t f 2281 2281
4625 brin_minmax_multi_distance_float8 701 f i t f 2281 2281
4626 brin_minmax_multi_distance_numeric 701 f i t f 2281 2281
4627 brin_minmax_multi_distance_tid 701 f i t f 2281 2281
4628 brin_minmax_multi_distance_uuid 701 f i t f 2281 2281
4629 brin_minmax_multi_distance_date 701 f i t f 2281 2281
4630 brin_minmax_multi_distance_time 701 f i t f 2281 2281
4631 brin_minmax_multi_distance_interval 701 f i t f 2281 2281
4632 brin_minmax_multi_distance_timetz 701 f i t f 2281 2281
4633 brin_minmax_multi_distance_pg_lsn 701 f i t f 2281 2281
4634 brin_minmax_multi_distance_macaddr 701 f i t f 2281 2281
4635 brin_minmax_multi_distance_macaddr8 701 f i t f 2281 2281
4636 brin_minmax_multi_distance_inet 701 f i t f 2281 2281
4637 brin_minmax_multi_distance_timestamp 701 f i t f 2281 2281
4638 brin_minmax_multi_summary_in 4601 f i t f 2275
4639 brin_minmax_multi_summary_out 2275 f i t f 4601
4640 brin_minmax_multi_summary_recv 4601 f s t f 2281
4641 brin_minmax_multi_summary_send 17 f s t f 4601
5001 phraseto_tsquery 3615 f s t f 25
5003 tsquery_phrase 3615 f i t f 3615 3615
5004 tsquery_phrase 3615 f i t f 3615 3615 23
5006 phraseto_tsquery 3615 f i t f 3734 25
5007 websearch_to_tsquery 3615 f i t f 3734 25
5009 websearch_to_tsquery 3615 f s t f 25
5010 spg_bbox_quad_config 2278 f i t f 2281 2281
5011 spg_poly_quad_compress 603 f i t f 604
5012 spg_box_quad_config 2278 f i t f 2281 2281
5013 spg_box_quad_choose 2278 f i t f 2281 2281
5014 spg_box_quad_picksplit 2278 f i t f 2281 2281
5015 spg_box_quad_inner_consistent 2278 f i t f 2281 2281
5016 spg_box_quad_leaf_consistent 16 f i t f 2281 2281
5018 pg_mcv_list_in 5017 f i t f 2275
5019 pg_mcv_list_out 2275 f i t f 5017
5020 pg_mcv_list_recv 5017 f s t f 2281
5021 pg_mcv_list_send 17 f s t f 5017
5022 pg_lsn_pli 3220 f i t f 3220 1700
5023 numeric_pl_pg_lsn 3220 f i t f 1700 3220
5024 pg_lsn_mii 3220 f i t f 3220 1700
5028 satisfies_hash_partition 16 f i f f 26 23 23 2276
5029 pg_ls_tmpdir 2249 f v t t
5030 pg_ls_tmpdir 2249 f v t t 26
5031 pg_ls_archive_statusdir 2249 f v t t
5033 network_sortsupport 2278 f i t f 2281
5034 xid8lt 16 f i t f 5069 5069
5035 xid8gt 16 f i t f 5069 5069
5036 xid8le 16 f i t f 5069 5069
5037 xid8ge 16 f i t f 5069 5069
5040 matchingsel 701 f s t f 2281 26 2281 23
5041 matchingjoinsel 701 f s t f 2281 26 2281 21 2281
5042 min_scale 23 f i t f 1700
5043 trim_scale 1700 f i t f 1700
5044 gcd 23 f i t f 23 23
5045 gcd 20 f i t f 20 20
5046 lcm 23 f i t f 23 23
5047 lcm 20 f i t f 20 20
5048 gcd 1700 f i t f 1700 1700
5049 lcm 1700 f i t f 1700 1700
5050 btvarstrequalimage 16 f i t f 26
5051 btequalimage 16 f i t f 26
5052 pg_get_shmem_allocations 2249 f v t t
5053 pg_stat_get_ins_since_vacuum 20 f s t f 26
5054 jsonb_set_lax 3802 f i f f 3802 1009 3802 16 25
5055 pg_snapshot_in 5038 f i t f 2275
5056 pg_snapshot_out 2275 f i t f 5038
5057 pg_snapshot_recv 5038 f i t f 2281
5058 pg_snapshot_send 17 f i t f 5038
5059 pg_current_xact_id 5069 f s t f
5060 pg_current_xact_id_if_assigned 5069 f s t f
5061 pg_current_snapshot 5038 f s t f
5062 pg_snapshot_xmin 5069 f i t f 5038
5063 pg_snapshot_xmax 5069 f i t f 5038
5064 pg_snapshot_xip 5069 f i t t 5038
5065 pg_visible_in_snapshot 16 f i t f 5069 5038
5066 pg_xact_status 25 f v t f 5069
5070 xid8in 5069 f i t f 2275
5071 xid 28 f i t f 5069
5081 xid8out 2275 f i t f 5069
5082 xid8recv 5069 f i t f 2281
5083 xid8send 17 f i t f 5069
5084 xid8eq 16 f i t f 5069 5069
5085 xid8ne 16 f i t f 5069 5069
5086 anycompatible_in 5077 f i t f 2275
5087 anycompatible_out 2275 f i t f 5077
5088 anycompatiblearray_in 5078 f i t f 2275
5089 anycompatiblearray_out 2275 f s t f 5078
5090 anycompatiblearray_recv 5078 f s t f 2281
5091 anycompatiblearray_send 17 f s t f 5078
5092 anycompatiblenonarray_in 5079 f i t f 2275
5093 anycompatiblenonarray_out 2275 f i t f 5079
5094 anycompatiblerange_in 5080 f s t f 2275 26 23
5095 anycompatiblerange_out 2275 f s t f 5080
5096 xid8cmp 23 f i t f 5069 5069
5097 xid8_larger 5069 f i t f 5069 5069
5098 xid8_smaller 5069 f i t f 5069 5069
5099 max 5069 a i f f 5069
5100 min 5069 a i f f 5069
6003 pg_replication_origin_create 26 f v t f 25
6004 pg_replication_origin_drop 2278 f v t f 25
6005 pg_replication_origin_oid 26 f s t f 25
6006 pg_replication_origin_session_setup 2278 f v t f 25
6007 pg_replication_origin_session_reset 2278 f v t f
6008 pg_replication_origin_session_is_setup 16 f v t f
6009 pg_replication_origin_session_progress 3220 f v t f 16
6010 pg_replication_origin_xact_setup 2278 f v t f 3220 1184
6011 pg_replication_origin_xact_reset 2278 f v t f
6012 pg_replication_origin_advance 2278 f v t f 25 3220
6013 pg_replication_origin_progress 3220 f v t f 25 16
6014 pg_show_replication_origin_status 2249 f v f t
6098 jsonb_subscript_handler 2281 f i t f 2281
6103 pg_lsn 3220 f i t f 1700
6118 pg_stat_get_subscription 2249 f s f t 26
6119 pg_get_publication_tables 2249 f s t t 25
6120 pg_get_replica_identity_index 2205 f s t f 2205
6121 pg_relation_is_publishable 16 f s t f 2205
6154 multirange_gist_consistent 16 f i t f 2281 4537 21 26 2281
6156 multirange_gist_compress 2281 f i t f 2281
6159 pg_get_catalog_foreign_keys 2249 f s t t
6160 string_to_table 25 f i f t 25 25
6161 string_to_table 25 f i f t 25 25 25
6162 bit_count 20 f i t f 1560
6163 bit_count 20 f i t f 17
6164 bit_xor 21 a i f f 21
6165 bit_xor 23 a i f f 23
6166 bit_xor 20 a i f f 20
6167 bit_xor 1560 a i f f 1560
6168 pg_xact_commit_timestamp_origin 2249 f v t f 28
6169 pg_stat_get_replication_slot 2249 f s t f 25
6170 pg_stat_reset_replication_slot 2278 f v f f 25
6172 trim_array 2277 f i t f 2277 23
6173 pg_get_statisticsobjdef_expressions 1009 f s t f 26
6174 pg_get_statisticsobjdef_columns 25 f s t f 26
6177 date_bin 1114 f i t f 1186 1114 1114
6178 date_bin 1184 f i t f 1186 1184 1184
6179 array_subscript_handler 2281 f i t f 2281
6180 raw_array_subscript_handler 2281 f i t f 2281
6183 ts_debug 2249 f s t t 3734 25
6184 ts_debug 2249 f s t t 25
6185 pg_stat_get_db_session_time 701 f s t f 26
6186 pg_stat_get_db_active_time 701 f s t f 26
6187 pg_stat_get_db_idle_in_transaction_time 701 f s t f 26
6188 pg_stat_get_db_sessions 20 f s t f 26
6189 pg_stat_get_db_sessions_abandoned 20 f s t f 26
6190 pg_stat_get_db_sessions_fatal 20 f s t f 26
6191 pg_stat_get_db_sessions_killed 20 f s t f 26
6192 hash_record 23 f i t f 2249
6193 hash_record_extended 20 f i t f 2249 20
6195 ltrim 17 f i t f 17 17
6196 rtrim 17 f i t f 17 17
6197 pg_get_function_sqlbody 25 f s t f 26
6198 unistr 25 f i t f 25
6199 extract 1700 f i t f 25 1082
6200 extract 1700 f i t f 25 1083
6201 extract 1700 f i t f 25 1266
6202 extract 1700 f i t f 25 1114
6203 extract 1700 f s t f 25 1184
6204 extract 1700 f i t f 25 1186
6205 has_parameter_privilege 16 f s t f 19 25 25
6206 has_parameter_privilege 16 f s t f 26 25 25
6207 has_parameter_privilege 16 f s t f 25 25
6224 pg_get_wal_resource_managers 2249 f v t t
6225 multirange_agg_transfn 2281 f i f f 2281 4537
6226 multirange_agg_finalfn 4537 f i f f 2281 4537
6227 range_agg 4537 a i f f 4537
6230 pg_stat_have_stats 16 f v t f 25 26 26
6231 pg_stat_get_subscription_stats 2249 f s t f 26
6232 pg_stat_reset_subscription_stats 2278 f v f f 26
6233 window_row_number_support 2281 f i t f 2281
6234 window_rank_support 2281 f i t f 2281
6235 window_dense_rank_support 2281 f i t f 2281
6236 int8inc_support 2281 f i t f 2281
6240 pg_settings_get_flags 1009 f s t f 25
6241 pg_stop_making_pinned_objects 2278 f v t f
6242 text_starts_with_support 2281 f i t f 2281
6248 pg_stat_get_recovery_prefetch 2249 f v t t
6249 pg_database_collation_actual_version 25 f v t f 26
6250 pg_ident_file_mappings 2249 f v t t
6251 regexp_replace 25 f i t f 25 25 25 23 23 25
6252 regexp_replace 25 f i t f 25 25 25 23 23
6253 regexp_replace 25 f i t f 25 25 25 23
6254 regexp_count 23 f i t f 25 25
6255 regexp_count 23 f i t f 25 25 23
6256 regexp_count 23 f i t f 25 25 23 25
6257 regexp_instr 23 f i t f 25 25
6258 regexp_instr 23 f i t f 25 25 23
6259 regexp_instr 23 f i t f 25 25 23 23
6260 regexp_instr 23 f i t f 25 25 23 23 23
6261 regexp_instr 23 f i t f 25 25 23 23 23 25
6262 regexp_instr 23 f i t f 25 25 23 23 23 25 23
6263 regexp_like 16 f i t f 25 25
6264 regexp_like 16 f i t f 25 25 25
6265 regexp_substr 25 f i t f 25 25
6266 regexp_substr 25 f i t f 25 25 23
6267 regexp_substr 25 f i t f 25 25 23 23
6268 regexp_substr 25 f i t f 25 25 23 23 25
6269 regexp_substr 25 f i t f 25 25 23 23 25 23
6270 pg_ls_logicalsnapdir 2249 f v t t
6271 pg_ls_logicalmapdir 2249 f v t t
6272 pg_ls_replslotdir 2249 f v t t 25
13148 dsnowball_init 2281 f v t f 2281
13149 dsnowball_lexize 2281 f v t f 2281 2281 2281 2281
13560 plpgsql_call_handler 2280 f v f f
13561 plpgsql_inline_handler 2278 f v t f 2281
13562 plpgsql_validator 2278 f v t f 26`;

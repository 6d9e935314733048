/** json(b)_agg and json(b)_object_agg with their strict and unique forms. Manual, section 9.21. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { quoteJson } from '../../types/json-string.ts';
import { type JsonNode, makeObject } from '../../types/json-tree.ts';
import { jsonbOf } from '../../types/jsonb.ts';
import type { Value } from '../../types/value.ts';
import { type AggregateFunction, type Call, type FunctionModule, defineAggregate } from '../define.ts';
import { type ReadTree, type Render, keyTextOf, kindOfType, rendererOf, treeReaderOf } from './json-render.ts';

interface ListState {
  readonly call: Call;
  readonly render: Render;
  /** Rows and arrays after the first item start on a new line. */
  readonly structured: boolean;
  /** Texts of items; they are joined from time to time, since a concatenated string references all of its parts. */
  parts: string[] | null;
  whole: string[] | null;
}

interface TreeListState {
  readonly call: Call;
  readonly read: ReadTree;
  nodes: JsonNode[] | null;
}

interface ObjectState<Member> {
  readonly call: Call;
  readonly keyText: (value: Value, env: Call['env']) => string;
  readonly make: (value: Value, env: Call['env']) => Member;
  readonly seen: Set<string> | null;
  nullKey(): SvcError;
  sameKey(key: string): SvcError;
  keys: string[];
  members: Member[];
  any: boolean;
}

const PARTS_MAX = 256;

function jsonAgg(name: string, absent: boolean): AggregateFunction<ListState> {
  return defineAggregate<ListState>({
    name,
    args: ['anyelement'],
    returns: 'json',
    doc: `The values as a JSON array${absent ? ', without nulls' : ''}.`,
    init: (call) => {
      const kind = kindOfType(call.argTypes[0]);
      return { call, render: rendererOf(call.argTypes[0]), structured: kind === 'array' || kind === 'record', parts: null, whole: null };
    },
    step: (state, value: Value) => {
      const parts = (state.parts ??= []);
      if (value === null && absent) return state;
      const text = state.render(value, state.call.env);
      parts.push(state.structured && value !== null && (parts.length > 0 || state.whole !== null) ? `\n ${text}` : text);
      if (parts.length >= PARTS_MAX) {
        (state.whole ??= []).push(parts.join(', '));
        parts.length = 0;
      }
      return state;
    },
    finish: ({ parts, whole }) => (parts === null ? null : `[${[...(whole ?? []), ...(parts.length > 0 ? [parts.join(', ')] : [])].join(', ')}]`),
  });
}

function jsonbAgg(name: string, absent: boolean): AggregateFunction<TreeListState> {
  return defineAggregate<TreeListState>({
    name,
    args: ['anyelement'],
    returns: 'jsonb',
    doc: `The values as a JSON array${absent ? ', without nulls' : ''}.`,
    init: (call) => ({ call, read: treeReaderOf(call.argTypes[0]), nodes: null }),
    step: (state, value: Value) => {
      const nodes = (state.nodes ??= []);
      if (value !== null || !absent) nodes.push(state.read(value, state.call.env));
      return state;
    },
    finish: ({ nodes }) => (nodes === null ? null : jsonbOf(nodes.slice())),
  });
}

function addMember<Member>(state: ObjectState<Member>, key: Value, value: Value, absent: boolean): ObjectState<Member> {
  if (key === null) throw state.nullKey();
  state.any = true;
  const skipped = absent && value === null;
  if (skipped && state.seen === null) return state;
  const text = state.keyText(key, state.call.env);
  if (state.seen !== null) {
    if (state.seen.has(text)) throw state.sameKey(text);
    state.seen.add(text);
  }
  if (skipped) return state;
  state.keys.push(text);
  state.members.push(state.make(value, state.call.env));
  return state;
}

function objectDoc(absent: boolean, unique: boolean): string {
  return `Keys and values as a JSON object${absent ? ', without null values' : ''}${unique ? '; a key that comes twice is an error' : ''}.`;
}

function jsonObjectAgg(name: string, absent: boolean, unique: boolean): AggregateFunction<ObjectState<string>> {
  return defineAggregate<ObjectState<string>>({
    name,
    args: ['any', 'any'],
    argNames: ['key', 'value'],
    returns: 'json',
    doc: objectDoc(absent, unique),
    init: (call) => ({
      call,
      keyText: keyTextOf(call.argTypes[0]),
      make: rendererOf(call.argTypes[1]),
      seen: unique ? new Set() : null,
      nullKey: () => new SvcError('22023', 'field name must not be null'),
      sameKey: (key) => new SvcError('22030', `duplicate JSON object key value: ${quoteJson(key)}`),
      keys: [],
      members: [],
      any: false,
    }),
    step: (state, key: Value, value: Value) => addMember(state, key, value, absent),
    finish: ({ any, keys, members }) => (any ? `{ ${keys.map((key, i) => `${quoteJson(key)} : ${members[i]}`).join(', ')} }` : null),
  });
}

function jsonbObjectAgg(name: string, absent: boolean, unique: boolean): AggregateFunction<ObjectState<JsonNode>> {
  return defineAggregate<ObjectState<JsonNode>>({
    name,
    args: ['any', 'any'],
    argNames: ['key', 'value'],
    returns: 'jsonb',
    doc: objectDoc(absent, unique),
    init: (call) => ({
      call,
      keyText: keyTextOf(call.argTypes[0]),
      make: treeReaderOf(call.argTypes[1]),
      seen: unique ? new Set() : null,
      nullKey: () => new SvcError('22023', 'field name must not be null'),
      sameKey: () => new SvcError('22030', 'duplicate JSON object key value'),
      keys: [],
      members: [],
      any: false,
    }),
    step: (state, key: Value, value: Value) => addMember(state, key, value, absent),
    // Copies, since a window function continues to add.
    finish: ({ any, keys, members }) => (any ? jsonbOf(makeObject(keys.slice(), members.slice())) : null),
  });
}

export const JSON_AGGREGATES: FunctionModule = {
  functions: [
    jsonAgg('json_agg', false),
    jsonAgg('json_agg_strict', true),
    jsonbAgg('jsonb_agg', false),
    jsonbAgg('jsonb_agg_strict', true),
    jsonObjectAgg('json_object_agg', false, false),
    jsonObjectAgg('json_object_agg_strict', true, false),
    jsonObjectAgg('json_object_agg_unique', false, true),
    jsonObjectAgg('json_object_agg_unique_strict', true, true),
    jsonbObjectAgg('jsonb_object_agg', false, false),
    jsonbObjectAgg('jsonb_object_agg_strict', true, false),
    jsonbObjectAgg('jsonb_object_agg_unique', false, true),
    jsonbObjectAgg('jsonb_object_agg_unique_strict', true, true),
  ],
};

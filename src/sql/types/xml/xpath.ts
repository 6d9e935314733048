/** XPath 1.0 over a document (manual, section 9.15.3; xpath_internal of xml.c). */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { withLibxml, type XmlWork } from './libxml.ts';
import { escapeXml } from './escape.ts';
import { contentOf, NODE, printNode, typeOfNode } from './nodes.ts';
import { declarationOrNone } from './declaration.ts';
import { readDocument } from './well-formed.ts';

/** The result of an expression: nodes in document order, valid during the work; or a value. */
export type XPathResult =
  | { readonly kind: 'nodes'; readonly nodes: readonly number[] }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

export type Namespaces = readonly (readonly [prefix: string, uri: string])[];

/** Of xmlXPathObject. */
const OBJECT = { type: 0, nodes: 4, boolean: 8, float: 16, string: 24 } as const;
/** Of xmlXPathContext: the error handler, and the limit on steps of an evaluation. */
const CONTEXT = { error: 132, operationLimit: 204 } as const;
/** Some seconds for one expression; longer ones are refused, because the engine cannot be stopped from outside. */
const OPERATIONS_MAX = 30_000_000;

/** Maximum length of an expression: each step is a level of the engine's recursion, on this process's stack. */
const PATH_LENGTH_MAX = 4000;

/** libxml's messages of XPath errors, which its own handler receives separately. */
function raise(work: XmlWork, message: string): never {
  const detail = work
    .takeFaults()
    .map((fault) => fault.message.replace(/\n+$/, ''))
    .join('\n');
  if (/limit|Memory allocation|Recursion/i.test(detail)) throw new SvcError('54001', 'XPath expression is too complex', { detail });
  throw new SvcError('10608', message, detail === '' ? {} : { detail });
}

export class XPathDocument {
  readonly #work: XmlWork;
  readonly #document: number;
  readonly #context: number;

  /** 2200M if it is no document. */
  constructor(work: XmlWork, text: string, namespaces: Namespaces, options = 0) {
    this.#work = work;
    const { lib } = work;
    const body = text.slice(declarationOrNone(text).length);
    const { document, detail } = readDocument(work, body, options, 'all');
    if (document === 0 || detail !== '') throw new SvcError('2200M', 'could not parse XML document', detail === '' ? {} : { detail });
    this.#document = document;
    this.#context = lib._xmlXPathNewContext(document);
    work.later(() => lib._xmlXPathFreeContext(this.#context));
    lib.HEAP32[(this.#context + CONTEXT.error) >> 2] = work.handler;
    lib.HEAP32[(this.#context + CONTEXT.operationLimit) >> 2] = OPERATIONS_MAX;
    for (const [prefix, uri] of namespaces) {
      if (lib._xmlXPathRegisterNs(this.#context, work.text(prefix).pointer, work.text(uri).pointer) !== 0) {
        throw new SvcError('10608', `could not register XML namespace with name "${prefix}" and URI "${uri}"`);
      }
    }
  }

  get root(): number {
    return this.#document;
  }

  compile(path: string): number {
    if (path.length > PATH_LENGTH_MAX)
      throw new SvcError('54001', 'XPath expression is too complex', { detail: `It has more than ${PATH_LENGTH_MAX} characters.` });
    const { lib } = this.#work;
    const compiled = lib._xmlXPathCtxtCompile(this.#context, this.#work.text(path).pointer);
    if (compiled === 0) raise(this.#work, 'invalid XPath expression');
    this.#work.later(() => lib._xmlXPathFreeCompExpr(compiled));
    return compiled;
  }

  evaluate(compiled: number, node: number): XPathResult {
    const { lib } = this.#work;
    lib._xmlXPathSetContextNode(node, this.#context);
    const object = lib._xmlXPathCompiledEval(compiled, this.#context);
    if (object === 0) raise(this.#work, 'could not create XPath object');
    this.#work.later(() => lib._xmlXPathFreeObject(object));
    const field = (offset: number): number => lib.HEAP32[(object + offset) >> 2];
    switch (field(OBJECT.type)) {
      case 1: {
        const set = field(OBJECT.nodes);
        const count = set === 0 ? 0 : lib.HEAP32[set >> 2];
        const table = set === 0 ? 0 : lib.HEAP32[(set + 8) >> 2];
        return { kind: 'nodes', nodes: [...lib.HEAP32.subarray(table >> 2, (table >> 2) + count)] };
      }
      case 2:
        return { kind: 'boolean', value: field(OBJECT.boolean) !== 0 };
      case 3:
        return { kind: 'number', value: lib.getValue(object + OBJECT.float, 'double') };
      case 4:
        return { kind: 'string', value: lib.UTF8ToString(field(OBJECT.string)) };
      default:
        throw new SvcError('0A000', 'xpath expression result type is unsupported');
    }
  }

  /** Frees what `run` allocated at once: for work row by row. */
  passing<Result>(run: () => Result): Result {
    return this.#work.within(run);
  }

  /** A node as a value of xml: elements as they are, texts and attributes escaped. */
  xmlOf(node: number): string {
    const { lib } = this.#work;
    const type = typeOfNode(lib, node);
    return type === NODE.text || type === NODE.attribute ? escapeXml(contentOf(lib, node)) : printNode(lib, node);
  }

  contentOf(node: number): string {
    return contentOf(this.#work.lib, node);
  }
}

/** Runs `use` over the document; nodes are valid until its end. */
export function withDocument<Result>(text: string, namespaces: Namespaces, use: (document: XPathDocument) => Result): Result {
  return withLibxml((work) => use(new XPathDocument(work, text, namespaces)));
}

export function evaluateXPath<Result>(
  path: string,
  text: string,
  namespaces: Namespaces,
  take: (result: XPathResult, document: XPathDocument) => Result,
): Result {
  if (path === '') throw new SvcError('22000', 'empty XPath expression');
  return withDocument(text, namespaces, (document) => take(document.evaluate(document.compile(path), document.root), document));
}

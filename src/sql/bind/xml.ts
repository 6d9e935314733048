/** SQL/XML expressions: calls of functions created for each use (transformXmlExpr and transformXmlSerialize of parse_expr.c). */
import type { Expression, XmlCall, XmlNamed, XmlSerialize } from '../ast/expression.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Call, ScalarFunction, SqlOperator } from '../functions/define.ts';
import { xmlConcat, xmlElement, xmlInstruction, xmlRoot } from '../functions/xml/constructors.ts';
import { identifierToXmlName, valueToXml, xmlNameToIdentifier } from '../functions/xml/xml-values.ts';
import type { Bound } from '../plan/bound.ts';
import type { Value } from '../types/value.ts';
import { checkXml, isXml } from '../types/xml/well-formed.ts';
import { type Binder, fail } from './binder.ts';
import { bindExpression } from './expression.ts';
import { madeCall } from './made-call.ts';
import { outputName } from './output-name.ts';
import type { Scope } from './scope.ts';
import { bindTypeName } from './type-name.ts';

/** The syntax that created functions represent. */
const WRITTEN = new WeakMap<object, (args: readonly Expression[]) => Expression>();

/** The expression with other arguments; null for functions that were not created here. */
export function xmlWritten(fn: ScalarFunction | SqlOperator, args: readonly Expression[]): Expression | null {
  return WRITTEN.get(fn)?.(args) ?? null;
}

export function bindXml(binder: Binder, expression: XmlCall | XmlSerialize, scope: Scope): Bound {
  if (expression.type === 'xmlSerialize') return bindSerialize(binder, expression, xmlArgument(binder, expression.value, scope, 'XMLSERIALIZE'));
  const { kind, args } = expression;
  const xml = (value: Expression, of: string): Bound => xmlArgument(binder, value, scope, of);
  const text = (value: Expression): Bound => binder.coercion.coerce(bindExpression(binder, value, scope), binder.type('text'), -1, 'assignment', value.at);
  const written = (given: readonly Expression[]): Expression => ({ ...expression, args: [...given] });
  switch (kind) {
    case 'element':
      return bindElement(binder, expression, scope);
    case 'forest': {
      const names = namesOf(expression.named, 'unnamed XML element value must be a column reference');
      const values = expression.named.map(({ value }) => resolvedArgument(binder, value, scope));
      const shown = (given: readonly Expression[]): Expression => ({ ...expression, named: renamed(names, given) });
      return made(binder, 'xmlforest', 'xml', values, shown, (call, ...given) => {
        const parts = given.flatMap((value, i) =>
          value === null ? [] : [`<${names[i]}>${valueToXml(value, call.argTypes[i], true, call.env)}</${names[i]}>`],
        );
        return parts.length === 0 ? null : parts.join('');
      });
    }
    case 'concat': {
      const values = args.map((arg) => xml(arg, 'XMLCONCAT'));
      return made(binder, 'xmlconcat', 'xml', values, written, (_call, ...given) => {
        const parts = given.filter((value) => value !== null) as string[];
        return parts.length === 0 ? null : xmlConcat(parts);
      });
    }
    case 'parse': {
      const { document } = expression;
      return made(binder, 'xmlparse', 'xml', [text(args[0])], written, (_call, value) => {
        if (value !== null) checkXml(value as string, document);
        return value;
      });
    }
    case 'pi': {
      const target = identifierToXmlName(expression.name ?? '', false, false);
      return made(binder, 'xmlpi', 'xml', args.map(text), written, (_call, ...texts) =>
        xmlInstruction(target, texts.length === 0 ? undefined : (texts[0] as string | null)),
      );
    }
    case 'root': {
      const { standalone } = expression;
      return made(binder, 'xmlroot', 'xml', [xml(args[0], 'XMLROOT'), text(args[1])], rootWritten(expression), (_call, value, version) =>
        value === null ? null : xmlRoot(value as string, version as string | null, standalone),
      );
    }
    case 'isDocument':
      return made(binder, 'is_document', 'bool', [xml(args[0], 'IS DOCUMENT')], written, (_call, value) =>
        value === null ? null : isXml(value as string, true),
      );
  }
}

function bindElement(binder: Binder, expression: XmlCall, scope: Scope): Bound {
  const name = identifierToXmlName(expression.name ?? '', false, false);
  const names = namesOf(expression.named, 'unnamed XML attribute value must be a column reference');
  names.forEach((each, i) => {
    if (names.indexOf(each) < i) fail('42601', `XML attribute name "${each}" appears more than once`, expression.named[i].at);
  });
  const attributes = names.length;
  const given = [...expression.named.map(({ value }) => value), ...expression.args];
  const values = given.map((value) => resolvedArgument(binder, value, scope));
  // Literals stay untyped here, and are printed so.
  const shown = (args: readonly Expression[]): Expression => {
    const all = args.map((arg, i) => (given[i].type === 'string' ? given[i] : arg));
    return { ...expression, named: renamed(names, all), args: all.slice(attributes) };
  };
  return made(binder, 'xmlelement', 'xml', values, shown, ({ env, argTypes }, ...each) => {
    const written: [string, string][] = [];
    let content: string | null = null;
    each.forEach((value, i) => {
      if (value === null) return;
      if (i < attributes) written.push([names[i], valueToXml(value, argTypes[i], false, env)]);
      else content = (content ?? '') + valueToXml(value, argTypes[i], true, env);
    });
    return xmlElement(name, written, content);
  });
}

/** VERSION NO VALUE is a null without a type. */
function rootWritten(expression: XmlCall): (args: readonly Expression[]) => Expression {
  return ([value, version]) => ({ ...expression, args: [value, expression.args[1].type === 'null' ? expression.args[1] : version] });
}

/** DOCUMENT is checked; the rest is a cast to text. */
function bindSerialize(binder: Binder, expression: XmlSerialize, xml: Bound): Bound {
  const { to, document, at } = expression;
  const { type, typmod } = bindTypeName(binder, to);
  if ((type.domain?.root ?? type).category !== 'S') fail('42846', `cannot cast XMLSERIALIZE result to ${type.title}`, at);
  const written = ([value]: readonly Expression[]): Expression => ({ ...expression, value });
  const text = made(binder, 'xmlserialize', 'text', [xml], written, (_call, value) => {
    if (value !== null && document && !isXml(value as string, true)) throw new SvcError('2200L', 'not an XML document');
    return value;
  });
  return binder.coercion.coerce(text, type, typmod, 'implicit', at);
}

function resolvedArgument(binder: Binder, value: Expression, scope: Scope): Bound {
  return binder.coercion.resolveUnknown(bindExpression(binder, value, scope), value.at);
}

function xmlArgument(binder: Binder, value: Expression, scope: Scope, of: string): Bound {
  const bound = bindExpression(binder, value, scope);
  const xml = binder.type('xml');
  const type = binder.coercion.typeOf(bound);
  if (type.name !== 'unknown' && binder.coercion.path(type, xml, 'assignment') === null) {
    fail('42804', `argument of ${of} must be type xml, not type ${type.title}`, value.at);
  }
  return binder.coercion.coerce(bound, xml, -1, 'assignment', value.at);
}

function namesOf(named: readonly XmlNamed[], unnamed: string): string[] {
  return named.map(({ name, value, at }) => {
    if (name !== null) return identifierToXmlName(name, false, false);
    if (value.type !== 'column' || value.star) fail('42601', unnamed, at);
    return identifierToXmlName(outputName(value), true, false);
  });
}

function renamed(names: readonly string[], values: readonly Expression[]): XmlNamed[] {
  return names.map((name, i) => ({ name: xmlNameToIdentifier(name), value: values[i], at: 0 }));
}

function made(
  binder: Binder,
  name: string,
  returns: string,
  args: readonly Bound[],
  written: (args: readonly Expression[]) => Expression,
  impl: (call: Call, ...values: Value[]) => Value,
): Bound {
  const call = madeCall(binder, name, returns, args, impl);
  WRITTEN.set(call.fn, written);
  return call;
}

import type { JsonObject } from '../json.ts'
import {
  isNode,
  nameOf,
  NotDefinable,
  nodesOf,
  type SourceFile,
  type SyntaxNode,
} from './syntax.ts'

/** Makes JSON Schemas of the types of one file. */
export interface TypeSchemas {
  /** Of one type; throws `NotDefinable` for what JSON Schema cannot say. */
  of(type: SyntaxNode): JsonObject
  /** The same as a document: with the definitions it refers to, and no reference at its root. */
  documentOf(type: SyntaxNode): JsonObject
}

const keywords: { readonly [type: string]: JsonObject } = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'number' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
  TSUnknownKeyword: {},
}

export function createTypeSchemas(source: SourceFile): TypeSchemas {
  const declared = declarationsOf(source)
  const definitions = new Map<string, JsonObject>()

  function of(type: SyntaxNode): JsonObject {
    const simple = keywords[type.type]
    if (simple !== undefined) return simple
    switch (type.type) {
      case 'TSParenthesizedType':
        return of(inner(type, 'typeAnnotation'))
      case 'TSTypeOperator':
        if (type['operator'] === 'readonly') return of(inner(type, 'typeAnnotation'))
        break
      case 'TSArrayType':
        return { type: 'array', items: of(inner(type, 'elementType')) }
      case 'TSTypeLiteral':
        return objectOf(nodesOf(type['members']))
      case 'TSLiteralType':
        return { const: literalOf(inner(type, 'literal')) }
      case 'TSUnionType':
        return unionOf(nodesOf(type['types']))
      case 'TSTypeReference':
        return referenceOf(type)
    }
    throw new NotDefinable(`${wordFor(type.type)} has no JSON Schema`, type.start)
  }

  function referenceOf(type: SyntaxNode): JsonObject {
    const name = nameOf(type['typeName'])
    const given = type['typeArguments']
    const [first, second] = isNode(given) ? nodesOf(given['params']) : []
    if ((name === 'Array' || name === 'ReadonlyArray') && first !== undefined) {
      return { type: 'array', items: of(first) }
    }
    if (name === 'Record' && first?.type === 'TSStringKeyword' && second !== undefined) {
      return { type: 'object', additionalProperties: of(second) }
    }
    const found = name === undefined ? undefined : declared.get(name)
    if (name === undefined || found === undefined || first !== undefined) {
      const message = `${name ?? 'this type'} is not a plain type of this file`
      throw new NotDefinable(message, type.start)
    }
    if (!definitions.has(name)) {
      definitions.set(name, {}) // it may contain itself
      definitions.set(name, describe(found, declaredSchema(found)))
    }
    return { $ref: `#/$defs/${name}` }
  }

  function declaredSchema(declaration: SyntaxNode): JsonObject {
    if (declaration['typeParameters']) {
      throw new NotDefinable('a generic type has no JSON Schema', declaration.start)
    }
    if (declaration.type === 'TSTypeAliasDeclaration')
      return of(inner(declaration, 'typeAnnotation'))
    const [base] = nodesOf(declaration['extends'])
    if (base !== undefined) {
      throw new NotDefinable('an interface that extends another is not supported', base.start)
    }
    return objectOf(nodesOf(inner(declaration, 'body')['body']))
  }

  function objectOf(members: readonly SyntaxNode[]): JsonObject {
    const properties: [string, JsonObject][] = []
    const required: string[] = []
    for (const member of members) {
      const name = keyOf(member)
      if (member.type !== 'TSPropertySignature' || name === undefined) {
        throw new NotDefinable(
          `${wordFor(member.type)} in an object has no JSON Schema`,
          member.start,
        )
      }
      const annotation = member['typeAnnotation']
      if (!isNode(annotation)) throw new NotDefinable(`${name} has no type`, member.start)
      properties.push([name, describe(member, of(inner(annotation, 'typeAnnotation')))])
      if (member['optional'] !== true) required.push(name)
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }
  }

  function unionOf(types: readonly SyntaxNode[]): JsonObject {
    const isLiteral = types.every(({ type }) => type === 'TSLiteralType')
    if (isLiteral) return { enum: types.map((type) => literalOf(inner(type, 'literal'))) }
    return { anyOf: types.map(of) }
  }

  /** With the doc comment of whatever it belongs to. */
  function describe({ start }: SyntaxNode, schema: JsonObject): JsonObject {
    const description = source.docBefore(start)
    return description === undefined ? schema : { ...schema, description }
  }

  return {
    of,
    documentOf(type) {
      definitions.clear()
      const schema = of(type)
      const root = schemaAtRoot(schema, definitions)
      const all = Object.fromEntries(definitions)
      const isUsed = JSON.stringify([root, all]).includes('"$ref"')
      return isUsed ? { ...root, $defs: all } : root
    },
  }
}

/** Tools need `type` at the root: what it refers to takes its place. */
function schemaAtRoot(
  schema: JsonObject,
  definitions: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return schemaAtRoot(definitions.get(reference.slice('#/$defs/'.length)) ?? {}, definitions)
}

function declarationsOf({ body }: SourceFile): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>()
  for (const statement of body) {
    const inside = statement['declaration']
    const declaration = isNode(inside) ? inside : statement
    const name = nameOf(declaration['id'])
    if (name === undefined || !/^TS(?:Interface|TypeAlias)Declaration$/.test(declaration.type))
      continue
    // Its doc comment stands before `export`.
    found.set(name, { ...declaration, start: statement.start })
  }
  return found
}

function literalOf(literal: SyntaxNode): string | number | boolean {
  const { value } = literal
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new NotDefinable('this literal has no JSON Schema', literal.start)
}

function keyOf({ key, computed }: SyntaxNode): string | undefined {
  if (computed === true || !isNode(key)) return undefined
  const { value } = key
  return nameOf(key) ?? (typeof value === 'string' ? value : undefined)
}

function inner(node: SyntaxNode, member: string): SyntaxNode {
  const found = node[member]
  if (isNode(found)) return found
  throw new NotDefinable('this is not supported', node.start)
}

/** `TSTupleType` is a tuple type, `TSMethodSignature` a method signature. */
function wordFor(type: string): string {
  const words = type
    .replace(/^TS/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`
}
